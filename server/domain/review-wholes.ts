import type { Json } from "./json.ts";
import type { Settings } from "./overlay.ts";
import type { Prop } from "./props.ts";
import type { ReviewSide, ShownAttribute } from "./review-attributes.ts";
import { ancestorsOf, isBelow, isElementOf, propAt } from "./review-keys.ts";
import { plantBelow } from "./tree.ts";
import { render } from "./values.ts";

/** What one side shows, by stored key. */
export type Shown = ReadonlyMap<string, ShownAttribute>;

/** Both sides of a comparison, and what was put together for it. */
export interface Folded {
  readonly before: Shown;
  readonly after: Shown;
  /** By the key of a whole: the keys that it was put together from. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
}

/**
 * Puts together what goes, and comes back, only as a whole: all that the head has in an element that is removed here,
 * below what is subscribed here as a whole, or below what is unset here; and the defaults that show because such a
 * subscription, or unsetting, of the head's is gone here. So each attribute that is left can be taken back by itself.
 */
export function foldWholes(head: ReviewSide, own: ReviewSide, before: Shown, after: Shown): Folded {
  const gone = groups(before, after, (key) => closedAt(key, head.props, own.settings, after));
  const come = groups(after, before, (key) => closedAt(key, own.props, head.settings, before));
  for (const [whole, keys] of come) {
    // What somebody set there can be taken back by itself, and an element that is new is no whole of the head's.
    const isPlain = keys.every((key) => after.get(key)?.setting === undefined);
    if (!isPlain || isElementOf(own.props, whole)) come.delete(whole);
  }
  return {
    before: withWholes(before, head.props, gone),
    after: withWholes(after, own.props, come),
    parts: new Map([...gone, ...come]),
  };
}

/** The keys that only these have, by the whole that they go into. */
function groups(
  these: Shown,
  others: Shown,
  wholeOf: (key: string) => string | undefined,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const key of these.keys()) {
    if (others.has(key)) continue;
    const whole = wholeOf(key);
    if (whole === undefined) continue;
    const known = found.get(whole);
    if (known === undefined) found.set(whole, [key]);
    else known.push(key);
  }
  for (const [whole, [first, second]] of found)
    if (first === whole && second === undefined) found.delete(whole);
  return found;
}

/** The outermost place at or above a key that settings close to all that is below it. */
function closedAt(key: string, props: Prop, settings: Settings, shown: Shown): string | undefined {
  return [...ancestorsOf(key).reverse(), key].find((place) => {
    const setting = Object.hasOwn(settings, place) ? settings[place] : undefined;
    if (setting === undefined) return isElementOf(props, place);
    if ("s" in setting) return true;
    return "u" in setting && ![...shown.keys()].some((one) => one !== place && isBelow(one, place));
  });
}

function withWholes(shown: Shown, props: Prop, wholes: ReadonlyMap<string, readonly string[]>): Shown {
  if (wholes.size === 0) return shown;
  const wholeOf = new Map([...wholes].flatMap(([whole, keys]) => keys.map((key) => [key, whole] as const)));
  const folded = new Map<string, ShownAttribute>();
  for (const [key, attribute] of shown) {
    const whole = wholeOf.get(key);
    if (whole === undefined) folded.set(key, attribute);
    else if (!folded.has(whole)) folded.set(whole, together(shown, props, whole, wholes.get(whole) ?? []));
  }
  return folded;
}

/** The whole that attributes make: set where one of them is. */
function together(shown: Shown, props: Prop, whole: string, keys: readonly string[]): ShownAttribute {
  const values: Record<string, Json> = {};
  for (const key of keys) {
    const value = shown.get(key)?.value;
    if (value !== undefined) values[key] = value;
  }
  const prop = propAt(props, whole);
  const tree = plantBelow(values, Object.keys(values), whole);
  const value = (prop && tree && render(prop, tree)) ?? null;
  const isSet = keys.some((key) => shown.get(key)?.setting !== undefined);
  return { setting: isSet ? { v: value } : undefined, value };
}
