import type { Json, JsonObject } from "./json.ts";
import { secretKindLabel, specKinds } from "./package-props.ts";
import { upperFirst } from "./package-words.ts";
import { formatPointer } from "./pointers.ts";
import type { PropDefinition } from "./props.ts";
import { createOnlyOption, usualWidget } from "./widgets.ts";

/** What gives properties their values, by pointer: `funcUniqueId` and `inputs` of their specs. */
export type PropBindings = ReadonlyMap<string, JsonObject>;

/** A root property with its members as a spec. */
export const exportRootProp = (
  name: string,
  pointer: string,
  members: readonly PropDefinition[],
  bound: PropBindings,
): JsonObject => exportProp({ name, kind: "object", children: members }, pointer, bound);

function exportProp(prop: PropDefinition, pointer: string | undefined, bound: PropBindings): JsonObject {
  const { name, kind } = prop;
  const spec = {
    name,
    kind: Object.entries(specKinds).find(([, ours]) => ours === kind)?.[0] ?? kind,
    data: { ...exportData(prop), ...(pointer === undefined ? {} : bound.get(pointer)) },
  };
  if (kind === "object") {
    const entries = (prop.children ?? []).map((child) =>
      exportProp(child, pointer === undefined ? undefined : pointer + formatPointer([child.name]), bound),
    );
    return { ...spec, entries };
  }
  return prop.entry === undefined ? spec : { ...spec, typeProp: exportProp(prop.entry, undefined, bound) };
}

function exportData(prop: PropDefinition): JsonObject {
  const { widget, secret, suggestSources, suggestAsSourceFor } = prop;
  const said = [
    ...(widget?.options ?? []),
    ...(secret === undefined ? [] : [{ label: secretKindLabel, value: secret }]),
    ...(prop.createOnly === true ? [createOnlyOption] : []),
  ];
  const kind = secret === undefined ? (widget?.kind ?? usualWidget[prop.kind]) : "secret";
  const hints = definedIn({
    suggestSources: suggestSources?.map(({ schema, prop: name }) => ({ schema, prop: name })),
    suggestAsSourceFor: suggestAsSourceFor?.map(({ schema, prop: name }) => ({ schema, prop: name })),
  });
  return definedIn({
    name: prop.name,
    defaultValue: prop.defaultValue,
    documentation: prop.description,
    docLink: prop.docLink,
    hidden: prop.hidden === true,
    validationFormat: prop.validationFormat,
    widgetKind: upperFirst(kind),
    widgetOptions: said.length === 0 ? undefined : said.map(({ label, value }) => ({ label, value })),
    uiOptionals: Object.keys(hints).length === 0 ? undefined : hints,
  });
}

const definedIn = (members: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
