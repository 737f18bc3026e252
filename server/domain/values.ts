import { isArray, isObject, type Json, memberOf, sameJson } from "./json.ts";
import type { Setting, Settings } from "./overlay.ts";
import { nameSegment, parseIndex, parsePointer, segmentName } from "./pointers.ts";
import { fits, isContainer, memberKey, type Prop, stepTo } from "./props.ts";
import { elementsOf, plant, plantBelow, sortedChildren, type Tree } from "./tree.ts";

/**
 * A component's effective values, sparse and flat, by stored key. A subscribed container is one value under its own
 * key; a container stands under its own key only while nothing below it does (`[]`, `{}`, or null for an element
 * without a value). Facts about the component (keys that do not begin with `/`) are carried along.
 */
export type Vals = Readonly<Record<string, Json>>;

/** Reads the value at a pointer of another component, through a transformation function when one is named. */
export type ReadValue = (componentId: string, path: string, func?: string) => Json | undefined;

/** The setting of a subscription. */
export type Subscribed = Extract<Setting, { readonly s: unknown }>;

/** Finds the value of the subscription under a stored key, as its property takes it. */
export type Resolve = (subscribed: Subscribed, key: string, prop: Prop) => Json | undefined;

/**
 * The values of one component: schema defaults, under literals and subscriptions. A subscription whose source has no
 * value leaves its attribute unset. A component may subscribe to itself; `self` is its id.
 */
export function computeValues(root: Prop, settings: Settings, read: ReadValue, self?: string): Vals {
  const isInside = ({ s: [id], f }: Subscribed): boolean => id === self && f === undefined;
  let vals = computeWith(root, settings, (subscribed, _key, prop) =>
    isInside(subscribed) ? undefined : subscribedValue(prop, subscribed, read),
  );
  const own = ownSubscriptions(settings, self);
  // Each pass settles at least one more link of a chain of own subscriptions; a circle just stops.
  for (let pass = 0; pass < own; pass++) {
    const known = vals;
    const inside: ReadValue = (_id, path) => valueAt(root, known, path);
    vals = computeWith(root, settings, (subscribed, _key, prop) =>
      subscribedValue(prop, subscribed, isInside(subscribed) ? inside : read),
    );
    if (sameJson(known, vals)) break;
  }
  return vals;
}

/** What a subscription gives its property; undefined where its source has no value that fits. */
export function subscribedValue(
  prop: Prop,
  { s: [id, path], f }: Subscribed,
  read: ReadValue,
): Json | undefined {
  const value = read(id, path, f);
  if (value === undefined || value === null) return undefined;
  return f === undefined ? adapted(prop, value) : taken(prop, value);
}

/** How many settings subscribe to the component itself. */
export function ownSubscriptions(settings: Settings, self: string | undefined): number {
  let own = 0;
  for (const key of Object.keys(settings)) {
    const setting = settings[key];
    if (setting !== undefined && "s" in setting && setting.s[0] === self) own++;
  }
  return own;
}

/** The values of settings, whatever their subscriptions give. */
export function computeWith(root: Prop, settings: Settings, resolve: Resolve): Record<string, Json> {
  const vals: Record<string, Json> = {};
  const keys = Object.keys(settings);
  for (const key of keys) {
    const setting = settings[key];
    if (!key.startsWith("/") && setting !== undefined && "v" in setting) vals[key] = setting.v;
  }
  computeInto(vals, { settings, keys, resolve }, root, undefined, "", false);
  return vals;
}

/** What values are computed from. */
interface Reading {
  readonly settings: Settings;
  /** Theirs, listed once: a schema has many containers to look below. */
  readonly keys: readonly string[];
  readonly resolve: Resolve;
}

/** The setting of a property: by its key where that is known, else of the node that an array or a map led to. */
const settingOf = (
  { settings }: Reading,
  prop: Prop,
  node: Tree<Setting> | undefined,
): Setting | undefined => (prop.key === undefined ? node?.value : settings[prop.key]);

/** What is set inside an array or a map: only of that a tree is made, which is less than half the work of one of all. */
const insideOf = (
  { settings, keys }: Reading,
  prop: Prop,
  node: Tree<Setting> | undefined,
): Tree<Setting> | undefined => (prop.key === undefined ? node : plantBelow(settings, keys, prop.key));

/** Whether anything is set below a container; then the container is there, even if it was unset as a whole. */
function holdsSet(reading: Reading, prop: Prop, node: Tree<Setting> | undefined): boolean {
  if (prop.kind === "array" || prop.kind === "map") {
    const inside = insideOf(reading, prop, node);
    return inside !== undefined && elementsOf(inside, prop.kind).length > 0;
  }
  return [...prop.children.values()].some((member) => {
    const child = node?.children.get(member.segment);
    const setting = settingOf(reading, member, child);
    return (setting !== undefined && !("u" in setting)) || holdsSet(reading, member, child);
  });
}

/**
 * A value that was read, as its property takes it, since kinds may differ, and its source may have been upgraded since:
 * what is not of the property's kind is no value, an integer takes only a whole number, an object only the members it
 * declares. Elements and entries that do not fit keep their place as null.
 */
