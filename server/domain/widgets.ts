import { presentOf } from "./function-results.ts";
import { describe, isArray, isObject, type Json, type JsonObject } from "./json.ts";
import type { PropKind, Widget } from "./props.ts";

/** Every kind of widget. */
export const widgetKinds = [
  "array",
  "checkbox",
  "codeEditor",
  "color",
  "comboBox",
  "header",
  "map",
  "password",
  "secret",
  "select",
  "text",
  "textArea",
] as const;

/** The option by which a widget says that its property is fixed once there is a resource. */
export const createOnlyOption = { label: "si_create_only_prop", value: "true" } as const;

/** How a property of that kind is edited where nothing else is said. */
export const usualWidget: Readonly<Record<PropKind, string>> = {
  array: "array",
  boolean: "checkbox",
  float: "text",
  integer: "text",
  json: "text",
  map: "map",
  object: "header",
  string: "text",
};

/** The widget of a built property, undefined where it is the usual one; `no` is told a mistake. */
export function widgetIn(
  built: JsonObject,
  propKind: PropKind,
  no: (problem: string) => never,
): { readonly widget: Widget | undefined; readonly createOnly: boolean } {
  const given = presentOf(built, "widget");
  if (given === undefined) return { widget: undefined, createOnly: false };
  if (!isObject(given))
    return no(`expected a widget of PropWidgetDefinitionBuilder, found ${describe(given)}`);
  const kind = presentOf(given, "kind") ?? usualWidget[propKind];
  if (!isOneOf(widgetKinds, kind)) {
    return no(`expected a widget of one of the kinds ${widgetKinds.join(", ")}, found ${describe(kind)}`);
  }
  if (kind === "secret")
    return no("expected no secret widget: secrets are added with AssetBuilder.addSecretProp");
  const all = optionsIn(given, no);
  const options = all.filter(({ label }) => label !== createOnlyOption.label);
  const isUsual = kind === usualWidget[propKind] && options.length === 0;
  return {
    widget: isUsual ? undefined : { kind, ...(options.length === 0 ? {} : { options }) },
    createOnly: all.some(({ label, value }) => label === createOnlyOption.label && value !== "false"),
  };
}

/** The definition whose secrets a built property takes; undefined when it is no secret. */
export function secretKindIn(built: JsonObject): string | undefined {
  const widget = presentOf(built, "widget");
  const options = isObject(widget) ? presentOf(widget, "options") : undefined;
  const option = (isArray(options) ? options : []).find(
    (one): one is JsonObject => isObject(one) && one["label"] === "secretKind",
  );
  const value = option?.["value"];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function optionsIn(widget: JsonObject, no: (problem: string) => never): NonNullable<Widget["options"]> {
  const options = presentOf(widget, "options") ?? [];
  if (!isArray(options)) return no(`expected a list of options in the widget, found ${describe(options)}`);
  return options.map((option) => {
    const [label, value] = isObject(option) ? [textOf(option["label"]), textOf(option["value"])] : [];
    if (label !== undefined && value !== undefined) return { label, value };
    return no(`expected {label, value} in the widget's options, found ${describe(option)}`);
  });
}

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;

const isOneOf = <T extends string>(all: readonly T[], value: Json): value is T =>
  all.some((one) => one === value);
