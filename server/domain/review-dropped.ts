import { deletionKey, type Patch, type Settings } from "./overlay.ts";
import { keySegments } from "./pointers.ts";
import { fits, type Prop } from "./props.ts";
import type { ReviewSide } from "./review-attributes.ts";
import { ancestorsOf, isBelow, propBelow } from "./review-keys.ts";
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
  const keys = lostKeys(own, patch);
  return keys.length === 0 ? [] : named(keys, head?.settings, own.settings);
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

/** A container is there for what it holds, and that speaks for itself. */
const isHolder = (key: string, keys: readonly string[]): boolean =>
  keys.some((one) => one !== key && isBelow(one, key));

/**
 * The keys of a patch that a layer shows nothing of, though they set something: around them the layer has no element any
 * more, or a subscribed whole, or its schema no such property.
 */
function lostKeys({ props, settings }: ReviewSide, patch: Patch): string[] {
  const said = Object.keys(patch).filter((key) => {
    const setting = patch[key];
    return key.startsWith("/") && setting != null && !("u" in setting);
  });
  const lost = said.filter((key) => isLost(props, settings, key, patch[key]));
  return lost.filter((key) => !isHolder(key, said));
}

function isLost(props: Prop, settings: Settings, key: string, said: Patch[string] = null): boolean {
  let prop: Prop | undefined = props;
  let at = "";
  for (const segment of keySegments(key)) {
    const around = settings[at];
    if (around !== undefined && "s" in around) return true;
    const holder: Prop = prop;
    prop = propBelow(prop, segment);
    if (prop === undefined) return true;
    at += `/${segment}`;
    if ((holder.kind === "array" || holder.kind === "map") && settings[at] === undefined) return true;
  }
  return said !== null && "v" in said && !fits(prop, said.v);
}