const adapted = (prop: Prop, value: Json): Json | undefined =>
  fits(prop, value) ? adaptedInside(prop, value, adapted) : undefined;

/** What a function returned, as its property takes it: as {@link adapted}, and a JSON property takes anything as text. */
export function taken(prop: Prop, value: Json): Json | undefined {
  if (prop.kind === "json" && typeof value !== "string")
    return value === null ? undefined : JSON.stringify(value, null, 2);
  return fits(prop, value) ? adaptedInside(prop, value, taken) : undefined;
}

function adaptedInside(prop: Prop, value: Json, adapt: (prop: Prop, value: Json) => Json | undefined): Json {
  const { entry } = prop;
  if (prop.kind === "array" && entry !== undefined && isArray(value))
    return value.map((element) => adapt(entry, element) ?? null);
  if (!isObject(value)) return value;
  if (prop.kind === "map" && entry !== undefined)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, adapt(entry, one) ?? null]));
  const members = [...prop.children.values()].map((member) => {
    const one = memberOf(value, member.name);
    return [member.name, one === undefined ? undefined : adapt(member, one)] as const;
  });
  return Object.fromEntries(members.filter((pair): pair is readonly [string, Json] => pair[1] !== undefined));
}

/** Adds the values at and below `key`; says whether there are any. Defaults below an unset container stay hidden. */
function computeInto(
  vals: Record<string, Json>,
  reading: Reading,
  prop: Prop,
  node: Tree<Setting> | undefined,
  key: string,
  unset: boolean,
): boolean {
  const setting = settingOf(reading, prop, node);
  if (setting !== undefined && "s" in setting) return put(vals, key, reading.resolve(setting, key, prop));
  const literal = setting !== undefined && "v" in setting && fits(prop, setting.v) ? setting.v : undefined;
  const hidden = unset || (setting !== undefined && "u" in setting && !holdsSet(reading, prop, node));
  if (!isContainer(prop.kind)) {
    return put(vals, key, literal ?? (hidden ? undefined : prop.definition.defaultValue));
  }

  let any = false;
  if (prop.kind === "object") {
    for (const member of prop.children.values()) {
      const child = node?.children.get(member.segment);
      if (computeInto(vals, reading, member, child, memberKey(key, member), hidden)) any = true;
    }
  } else if (prop.entry !== undefined) {
    const inside = insideOf(reading, prop, node);
    for (const [segment, element] of inside === undefined ? [] : elementsOf(inside, prop.kind)) {
      const at = `${key}/${segment}`;
      // An element without a value keeps its place.
      if (!computeInto(vals, reading, prop.entry, element, at, false)) vals[at] = null;
      any = true;
    }
  }
  return any || put(vals, key, literal);
}

function put(vals: Record<string, Json>, key: string, value: Json | undefined): boolean {
  if (value === undefined) return false;
  vals[key] = value;
  return true;
}

/** The nested JSON of a property, arrays in order and members in the schema's; undefined when it has no value. */
export function render(prop: Prop, node: Tree<Json> | undefined): Json | undefined {
  if (node === undefined || node.children.size === 0) return node?.value;
  const entry = prop.entry;
  if (prop.kind === "object" || entry === undefined) {
    const members = [...prop.children.values()].map(
      (member) => [member.name, render(member, node.children.get(member.segment))] as const,
    );
    return Object.fromEntries(
      members.filter((pair): pair is readonly [string, Json] => pair[1] !== undefined),
    );
  }
  const elements = sortedChildren(node).map(
    ([segment, child]) => [segmentName(segment), render(entry, child) ?? null] as const,
  );
  return prop.kind === "array" ? elements.map(([, value]) => value) : Object.fromEntries(elements);
}

/**
 * The value at a pointer, positions counted in the arrays as they are; undefined when there is none. At `""` the whole
 * component as nested JSON, `{si: {…}, domain: {…}, …}`, members without a value left out.
 */
export function valueAt(root: Prop, vals: Vals, pointer: string): Json | undefined {
  // Without an array on the way a key is its own pointer, and a container under its own key has nothing below it.
  if (Object.hasOwn(vals, pointer)) return vals[pointer];
  let prop = root;
  let node = plant(vals);
  const segments = parsePointer(pointer);
  if (segments === undefined) return undefined;
  for (const [depth, segment] of segments.entries()) {
    // What was copied from elsewhere is nested JSON under one key.
    if (node.children.size === 0) return valueWithin(node.value, segments.slice(depth));
    const next = stepTo(prop, segment);
    const child =
      prop.kind === "array"
        ? sortedChildren(node)[parseIndex(segment) ?? -1]?.[1]
        : node.children.get(nameSegment(segment));
    if (next === undefined || child === undefined) return undefined;
    prop = next;
    node = child;
  }
  return render(prop, node);
}

/** The value below a JSON value; undefined when the path leads nowhere. */
function valueWithin(value: Json | undefined, segments: readonly string[]): Json | undefined {
  let found = value;
  for (const segment of segments) {
    if (isArray(found)) found = found[parseIndex(segment) ?? -1];
    else found = isObject(found) ? memberOf(found, segment) : undefined;
  }
  return found;
}
