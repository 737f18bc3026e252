import { canonical, type Json } from "./json.ts";
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

/** What properties of all schemas suggest themselves as sources for, by the schema's name in small letters and the pointer. */
export type Suggestions = ReadonlyMap<string, ReadonlyMap<string, readonly SuggestedSource[]>>;

/** The suggestions that these schemas make for others. */
export function suggestionsOf(schemas: readonly SuggestingSchema[]): Suggestions {
  const found = new Map<string, Map<string, SuggestedSource[]>>();
  const look = (name: string, prop: Prop, pointer: string): void => {
    for (const { schema, prop: fed } of prop.definition.suggestAsSourceFor ?? []) {
      const feeding = kept(found, folded(schema), () => new Map<string, SuggestedSource[]>());
      kept(feeding, fed, () => []).push({ schema: name, prop: pointer });
    }
    for (const [member, child] of prop.children) look(name, child, pointer + formatPointer([member]));
  };
  for (const { name, props } of schemas) look(name, props, "");
  return found;
}

/**
 * The values that a component of a schema could read instead: scalars below `/domain` that are set to a literal, for
 * which the property itself or one of another schema suggests a source.
 */
export function subscribable(
  schemaName: string,
  { props, settings, vals, hasResource }: Subscriber,
  suggestions: Suggestions,
): Subscribable[] {
  const feeding = suggestions.get(folded(schemaName));
  return listProps({ props, vals, root: "domain", hidden: true, idOf: (key) => key }).flatMap(
    ({ id: key, pointer, value }) => {
      const prop = findProp(props, pointer);
      const setting = settings[key];
      if (prop === undefined || isContainer(prop.kind) || setting === undefined || !("v" in setting))
        return [];
      if (value === null || value === "" || (hasResource && prop.definition.createOnly === true)) return [];
      const sources = [...(prop.definition.suggestSources ?? []), ...(feeding?.get(pointer) ?? [])];
      return sources.length === 0 ? [] : [{ pointer, value, sources }];
    },
  );
}

/** A component that may be read, with what it shows at a pointer. */
export interface KnownComponent {
  readonly id: string;
  readonly schemaName: string;
  readonly valueAt: (pointer: string) => Json | undefined;
}

/** A place in a component, as a subscription names it. */
export interface KnownSource {
  readonly component: string;
  readonly path: string;
}

/** Finds components by what they have at a place of their schema. */
export interface SourceIndex {
  /** Whether a component of that schema, in any letter case, may have what is wished for. */
  asksFor(schemaName: string): boolean;
  /** Notes what a component has of what is wished for; each component once. */
  add(component: KnownComponent): void;
  /**
   * The one place in a component other than the subscriber that has the value; undefined where none has it, and where
   * several have.
   */
  find(subscriberId: string, wish: Subscribable): KnownSource | undefined;
}

/** Enough to tell that several have a value, whoever of them asks. */
const telling = 3;

/** An index of these wishes, of which no other is to be looked up: it takes their room, however many components it is told of. */
export function indexSources(wishes: readonly Subscribable[]): SourceIndex {
  // Ids of components by schema, pointer and value.
  const wanted = new Map<string, Map<string, Map<string, string[]>>>();
  const placesOf = ({ value, sources }: Subscribable) =>
    sources.map(({ schema, prop }) => {
      const pointers = kept(wanted, folded(schema), () => new Map<string, Map<string, string[]>>());
      const values = kept(pointers, prop, () => new Map<string, string[]>());
      return { path: prop, components: kept(values, canonical(value), () => []) };
    });
  for (const wish of wishes) placesOf(wish);
  return {
    asksFor: (schemaName) => wanted.has(folded(schemaName)),
    add: ({ id, schemaName, valueAt }) => {
      for (const [pointer, values] of wanted.get(folded(schemaName)) ?? []) {
        const components = values.get(canonical(valueAt(pointer) ?? null));
        if (components !== undefined && components.length < telling) components.push(id);
      }
    },
    find: (subscriberId, wish) => {
      const found = placesOf(wish).flatMap(({ path, components }) =>
        components.filter((id) => id !== subscriberId).map((component) => ({ component, path })),
      );
      const [first] = found;
      const isOne = found.every(
        ({ component, path }) => component === first?.component && path === first.path,
      );
      return isOne ? first : undefined;
    },
  };
}

/** Suggestions name schemas in any letter case. */
const folded = (schemaName: string): string => schemaName.toLowerCase();

/** The value of a key; made and kept where there is none. */
function kept<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
