import { isArray, isObject } from "./json.ts";
import { mergeKeys, type Patch, type Setting, type Settings, sameSetting } from "./overlay.ts";
import { formatPointer, isElement, keySegments, nameSegment, parseIndex, parsePointer } from "./pointers.ts";
import type { Prop } from "./props.ts";
import { refuse } from "./refusal.ts";
import { type ShownAttribute, shownAttributes } from "./review-attributes.ts";
import { ancestorsOf, covers, isBelow, isElementOf } from "./review-keys.ts";
import { elementsOf, plant, type Tree } from "./tree.ts";

/** A component of which one attribute is to go back to what the head says. */
export interface Discarding {
  readonly name: string;
  readonly props: Prop;
  /** The head's settings, empty for a component that is new in the change set. */
  readonly head: Settings;
  /** What the change set says of it: a patch, or all settings of a new one. */
  readonly patch: Patch;
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
 * nothing else changes but for containers that were only made for it. A {@link Refusal} says what else would have to
 * be discarded, or that the change set does not change the attribute.
 */
export function discardAttribute(discarding: Discarding): Discarded {
  const { head, patch, pointer } = discarding;
  const places = placesOf(discarding, mergeKeys(head, patch));
  const changed = places.filter((place) => Object.keys(patch).some((one) => isBelow(one, place)));
  const key = changed.find((place) => differsAt(discarding, place, patch)) ?? changed[0];
  if (key === undefined) return refuseUnchanged(discarding, places);
  if (discarding.isNew && isBelow("/si/name", key)) {
    refuse(
      "invalidRequest",
      `attribute ${pointer}: expected an attribute that a component can do without, found the name of ${quoted(discarding)}; to discard the whole component, leave attribute out`,
    );
  }
  const keys = Object.keys(patch).filter((one) => isBelow(one, key));
  const without = withoutKeys(patch, keys);
  const markers = ancestorsOf(key).filter((ancestor) => isLeftOver(discarding, without, ancestor));
  const left = withoutKeys(without, markers);
  // Where something around it hides it, the attribute does not come back.
  if (differsAt(discarding, key, left)) refuseAround(discarding, key);
  return { keys: [...keys, ...markers], left };
}

/** A patch without some of its keys. */
function withoutKeys(patch: Patch, keys: readonly string[]): Patch {
  const gone = new Set(keys);
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !gone.has(key)));
}

/** Whether a container is only there because of what was just taken out; an element is something by itself. */
function isLeftOver({ head, props }: Discarding, patch: Patch, key: string): boolean {
  const setting: Setting | null | undefined = Object.hasOwn(patch, key) ? patch[key] : undefined;
  if (setting === undefined || setting === null || !("v" in setting) || Object.hasOwn(head, key))
    return false;
  const isEmpty =
    (isArray(setting.v) && setting.v.length === 0) ||
    (isObject(setting.v) && Object.keys(setting.v).length === 0);
  if (!isEmpty || isElementOf(props, key)) return false;
  return !Object.keys(patch).some((one) => one !== key && isBelow(one, key));
}

/** What a pointer may name, by stored key: what the change set has there, then what only the head has. */
function placesOf({ head, pointer }: Discarding, settings: Settings): string[] {
  const segments = parsePointer(pointer);
  if (segments === undefined || segments.length === 0) {
    return refuse(
      "invalidRequest",
      `attribute: expected a path such as /domain/size, found ${JSON.stringify(pointer.slice(0, 100))}; to discard the whole component, leave attribute out`,
    );
  }
  let places: readonly Spot[] = [{ key: "", own: plant(settings), head: plant(head) }];
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
function differsAt({ props, head }: Discarding, key: string, patch: Patch): boolean {
  const shown = (settings: Settings): ReadonlyMap<string, ShownAttribute> =>
    shownAttributes({ props, settings, vals: {}, exists: () => true });
  const [now, wanted] = [shown(mergeKeys(head, patch)), shown(head)];
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
  const { props, patch, pointer } = discarding;
  const hidden = places.find((place) =>
    ancestorsOf(place).some((ancestor) => covers(props, patch, ancestor) !== undefined),
  );
  if (hidden !== undefined) return refuseAround(discarding, hidden);
  return refuse(
    "invalidRequest",
    `attribute ${pointer}: expected an attribute that the change set edits, found none in ${quoted(discarding)}; a value that only follows from others goes back with the edit that it follows from`,
  );
}

const quoted = ({ name }: Discarding): string => JSON.stringify(name);
