import {
  appendElement,
  clearChildren,
  type Draft,
  elementsIn,
  markerOf,
  openEntry,
  type Place,
  removeChild,
} from "./attribute-paths.ts";
import { scalarOf } from "./attribute-scalars.ts";
import { canonical, describe, isArray, isObject, type Json, type JsonObject, memberOf } from "./json.ts";
import { maximumElements } from "./limits.ts";
import type { Setting } from "./overlay.ts";
import { formatPointer, nameSegment, segmentName } from "./pointers.ts";
import { isContainer, type Prop } from "./props.ts";
import { refuse } from "./refusal.ts";
import { childOf, elementsOf, emptyTree, sortedChildren, type Tree } from "./tree.ts";

/** Gives an attribute one setting and nothing below it. */
export function writeOn(draft: Draft, node: Tree<Setting>, setting: Setting): void {
  node.value = setting;
  clearChildren(draft, node);
}

/**
 * Sets a literal. A container becomes exactly the value given; its content keeps the keys that still fit, so that two
 * change sets that replace the same list differ only where their values do.
 */
export function setLiteral(draft: Draft, place: Place, value: Json): void {
  const { prop, node } = place;
  if (value === null) writeOn(draft, node, { u: 1 });
  else if (isContainer(prop.kind)) setContainer(draft, place, value);
  else writeOn(draft, node, { v: scalarOf(prop, place.pointer, value) });
}

function setContainer(draft: Draft, place: Place, value: Json): void {
  const { prop, node } = place;
  node.value = markerOf(prop);
  if (prop.kind === "array") setArray(draft, place, arrayAt(place, value));
  else if (prop.kind === "map") setMap(draft, place, objectAt(place, value));
  else setObject(draft, place, objectAt(place, value));
}

const below = (place: Place, name: string): string => place.pointer + formatPointer([name]);

function objectAt(place: Place, value: Json): JsonObject {
  if (!isObject(value)) {
    return refuse(
      "invalidRequest",
      `attributes ${place.pointer}: expected an object (kind ${place.prop.kind}), found ${describe(value)}`,
    );
  }
  return value;
}

function arrayAt(place: Place, value: Json): readonly Json[] {
  if (!isArray(value)) {
    return refuse(
      "invalidRequest",
      `attributes ${place.pointer}: expected an array, found ${describe(value)}`,
    );
  }
  return checkCount(place, value.length, value);
}

function checkCount<T>(place: Place, count: number, value: T): T {
  if (count <= maximumElements) return value;
  return refuse(
    "invalidRequest",
    `attributes ${place.pointer}: expected at most ${maximumElements} elements, found ${count}`,
  );
}

/** Members that the schema does not know are dropped; those not given go back to the schema's default. */
function setObject(draft: Draft, place: Place, value: JsonObject): void {
  const { prop, node } = place;
  if (Object.hasOwn(value, "$source") && !prop.children.has("$source")) {
    refuse(
      "invalidRequest",
      `attributes ${place.pointer}: expected literals below a literal, found $source; give it a path of its own`,
    );
  }
  for (const member of prop.children.values()) {
    const given = memberOf(value, member.name);
    const segment = nameSegment(member.name);
    if (given === undefined) removeChild(draft, node, segment);
    else
      setLiteral(
        draft,
        { prop: member, node: childOf(node, segment), pointer: below(place, member.name) },
        given,
      );
  }
}

function setMap(draft: Draft, place: Place, value: JsonObject): void {
  const { prop, node } = place;
  const entry = prop.entry;
  if (entry === undefined) return;
  const keys = checkCount(place, Object.keys(value).length, Object.keys(value));
  for (const [segment] of elementsOf(node, "map")) {
    if (!Object.hasOwn(value, segmentName(segment))) removeChild(draft, node, segment);
  }
  for (const key of keys) {
    const child = openEntry(prop, node, key, below(place, key));
    setLiteral(draft, { prop: entry, node: child, pointer: below(place, key) }, memberOf(value, key) ?? null);
  }
}

function setArray(draft: Draft, place: Place, values: readonly Json[]): void {
  const { prop, node } = place;
  const entry = prop.entry;
  if (entry === undefined) return;
  const setElement = (element: Tree<Setting>, index: number): void => {
    const pointer = below(place, String(index));
    setLiteral(draft, { prop: entry, node: element, pointer }, values[index] ?? null);
  };
  const old = [...elementsIn(draft, node)];
  const kept = old.length === 0 ? [] : keptElements(draft, place, entry, values);
  const keptSegments = new Set(kept.map((from) => old[from.element]?.[0]));
  for (const [segment] of old) {
    if (!keptSegments.has(segment)) removeChild(draft, node, segment);
  }
  for (const [index] of values.entries()) {
    const from = kept[index];
    const element = from && old[from.element]?.[1];
    if (element === undefined) setElement(appendElement(draft, prop, node, place.pointer), index);
    else if (!from?.same) setElement(element, index);
  }
}

/** Which old element holds the new value of each leading position, and whether it is the same already. */
type Kept = readonly { readonly element: number; readonly same: boolean }[];

/**
 * Whatever touches fewer elements: keep those that are still there in the same order and append the rest, or write
 * position by position. An element in the middle cannot be made, since elements are ordered by age.
 */
function keptElements(draft: Draft, place: Place, entry: Prop, values: readonly Json[]): Kept {
  const old = elementsIn(draft, place.node).map(([, element]) => canonical(contentOf(entry, element)));
  const wanted = values.map((value, index) => {
    const node = emptyTree<Setting>();
    setLiteral(draft, { prop: entry, node, pointer: below(place, String(index)) }, value);
    return canonical(contentOf(entry, node));
  });
  const ordered: { element: number; same: boolean }[] = [];
  for (let from = 0; ordered.length < wanted.length; from++) {
    from = old.indexOf(wanted[ordered.length] ?? "", from);
    if (from < 0) break;
    ordered.push({ element: from, same: true });
  }
  const positional = old
    .slice(0, wanted.length)
    .map((text, element) => ({ element, same: text === wanted[element] }));
  const touchedInOrder = old.length + wanted.length - 2 * ordered.length;
  const touchedByPosition =
    positional.filter((kept) => !kept.same).length + Math.abs(old.length - wanted.length);
  return touchedInOrder < touchedByPosition ? ordered : positional;
}

/** What settings say, without the identities of elements: equal for equal content. */
function contentOf(prop: Prop, node: Tree<Setting>): Json {
  const setting = (node.value ?? null) as Json; // A setting is JSON by its type's members; only its union hides it.
  const entry = prop.entry;
  if (prop.kind === "array" && entry !== undefined) {
    return [setting, elementsOf(node, "array").map(([, element]) => contentOf(entry, element))];
  }
  const children = prop.kind === "map" ? elementsOf(node, "map") : sortedChildren(node);
  const content = children.map(([segment, child]): Json => {
    const next = prop.kind === "map" ? entry : prop.children.get(segmentName(segment));
    return next === undefined ? segment : [segment, contentOf(next, child)];
  });
  return [setting, content];
}
