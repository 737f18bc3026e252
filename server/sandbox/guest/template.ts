import { define } from "./define.ts";
import { refusing } from "./refusals.ts";

interface Component {
  readonly properties?: { readonly si?: { readonly name?: string } };
  readonly sources?: Readonly<
    Record<string, { readonly component: string; readonly path: string; readonly func?: string }>
  >;
}

/** `extLib`, `template` and `layout`: what management functions share. */
export function installTemplate(): void {
  define("extLib", { removeEmpty });
  define(
    "template",
    refusing(
      "template",
      { getComponentName, sourceOrValue, checkUniqueNamePrefix },
      "getComponentName, sourceOrValue and checkUniqueNamePrefix are",
    ),
  );
  define("layout", refusing("layout", {}, "give a geometry to what the function creates"));
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

const getComponentName = (component: Component): string | undefined => component.properties?.si?.name;

/** The subscription of a component's attribute as an attribute of another, else its value. */
function sourceOrValue(component: Component, path: string): unknown {
  const pointer = path.startsWith("/") ? path : `/${path}`;
  const source = component.sources?.[pointer];
  if (source !== undefined) return { $source: { ...source } };
  let value: unknown = component.properties;
  for (const part of pointer.slice(1).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** Throws when a component's name begins with `prefix` already. */
function checkUniqueNamePrefix(prefix: string, components: Readonly<Record<string, Component>>): void {
  const taken = Object.values(components)
    .map(getComponentName)
    .find((name) => name?.startsWith(prefix));
  if (taken !== undefined)
    throw new Error(`the name prefix "${prefix}" is used already, by the component "${taken}"`);
}
