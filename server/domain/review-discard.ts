import { isArray, isObject, type Json } from "./json.ts";
import { mergeKeys, type Patch, type Setting, type Settings, sameSetting } from "./overlay.ts";
import { formatPointer, isElement, keySegments, nameSegment, parseIndex, parsePointer } from "./pointers.ts";
import type { Prop } from "./props.ts";
import { refuse } from "./refusal.ts";
import { attributeChanges, type ReviewedComponent } from "./review.ts";
import { type ReviewSide, type ShownAttribute, shownAttributes } from "./review-attributes.ts";
import { droppedAttributes, orphanedAttributes } from "./review-dropped.ts";
import { ancestorsOf, covers, isBelow, isElementOf } from "./review-keys.ts";
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
 * Takes one attribute and everything below it out of a patch, so that the change set shows the head's again there and
 * nothing else changes but for containers and elements that were only made for it. Every pointer that the review lists
 * as edited, or as dropped, can go. A {@link Refusal} says of any other what else would have to be discarded, or that
 * the change set does not change the attribute.
 */
export function discardAttribute(discarding: Discarding): Discarded {
  const { patch, pointer } = discarding;
  const listed = attributeChanges(discarding).find((change) => change.pointer === pointer);
  const lost = droppedAttributes(discarding).find((one) => one.pointer === pointer);
  const key =
    listed === undefined ? (lost?.key ?? findKey(discarding)) : listed.edited ? listed.key : undefined;
  if (key === undefined) return refuseUnchanged(discarding, listed === undefined ? [] : [listed.key]);
  if (discarding.isNew && isBelow("/si/name", key)) {
    refuse(
      "invalidRequest",
      `attribute ${pointer}: expected an attribute that a component can do without, found the name of ${quoted(discarding)}; to discard the whole component, leave attribute out`,
    );
  }
  const keys = Object.keys(patch).filter((one) => isBelow(one, key));
  const { left, leftOver } = clearAround(discarding, withoutKeys(patch, keys), key);
  // Where something around it hides it, the attribute does not come back.
  if (listed === undefined && lost === undefined && differsAt(discarding, key, left)) {
    refuseAround(discarding, key);
  }
  return { keys: [...keys, ...leftOver], left };
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
  const keys = Object.keys(patch).filter((one) => isBelow(one, found.key));
  return { keys, left: withoutKeys(patch, keys) };
}

/** Takes away what was only made for a place that is empty now. */
function clearAround(
  discarding: Discarding,
  patch: Patch,
  key: string,
): { readonly left: Patch; readonly leftOver: readonly string[] } {
  let left = patch;
  const leftOver: string[] = [];
  for (const place of ancestorsOf(key)) {
    if (!isLeftOver(discarding, left, place)) continue;
    const isElement = isElementOf(discarding.own.props, place);
    const keys = Object.keys(left).filter((one) => one === place || (isElement && isBelow(one, place)));
    leftOver.push(...keys);
    left = withoutKeys(left, keys);
  }
  return { left, leftOver };
}

/** The stored key that a pointer names which the review does not list; undefined where nothing is changed. */
function findKey(discarding: Discarding): string | undefined {
  const { head, patch } = discarding;
  const places = placesOf(discarding, mergeKeys(head?.settings ?? {}, patch));
  const changed = places.filter((place) => Object.keys(patch).some((one) => isBelow(one, place)));
  const key = changed.find((place) => differsAt(discarding, place, patch)) ?? changed[0];
  return key ?? refuseUnchanged(discarding, places);
}

/** A patch without some of its keys. */
function withoutKeys(patch: Patch, keys: readonly string[]): Patch {
  const gone = new Set(keys);
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !gone.has(key)));
}

/** Whether a container, or an element that is one, is only there because of what was just taken out. */
function isLeftOver({ head, own }: Discarding, patch: Patch, key: string): boolean {
  const setting: Setting | null | undefined = Object.hasOwn(patch, key) ? patch[key] : undefined;
  if (setting == null || !("v" in setting) || !isContainerValue(setting.v)) return false;
  if (head !== undefined && Object.hasOwn(head.settings, key)) return false;
  return !Object.entries(patch).some(
    ([one, said]) => one !== key && isBelow(one, key) && sets(own.props, one, said),
  );
}

const isContainerValue = (value: Json): boolean => isArray(value) || isObject(value);

/** Whether a patch puts something there, not only takes it away; an element is there also without a value. */
const sets = (props: Prop, key: string, said: Setting | null): boolean =>
  said !== null && (!("u" in said) || isElementOf(props, key));

/** What a pointer may name, by stored key: what the change set has there, then what only the head has. */
function placesOf({ head, pointer }: Discarding, settings: Settings): string[] {
  const segments = parsePointer(pointer);
  if (segments === undefined || segments.length === 0) {
    return refuse(
      "invalidRequest",
      `attribute: expected a path such as /domain/size, found ${JSON.stringify(pointer.slice(0, 100))}; to discard the whole component, leave attribute out`,
    );
  }
  let places: readonly Spot[] = [{ key: "", own: plant(settings), head: plant(head?.settings ?? {}) }];
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

/** Whether something else is set at or below a place with a patch than in the head. */
function differsAt({ own: { props }, head }: Discarding, key: string, patch: Patch): boolean {
  const shown = (settings: Settings): ReadonlyMap<string, ShownAttribute> =>
    shownAttributes({ props, settings, vals: {}, exists: () => true });
  const settings = head?.settings ?? {};
  const [now, wanted] = [shown(mergeKeys(settings, patch)), shown(settings)];
  return [...now.keys(), ...wanted.keys()].some((one) => {
    const [is, was] = [now.get(one)?.setting, wanted.get(one)?.setting];
    const same = is === undefined || was === undefined ? is === was : sameSetting(is, was);
    return !same && isBelow(one, key);
  });
}

function refuseAround(discarding: Discarding, key: string): never {
  const { patch, pointer } = discarding;
  const around = ancestorsOf(key).find((ancestor) => Object.hasOwn(patch, ancestor));
  const depth = around === undefined ? 0 : keySegments(around).length;
  const name = formatPointer((parsePointer(pointer) ?? []).slice(0, depth));
  return refuse(
    "invalidRequest",
    `attribute ${pointer}: expected an attribute that can go back by itself, but ${name} around it is changed as a whole in ${quoted(discarding)}: discard ${name}`,
  );
}

function refuseUnchanged(discarding: Discarding, places: readonly string[]): never {
  const { own, patch, pointer } = discarding;
  const hidden = places.find((place) =>
    ancestorsOf(place).some((ancestor) => covers(own.props, patch, ancestor) !== undefined),
  );
  if (hidden !== undefined) return refuseAround(discarding, hidden);
  return refuse(
    "invalidRequest",
    `attribute ${pointer}: expected an attribute that the change set edits, found none in ${quoted(discarding)}; a value that only follows from others goes back with the edit that it follows from`,
  );
}

const quoted = ({ name }: Discarding): string => JSON.stringify(name);
