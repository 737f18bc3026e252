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

/** One value on the way down: known as a node of the flat map, or as nested JSON that was copied from elsewhere. */
interface Spot {
  readonly prop: Prop;
  readonly node: Tree<Json> | undefined;
  readonly copied: Json | undefined;
  readonly key: string;
  readonly path: string;
  readonly pointer: string;
}

/** Every value below a member of the root, unset ones included, in the order of their lower-cased paths. */
export function listProps(source: PropListSource): ListedProp[] {
  const top = source.props.children.get(source.root);
  if (top === undefined) return [];
  const found: ListedProp[] = [];
  const key = `/${top.segment}`;
  const node = nodeAt(source.vals, key);
  const open: Spot[] = [
    { prop: top, node, copied: undefined, key, path: top.path, pointer: formatPointer([source.root]) },
  ];
  for (let spot = open.pop(); spot !== undefined; spot = open.pop()) {
    for (const child of spotsBelow(spot)) {
      if (child.prop.definition.hidden === true && !source.hidden) continue;
      open.push(child);
      found.push({
        id: source.idOf(child.key),
        propId: child.prop.id,
        path: child.path,
        value: shownValue(child) ?? null,
        pointer: child.pointer,
      });
    }
  }
  return inOrder(found);
}

/** What values hold at a stored key and below it; undefined when that is nothing. */
function nodeAt(vals: Vals, key: string): Tree<Json> | undefined {
  const below = plantBelow(vals, Object.keys(vals), key);
  const value = vals[key];
  return value === undefined ? below : { children: new Map(), ...below, value };
}

function inOrder(listed: readonly ListedProp[]): ListedProp[] {
  const lowered = listed.map((one) => ({ one, lower: one.path.toLowerCase() }));
  lowered.sort((a, b) => {
    if (a.lower !== b.lower) return a.lower < b.lower ? -1 : 1;
    return a.one.path < b.one.path ? -1 : 1;
  });
  return lowered.map(({ one }) => one);
}

const shownValue = (spot: Spot): Json | undefined =>
  spot.node === undefined ? spot.copied : render(spot.prop, spot.node);

function spotsBelow(spot: Spot): Spot[] {
  const { prop, node } = spot;
  const whole = node === undefined || node.children.size === 0 ? (node?.value ?? spot.copied) : undefined;
  if (prop.kind === "object") {
    return [...prop.children.values()].map((member) => ({
      prop: member,
      node: node?.children.get(member.segment),
      copied: isObject(whole) ? memberOf(whole, member.name) : undefined,
      key: `${spot.key}/${member.segment}`,
      path: `${spot.path}/${member.name}`,
      pointer: spot.pointer + formatPointer([member.name]),
    }));
  }
  const entry = prop.entry;
  if (entry === undefined) return [];
  const element = (
    segment: string,
    name: string,
    child: Tree<Json> | undefined,
    copied: Json | undefined,
  ): Spot => ({
    prop: entry,
    node: child,
    copied,
    key: `${spot.key}/${segment}`,
    path: `${spot.path}/${entry.name}[${name}]`,
    pointer: spot.pointer + formatPointer([name]),
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
