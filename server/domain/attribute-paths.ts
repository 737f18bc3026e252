import { describe, unstorable } from "./json.ts";
import { maximumElements } from "./limits.ts";
import type { Setting, Settings } from "./overlay.ts";
import { elementIdAfter, elementSegment, formatPointer, nameSegment, parseIndex } from "./pointers.ts";
import { expectedBelow, isContainer, type Prop, stepTo } from "./props.ts";
import { refuse } from "./refusal.ts";
import { type Child, childOf, elementsOf, holdsAny, plant, type Tree } from "./tree.ts";

/** A component's settings while a request changes them. */
export interface Draft {
  readonly props: Prop;
  readonly tree: Tree<Setting>;
  readonly newId: () => string;
  /** The elements of the arrays that were looked into, kept in step with the tree: a long list is sorted once. */
  readonly elements: Map<Tree<Setting>, Child<Setting>[]>;
}

/** A draft of these settings. */
export const draftOf = (props: Prop, settings: Settings, newId: () => string): Draft => ({
  props,
  tree: plant(settings),
  newId,
  elements: new Map(),
});

/** The elements of an array in a draft, in order. */
export function elementsIn(draft: Draft, node: Tree<Setting>): Child<Setting>[] {
  const known = draft.elements.get(node);
  if (known !== undefined) return known;
  const found = elementsOf(node, "array");
  draft.elements.set(node, found);
  return found;
}

/** Takes a child away, with everything below it. */
export function removeChild(draft: Draft, node: Tree<Setting>, segment: string): void {
  node.children.delete(segment);
  draft.elements.delete(node);
}

/** Takes all children away. */
export function clearChildren(draft: Draft, node: Tree<Setting>): void {
  node.children.clear();
  draft.elements.delete(node);
}

/** One attribute to be written: its property, its settings, and the pointer that messages name it by. */
export interface Place {
  readonly prop: Prop;
  readonly node: Tree<Setting>;
  readonly pointer: string;
}

/** The setting that says that a container is there. */
export const markerOf = (prop: Prop): Setting => ({ v: prop.kind === "array" ? [] : {} });

/** Goes to the attribute at a path and makes the containers and elements on the way that are missing. */
export function reach(draft: Draft, segments: readonly string[], pointer: string): Place {
  let prop = draft.props;
  let node = draft.tree;
  for (const [depth, segment] of segments.entries()) {
    refuseSubscribed(node, pointer, segments.slice(0, depth));
    const next = stepTo(prop, prop.kind === "array" && segment === "-" ? "0" : segment);
    if (next === undefined) return refuseStep(prop, segment, pointer);
    node = step(draft, prop, node, segment, pointer);
    prop = next;
  }
  return { prop, node, pointer };
}

const refuseStep = (prop: Prop, segment: string, pointer: string): never =>
  refuse(
    "invalidRequest",
    `attributes ${pointer}: expected ${expectedBelow(prop)}, found ${JSON.stringify(segment)}`,
  );

/** Refuses to go below an attribute that is subscribed as a whole. */
function refuseSubscribed(node: Tree<Setting>, pointer: string, segments: readonly string[]): void {
  if (node.value === undefined || !("s" in node.value)) return;
  refuse(
    "invalidRequest",
    `attributes ${pointer}: expected a place that is set here, but ${formatPointer(segments)} is subscribed as a whole; unset that first with {"$source": null}`,
  );
}

function step(
  draft: Draft,
  prop: Prop,
  node: Tree<Setting>,
  segment: string,
  pointer: string,
): Tree<Setting> {
  if (prop.kind === "map") return openEntry(prop, node, segment, pointer);
  if (prop.kind !== "array") return childOf(node, nameSegment(segment));
  const elements = elementsIn(draft, node);
  const index = segment === "-" ? elements.length : (parseIndex(segment) ?? elements.length);
  if (index < elements.length) return elements[index]?.[1] ?? node;
  if (index > elements.length) {
    const most = elements.length === 0 ? "0" : `0 to ${elements.length}`;
    refuse(
      "invalidRequest",
      `attributes ${pointer}: expected a position of ${most}, found ${index}: the array has ${count(elements.length)}`,
    );
  }
  return appendElement(draft, prop, node, pointer);
}

const count = (elements: number): string => (elements === 1 ? "1 element" : `${elements} elements`);

/** A new last element; its own key is set at once, since it is what makes the element be there. */
export function appendElement(draft: Draft, prop: Prop, node: Tree<Setting>, pointer: string): Tree<Setting> {
  const elements = elementsIn(draft, node);
  if (elements.length >= maximumElements) {
    refuse(
      "invalidRequest",
      `attributes ${pointer}: expected at most ${maximumElements} elements in an array`,
    );
  }
  const segment = elementSegment(elementIdAfter(elements.at(-1)?.[0].slice(1), draft.newId()));
  const element = begin(prop, node, segment);
  elements.push([segment, element]);
  return element;
}

/** The entry of a map, made when it is missing. */
export function openEntry(prop: Prop, node: Tree<Setting>, key: string, pointer: string): Tree<Setting> {
  const segment = nameSegment(key);
  const found = node.children.get(segment);
  if (found?.value !== undefined) return found;
  const bad = key === "__proto__" ? "the reserved name __proto__" : unstorable(key);
  if (key === "" || bad !== undefined) {
    refuse("invalidRequest", `attributes ${pointer}: expected a key of a map, found ${bad ?? describe(key)}`);
  }
  if (node.children.size >= maximumElements) {
    refuse("invalidRequest", `attributes ${pointer}: expected at most ${maximumElements} entries in a map`);
  }
  // What another change set left below a removed entry does not come back with a new one of that key.
  node.children.delete(segment);
  return begin(prop, node, segment);
}

function begin(prop: Prop, node: Tree<Setting>, segment: string): Tree<Setting> {
  node.value = markerOf(prop);
  const element = childOf(node, segment);
  element.value = prop.entry && isContainer(prop.entry.kind) ? markerOf(prop.entry) : { u: 1 };
  return element;
}

/**
 * Unsets what a path names: an element goes, a setting makes way for the schema's default, a default is hidden.
 * A path that leads nowhere is already unset.
 */
export function unset(draft: Draft, segments: readonly string[], pointer: string): void {
  let prop = draft.props;
  let node = draft.tree;
  for (const [depth, segment] of segments.entries()) {
    refuseSubscribed(node, pointer, segments.slice(0, depth));
    const next = stepTo(prop, segment);
    if (next === undefined) return;
    const stored = storedSegment(draft, prop, node, segment);
    if (stored === undefined) return;
    const last = depth === segments.length - 1;
    if (last && prop.kind !== "object") {
      removeChild(draft, node, stored);
      return;
    }
    node = childOf(node, stored);
    prop = next;
  }
  node.value = holdsAny(node) ? undefined : { u: 1 };
  clearChildren(draft, node);
}

/** The segment of what is there now; undefined for an element or an entry that is not. */
function storedSegment(draft: Draft, prop: Prop, node: Tree<Setting>, segment: string): string | undefined {
  if (prop.kind === "object") return nameSegment(segment);
  if (prop.kind === "array") return elementsIn(draft, node)[parseIndex(segment) ?? -1]?.[0];
  const stored = nameSegment(segment);
  return node.children.get(stored)?.value === undefined ? undefined : stored;
}
