import { isArray, isObject, type Json, type JsonObject, sameJson } from "./json.ts";
import type { Settings } from "./overlay.ts";
import { formatPointer } from "./pointers.ts";
import type { Prop } from "./props.ts";
import { type Vals, valueAt } from "./values.ts";

/** Members of the root that a management function says nothing about. */
const ignored: ReadonlySet<string> = new Set([
  "code",
  "deleted_at",
  "qualification",
  "resource_value",
  "secrets",
]);

/** The component that properties are written to. */
export interface PropertiesTarget {
  readonly props: Prop;
  readonly settings: Settings;
  readonly vals: Vals;
  /** A new component keeps the name it was made with. */
  readonly isNew: boolean;
}

/**
 * Attributes that write `properties`, an object in the shape in which functions are given a component: objects are
 * followed, an array is replaced, of a map what is not given goes, null unsets, and what the schema does not have or
 * something else feeds is left out. A `resource` as a whole is what the component stands for.
 */
export function attributesOfProperties(
  target: PropertiesTarget,
  properties: JsonObject,
): Record<string, Json> {
  const attributes: Record<string, Json> = {};
  for (const [name, value] of Object.entries(properties)) {
    if (ignored.has(name)) continue;
    if (name === "resource") attributes["/resource/payload"] = value === null ? unset : JSON.stringify(value);
    else {
      const prop = target.props.children.get(name);
      if (prop !== undefined) write(target, attributes, prop, formatPointer([name]), value);
    }
  }
  if (target.isNew) delete attributes["/si/name"];
  return attributes;
}

function write(
  target: PropertiesTarget,
  attributes: Record<string, Json>,
  prop: Prop,
  pointer: string,
  value: Json,
): void {
  const setting = Object.hasOwn(target.settings, pointer) ? target.settings[pointer] : undefined;
  const isFed = setting !== undefined && "s" in setting;
  if (prop.kind === "object" && isObject(value)) {
    if (isFed) return;
    for (const [name, inner] of Object.entries(value)) {
      const member = prop.children.get(name);
      if (member !== undefined)
        write(target, attributes, member, `${pointer}${formatPointer([name])}`, inner);
    }
    return;
  }
  const before = valueAt(target.props, target.vals, pointer);
  if (prop.kind === "map" && isObject(value) && isObject(before) && !isFed) {
    for (const name of Object.keys(before)) {
      if (!Object.hasOwn(value, name)) attributes[`${pointer}${formatPointer([name])}`] = unset;
    }
    for (const [name, inner] of Object.entries(value)) {
      if (!Object.hasOwn(before, name) || !sameJson(before[name] ?? null, inner))
        attributes[`${pointer}${formatPointer([name])}`] = literal(inner);
    }
    return;
  }
  if (value === null) {
    if (before !== undefined) attributes[pointer] = unset;
    return;
  }
  if (before === undefined || !sameJson(before, value)) attributes[pointer] = literal(value);
}

const unset: Json = { $source: null };

/** A value as an attribute's literal, also where it looks like something else. */
const literal = (value: Json): Json => (isObject(value) || isArray(value) ? { $source: { value } } : value);
