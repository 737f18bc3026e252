import { isArray, isObject, type Json, memberOf } from "./json.ts";
import { formatPointer, nameSegment, segmentName } from "./pointers.ts";
import type { Prop } from "./props.ts";
import { plantBelow, sortedChildren, type Tree } from "./tree.ts";
import { render, type Vals } from "./values.ts";

/** One value of a component with its property: what ComponentPropViewV1 shows, and the pointer that names it. */
export interface ListedProp {
  /** The value's own id, the same as long as the component has that value. */
  readonly id: string;
  readonly propId: string;
  /** `root/domain/Tags/TagItem[0]/Key`: an element by the name of its property and its position or key. */
  readonly path: string;
  /** Null when unset; containers carry all of their content. */
  readonly value: Json;
  readonly pointer: string;
}

/** What a list of properties is made of. */
export interface PropListSource {
  readonly props: Prop;
  readonly vals: Vals;
  /** The member of the root whose content is listed, itself left out. */
  readonly root: string;
  /** Whether hidden properties are listed too. */
  readonly hidden: boolean;
  /** Makes a value's id of its stored key. */
  readonly idOf: (key: string) => string;
}

/** Where a value stands. */
interface Place {
  readonly prop: Prop;
  readonly key: string;
  readonly path: string;
  readonly pointer: string;
  /** The path in lower case, by which places are ordered. */
  readonly lower: string;
}

/** One value on the way down: known as a node of the flat map, or as nested JSON that was copied from elsewhere. */
interface Spot {
  readonly place: Place;
  readonly node: Tree<Json> | undefined;
  readonly copied: Json | undefined;
}

/** Every value below a member of the root, unset ones included, in the order of their lower-cased paths. */
export function listProps(source: PropListSource): ListedProp[] {
  const top = source.props.children.get(source.root);
  if (top === undefined) return [];
  const found: (readonly [Place, ListedProp])[] = [];
  const key = `/${top.segment}`;
  const place = { prop: top, key, path: top.path, pointer: formatPointer([source.root]), lower: "" };
  const open: Spot[] = [{ place, node: nodeAt(source.vals, key), copied: undefined }];
  for (let spot = open.pop(); spot !== undefined; spot = open.pop()) {
    for (const child of spotsBelow(spot)) {
      const { prop, path, pointer } = child.place;
      if (prop.definition.hidden === true && !source.hidden) continue;
      open.push(child);
      const value = shownValue(child) ?? null;
      found.push([child.place, { id: source.idOf(child.place.key), propId: prop.id, path, value, pointer }]);
    }
  }
  return found.sort(([a], [b]) => order(a, b)).map(([, listed]) => listed);
}

function order(a: Place, b: Place): number {
  if (a.lower !== b.lower) return a.lower < b.lower ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}

/** What values hold at a stored key and below it; undefined when that is nothing. */
function nodeAt(vals: Vals, key: string): Tree<Json> | undefined {
  const below = plantBelow(vals, Object.keys(vals), key);
  const value = vals[key];
  return value === undefined ? below : { children: new Map(), ...below, value };
}

const shownValue = (spot: Spot): Json | undefined =>
  spot.node === undefined ? spot.copied : render(spot.place.prop, spot.node);

function spotsBelow({ place, node, copied }: Spot): Spot[] {
  const { prop } = place;
  const whole = node === undefined || node.children.size === 0 ? (node?.value ?? copied) : undefined;
  if (prop.kind === "object") {
    return membersOf(place).map((member) => ({
      place: member,
      node: node?.children.get(member.prop.segment),
      copied: isObject(whole) ? memberOf(whole, member.prop.name) : undefined,
    }));
  }
  const entry = prop.entry;
  if (entry === undefined) return [];
  const element = (
    segment: string,
    name: string,
    child: Tree<Json> | undefined,
    value: Json | undefined,
  ): Spot => ({
    place: placeBelow(place, entry, segment, `${entry.name}[${name}]`, name),
    node: child,
    copied: value,
  });
  if (isArray(whole))
    return whole.map((value, index) => element(String(index), String(index), undefined, value));
  if (isObject(whole)) {
    return Object.keys(whole).map((name) =>
      element(nameSegment(name), name, undefined, memberOf(whole, name)),
    );
  }
  return sortedChildren(node ?? { value: undefined, children: new Map<string, Tree<Json>>() }).map(
    ([segment, child], position) =>
      element(segment, prop.kind === "array" ? String(position) : segmentName(segment), child, undefined),
  );
}

function placeBelow(above: Place, prop: Prop, segment: string, step: string, name: string): Place {
  const path = `${above.path}/${step}`;
  const pointer = above.pointer + formatPointer([name]);
  return { prop, key: `${above.key}/${segment}`, path, pointer, lower: path.toLowerCase() };
}

/** The members of objects that no array or map is above: they are always in the same places. */
const members = new WeakMap<Prop, readonly Place[]>();

function membersOf(place: Place): readonly Place[] {
  const { prop } = place;
  const known = members.get(prop);
  if (known !== undefined) return known;
  const made = [...prop.children.values()].map((member) =>
    placeBelow(place, member, member.segment, member.name, member.name),
  );
  if (prop.key !== undefined) members.set(prop, made);
  return made;
}
