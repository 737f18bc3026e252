import { deletionKey, type Patch, type Settings } from "./overlay.ts";
import { fits } from "./props.ts";
import type { ReviewSide } from "./review-attributes.ts";
import { ancestorsOf, hiddenIn, isBelow, propAt } from "./review-keys.ts";
import { nameKeys } from "./review-names.ts";

/** An edit that is without effect. */
export interface DroppedAttribute {
  readonly key: string;
  readonly pointer: string;
}

/** The edits of a patch that are without effect, because the head has removed or covered their place. */
export function droppedAttributes({
  head,
  own,
  patch,
}: {
  readonly head: ReviewSide | undefined;
  readonly own: ReviewSide;
  readonly patch: Patch;
}): DroppedAttribute[] {
  const lost = lostKeys(own, patch);
  if (lost.length === 0) return [];
  const said = Object.keys(patch).filter((key) => setsAnything(patch, key));
  return named(
    lost.filter((key) => !isHolder(key, said)),
    head?.settings,
    own.settings,
  );
}

/** The edits of a component that the head has removed; undefined when there are none, but for a deletion mark. */
export function orphanedAttributes(patch: Patch, isUpgraded = false): DroppedAttribute[] | undefined {
  const said = Object.keys(patch).filter((key) => key !== deletionKey);
  if (said.length === 0 && !isUpgraded) return undefined;
  const removed = new Set(said.filter((key) => patch[key] === null));
  const keys = said.filter((key) => key.startsWith("/") && !ancestorsOf(key).some((one) => removed.has(one)));
  return named(keys.filter((key) => removed.has(key) || !isHolder(key, keys)));
}

const named = (keys: readonly string[], head?: Settings, own?: Settings): DroppedAttribute[] => {
  const names = nameKeys(head, own, keys);
  return keys.map((key) => ({ key, pointer: names.get(key) ?? key }));
};

/**
 * The keys that go with an edit that is without effect: all at and below it, and around it the containers that are
 * without effect too, and hold nothing else.
 */
export function keysDroppedWith(patch: Patch, key: string, lost: (key: string) => boolean): string[] {
  const gone = new Set(Object.keys(patch).filter((one) => isBelow(one, key)));
  for (const place of ancestorsOf(key)) {
    const isHeld = Object.keys(patch).some(
      (one) => one !== place && isBelow(one, place) && !gone.has(one) && setsAnything(patch, one),
    );
    if (isHeld) break;
    if (Object.hasOwn(patch, place) && lost(place)) gone.add(place);
  }
  return [...gone];
}

/** A container is there for what it holds, and that speaks for itself. */
const isHolder = (key: string, keys: readonly string[]): boolean =>
  keys.some((one) => one !== key && isBelow(one, key));

/**
 * The keys of a patch that a layer shows nothing of, though they set something: around them the layer has no element any
 * more, or a subscribed whole, or its schema no such property.
 */
export function lostKeys({ props, settings }: ReviewSide, patch: Patch): string[] {
  const isHidden = hiddenIn(props, settings);
  return Object.keys(patch).filter((key) => {
    const said = patch[key];
    if (said == null || !setsAnything(patch, key)) return false;
    const prop = propAt(props, key);
    return prop === undefined || ("v" in said && !fits(prop, said.v)) || isHidden(key);
  });
}

function setsAnything(patch: Patch, key: string): boolean {
  const said = patch[key];
  return key.startsWith("/") && said != null && !("u" in said);
}
