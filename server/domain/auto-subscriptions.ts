import { type Json, sameJson } from "./json.ts";
import type { Settings } from "./overlay.ts";
import { formatPointer } from "./pointers.ts";
import { listProps } from "./prop-list.ts";
import { findProp, isContainer, type Prop, type SuggestedSource } from "./props.ts";
import type { Vals } from "./values.ts";

/** A value that a component sets itself though its schema says of what it is best read. */
export interface Subscribable {
  /** Pointer of the attribute. */
  readonly pointer: string;
  readonly value: Json;
  /** Properties of other schemas, by the name of the schema. */
  readonly sources: readonly SuggestedSource[];
}

/** A schema as suggestions speak of it. */
export interface SuggestingSchema {
  readonly name: string;
  readonly props: Prop;
}

/** What a component is, as far as its own values are concerned. */
export interface Subscriber {
  readonly props: Prop;
  readonly settings: Settings;
  readonly vals: Vals;
  /** Whether what it stands for exists: then some of its properties may not be written. */
  readonly hasResource: boolean;
}

/**
 * The values that a component of a schema could read instead: scalars below `/domain` that are set to a literal, for
 * which the property itself or one of another schema suggests a source.
 */
export function subscribable(
  schemaName: string,
  { props, settings, vals, hasResource }: Subscriber,
  schemas: readonly SuggestingSchema[],
): Subscribable[] {
  const feeding = feeders(schemaName, schemas);
  return listProps({ props, vals, root: "domain", hidden: true, idOf: (key) => key }).flatMap(
    ({ id: key, pointer, value }) => {
      const prop = findProp(props, pointer);
      const setting = settings[key];
      if (prop === undefined || isContainer(prop.kind) || setting === undefined || !("v" in setting))
        return [];
      if (value === null || value === "" || (hasResource && prop.definition.createOnly === true)) return [];
      const sources = [...(prop.definition.suggestSources ?? []), ...(feeding.get(pointer) ?? [])];
      return sources.length === 0 ? [] : [{ pointer, value, sources }];
    },
  );
}

/** Properties of all schemas that suggest themselves as sources for a schema, by the pointer that they are to feed. */
function feeders(schemaName: string, schemas: readonly SuggestingSchema[]): Map<string, SuggestedSource[]> {
  const found = new Map<string, SuggestedSource[]>();
  const look = (name: string, prop: Prop, pointer: string): void => {
    for (const { schema, prop: fed } of prop.definition.suggestAsSourceFor ?? []) {
      if (!isNamed(schema, schemaName)) continue;
      found.set(fed, [...(found.get(fed) ?? []), { schema: name, prop: pointer }]);
    }
    for (const [member, child] of prop.children) look(name, child, pointer + formatPointer([member]));
  };
  for (const { name, props } of schemas) look(name, props, "");
  return found;
}

/** Whether a suggestion names a schema, in any letter case. */
export const isNamed = (suggested: string, name: string): boolean =>
  suggested.toLowerCase() === name.toLowerCase();

/** A component that may be read, with what it shows at a pointer. */
export interface KnownComponent {
  readonly id: string;
  readonly schemaName: string;
  readonly valueAt: (pointer: string) => Json | undefined;
}

/** The one component, and the place in it, that has the value; undefined where none has it, and where several have. */
export function sourceOf(
  { value, sources }: Subscribable,
  known: readonly KnownComponent[],
): { readonly component: string; readonly path: string } | undefined {
  const found = known.flatMap(({ id, schemaName, valueAt }) =>
    sources
      .filter(({ schema, prop }) => isNamed(schema, schemaName) && sameJson(valueAt(prop) ?? null, value))
      .map(({ prop }) => ({ component: id, path: prop })),
  );
  const [first] = found;
  const isOne = found.every(({ component, path }) => component === first?.component && path === first.path);
  return isOne ? first : undefined;
}
