import { isElement, keySegments } from "./pointers.ts";

/** One child of a container with the segment that leads to it. */
export type Child<T> = readonly [segment: string, node: Tree<T>];

/** A flat map of stored keys as a tree; children are named by the segments of the key. */
export interface Tree<T> {
  value: T | undefined;
  readonly children: Map<string, Tree<T>>;
}

/** An empty tree. */
export const emptyTree = <T>(): Tree<T> => ({ value: undefined, children: new Map() });

/** The tree of a flat map; keys that do not begin with `/` are left out. */
export function plant<T>(flat: Readonly<Record<string, T>>): Tree<T> {
  return plantBelow(flat, Object.keys(flat), "") ?? emptyTree();
}

/** The tree of what a flat map, whose keys are at hand, holds below one of them; undefined when that is nothing. */
export function plantBelow<T>(
  flat: Readonly<Record<string, T>>,
  keys: readonly string[],
  key: string,
): Tree<T> | undefined {
  let root: Tree<T> | undefined;
  for (const at of keys) {
    // Most keys are told apart by one character: this is asked for every container of every component.
    if (at[key.length] !== "/" || !at.startsWith(key)) continue;
    root ??= emptyTree<T>();
    let node = root;
    for (const segment of keySegments(at.slice(key.length))) node = childOf(node, segment);
    node.value = flat[at];
  }
  return root;
}

/** The child of that name, made when it is missing. */
export function childOf<T>(node: Tree<T>, segment: string): Tree<T> {
  const found = node.children.get(segment);
  if (found !== undefined) return found;
  const made = emptyTree<T>();
  node.children.set(segment, made);
  return made;
}

/** The flat map of a tree: the inverse of {@link plant}. */
export function flatten<T>(root: Tree<T>): Record<string, T> {
  const flat: Record<string, T> = {};
  const walk = (node: Tree<T>, key: string): void => {
    if (node.value !== undefined) flat[key] = node.value;
    for (const [segment, child] of node.children) walk(child, `${key}/${segment}`);
  };
  for (const [segment, child] of root.children) walk(child, `/${segment}`);
  return flat;
}

/** Whether a node or anything below it holds a value. */
export function holdsAny<T>(node: Tree<T>): boolean {
  if (node.value !== undefined) return true;
  for (const child of node.children.values()) if (holdsAny(child)) return true;
  return false;
}

/** The children of a container in order: elements by id, entries by key. */
export const sortedChildren = <T>(node: Tree<T>): Child<T>[] =>
  [...node.children].sort(([a], [b]) => (a < b ? -1 : 1));

/**
 * The elements of an array, or the entries of a map, that settings say are there, in order. One is there exactly while
 * its own key is set; what is left below a missing one (an edit inside an element that another change set removed)
 * stays hidden: removing an element wins over editing inside it.
 */
export const elementsOf = <T>(node: Tree<T>, kind: "array" | "map"): Child<T>[] =>
  sortedChildren(node).filter(
    ([segment, child]) => child.value !== undefined && isElement(segment) === (kind === "array"),
  );
