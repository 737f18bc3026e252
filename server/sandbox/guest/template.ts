import { converge } from "./converge.ts";
import { define } from "./define.ts";
import { layout } from "./layout.ts";
import { type Component, getComponentName, isByView, isRecord, type Spec, valueIn } from "./managed.ts";
import { refusing } from "./refusals.ts";

/** `extLib`, `template` and `layout`: what management functions share. */
export function installTemplate(): void {
  const template = {
    variables,
    updateVarsInViews,
    converge,
    checkUniqueNamePrefix,
    getComponentName,
    sourceOrValue,
  };
  define("extLib", { removeEmpty });
  define("template", refusing("template", template, `${Object.keys(template).join(", ")} are`));
  define("layout", refusing("layout", layout, `${Object.keys(layout).join(", ")} are`));
}

/** A value without members that hold nothing: null, undefined, empty texts, lists and objects. */
function removeEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeEmpty).filter((inner) => !isEmpty(inner));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).map(([name, inner]) => [name, removeEmpty(inner)] as const);
  return Object.fromEntries(kept.filter(([, inner]) => !isEmpty(inner)));
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

/** What a template is told: what its component has under `/domain`, a copy of one's own. */
function variables(component: Component): Record<string, unknown> {
  const domain = component?.properties?.domain;
  return domain === undefined ? {} : JSON.parse(JSON.stringify(domain));
}

/** What is wanted of components, with `{{name}}` in the names of their views replaced by what the variables say. */
function updateVarsInViews(
  values: Readonly<Record<string, unknown>>,
  specs: Readonly<Record<string, Spec>>,
): Readonly<Record<string, Spec>> {
  if (!isRecord(values) || !isRecord(specs))
    throw new TypeError(
      "template.updateVarsInViews takes variables, and what is wanted of components by name",
    );
  const filled = (view: string): string =>
    view.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (_, name: string) => {
      const value = name
        .split(".")
        .reduce<unknown>((inner, part) => (isRecord(inner) ? inner[part] : undefined), values);
      if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
        return String(value);
      throw new Error(
        `the view ${JSON.stringify(view)} is named by the variable ${JSON.stringify(name)}, which is no text, number or boolean`,
      );
    });
  return Object.fromEntries(
    Object.entries(specs).map(([key, spec]) => {
      const { geometry } = spec;
      if (geometry === undefined || !isByView(geometry)) return [key, spec];
      const views = Object.entries(geometry).map(([view, place]) => [filled(view), place] as const);
      return [key, { ...spec, geometry: Object.fromEntries(views) }];
    }),
  );
}

/** The subscription of a component's attribute as an attribute of another, else its value. */
function sourceOrValue(component: Component, path: string): unknown {
  const pointer = path.startsWith("/") ? path : `/${path}`;
  const source = component.sources?.[pointer];
  return source === undefined ? valueIn(component, pointer) : { $source: { ...source } };
}

/** Throws when the name of a component that is not one of `own` begins with `prefix` already. */
function checkUniqueNamePrefix(
  prefix: string,
  components: Readonly<Record<string, Component>>,
  own: readonly string[] = [],
): void {
  const taken = Object.values(components)
    .map(getComponentName)
    .find((name) => name?.startsWith(prefix) === true && !own.includes(name));
  if (taken !== undefined)
    throw new Error(`the name prefix "${prefix}" is used already, by the component "${taken}"`);
}
