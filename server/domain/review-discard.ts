import { mergeKeys, type Patch, type Setting } from "./overlay.ts";
import { isElement, nameSegment, parseIndex, parsePointer } from "./pointers.ts";
import { refuse } from "./refusal.ts";
import { type AttributeChange, attributeChanges, type ReviewedComponent } from "./review.ts";
import { type ReviewSide, shownAttributes } from "./review-attributes.ts";
import { droppedAttributes, keysDroppedWith, lostKeys, orphanedAttributes } from "./review-dropped.ts";
import { ancestorsOf, isBelow, isElementOf } from "./review-keys.ts";
import { holdersIn } from "./review-wholes.ts";
import { elementsOf, plant, type Tree } from "./tree.ts";

/** A component of which one attribute is to go back to what the head says. */
export interface Discarding extends ReviewedComponent {
  readonly name: string;
  readonly own: ReviewSide;
  readonly patch: Patch;
  /** Whether it is new in the change set. */
  readonly isNew: boolean;
  /** As the review names it. */
  readonly pointer: string;
}

/** What goes: stored keys of the patch; and the patch that is left. */
export interface Discarded {
  readonly keys: readonly string[];
  readonly left: Patch;
}

/**
 * Takes one attribute and everything below it out of a patch, so that the change set shows the head's again there. Every
 * pointer that the review lists as edited, or as dropped, can go, and no other difference changes by it; a container
 * that holds several differences takes them all back. A {@link Refusal} says of any other what else would have to be
 * discarded, or that the change set does not change the attribute.
 */
export function discardAttribute(discarding: Discarding): Discarded {
  const { own, patch, pointer } = discarding;
  const changes = attributeChanges(discarding);
  const listed = changes.find((change) => change.pointer === pointer);
  if (listed?.edited === false) return refuseUnchanged(discarding);
  const dropped =
    listed === undefined && droppedAttributes(discarding).find((one) => one.pointer === pointer);
  if (dropped) {
    const lost = new Set(lostKeys(own, patch));
    return discarded(
      patch,
      keysDroppedWith(patch, dropped.key, (key) => lost.has(key)),
    );
  }
  const key = listed?.key ?? findKey(discarding, changes);
  if (discarding.isNew && isBelow("/si/name", key)) {
    refuse(
      "invalidRequest",
      `attribute ${pointer}: expected an attribute that a component can do without, found the name of ${quoted(discarding)}; to discard the whole component, leave attribute out`,
    );
  }
  return discarded(patch, keysGoneWith(discarding, key));
}

/** Takes one attribute out of the patch of a component that the head has removed; refuses one that is not dropped. */
export function discardOrphaned(name: string, patch: Patch, pointer: string): Discarded {
  const found = orphanedAttributes(patch)?.find((one) => one.pointer === pointer);
  if (found === undefined) {
    return refuse(
      "invalidRequest",
      `attribute ${pointer}: expected an attribute that the review lists as dropped: the head has removed ${JSON.stringify(name)}; to forget all that was edited of it, leave attribute out`,
    );
  }
  return discarded(
    patch,
    keysDroppedWith(patch, found.key, () => true),
  );
}

function discarded(patch: Patch, keys: readonly string[]): Discarded {
  const gone = new Set(keys);
  return { keys, left: Object.fromEntries(Object.entries(patch).filter(([key]) => !gone.has(key))) };
}

/**
 * The keys that go with a place: all at and below it, and what the patch says of the containers and new elements around
 * it that hold nothing any more, neither here nor in the head: that would show only now.
 */
function keysGoneWith({ head, own, patch }: Discarding, key: string): string[] {
  const inHead = holdersIn(head === undefined ? new Map() : shownAttributes({ ...head, vals: {} }));
  let gone = Object.keys(patch).filter((one) => isBelow(one, key));
  for (const place of ancestorsOf(key)) {
    const { left } = discarded(patch, gone);
    const settings = mergeKeys(head?.settings ?? {}, left);
    if (inHead.has(place) || holdersIn(shownAttributes({ ...own, settings, vals: {} })).has(place)) break;
    const isNew = isElementOf(own.props, place) && head?.settings[place] === undefined;
    gone = [...gone, ...Object.keys(left).filter((one) => (isNew ? isBelow(one, place) : one === place))];
  }
  return gone;
}

/** The stored key that a pointer names which the review does not list; refuses where nothing is changed. */
function findKey(discarding: Discarding, changes: readonly AttributeChange[]): string {
  const { head, patch, pointer } = discarding;
  const places = placesAt(
    pointer,
    plant(mergeKeys(head?.settings ?? {}, patch)),
    plant(head?.settings ?? {}),
  );
  const around = changes.find(({ key }) => places.some((place) => place !== key && isBelow(place, key)));
  if (around?.edited === true) {
    return refuse(
      "invalidRequest",
      `attribute ${pointer}: expected an attribute that can go back by itself, but ${around.pointer} around it is changed as a whole in ${quoted(discarding)}: discard ${around.pointer}`,
    );
  }
  const changed = places.filter((place) => Object.keys(patch).some((key) => isBelow(key, place)));
  const holds = (place: string): boolean => changes.some(({ key, edited }) => edited && isBelow(key, place));
  return changed.find(holds) ?? changed[0] ?? refuseUnchanged(discarding);
}

/** What a pointer may name, by stored key: what the change set has there, then what only the head has. */
function placesAt(pointer: string, own: Tree<Setting>, head: Tree<Setting>): string[] {
  const segments = parsePointer(pointer);
  if (segments === undefined || segments.length === 0) {
    return refuse(
      "invalidRequest",
      `attribute: expected a path such as /domain/size, found ${JSON.stringify(pointer.slice(0, 100))}; to discard the whole component, leave attribute out`,
    );
  }
  let places: readonly Spot[] = [{ key: "", own, head }];
  for (const segment of segments) places = places.flatMap((place) => stepsTo(place, segment));
  return places.map(({ key }) => key);
}

interface Spot {
  readonly key: string;
  readonly own: Tree<Setting> | undefined;
  readonly head: Tree<Setting> | undefined;
}

function stepsTo(spot: Spot, segment: string): Spot[] {
  const [own, head] = [elementsIn(spot.own), elementsIn(spot.head)];
  const to = (stored: string): Spot => ({
    key: `${spot.key}/${stored}`,
    own: spot.own?.children.get(stored),
    head: spot.head?.children.get(stored),
  });
  if (own.length + head.length === 0) return [to(nameSegment(segment))];
  if (isElement(segment)) return own.includes(segment) || head.includes(segment) ? [to(segment)] : [];
  const position = parseIndex(segment) ?? -1;
  const found = [own[position], head[position]].filter((element) => element !== undefined);
  return [...new Set(found)].map(to);
}

const elementsIn = (node: Tree<Setting> | undefined): string[] =>
  node === undefined ? [] : elementsOf(node, "array").map(([segment]) => segment);

function refuseUnchanged(discarding: Discarding): never {
  return refuse(
    "invalidRequest",
    `attribute ${discarding.pointer}: expected an attribute that the change set edits, found none in ${quoted(discarding)}; a value that only follows from others goes back with the edit that it follows from`,
  );
}

const quoted = ({ name }: Discarding): string => JSON.stringify(name);
