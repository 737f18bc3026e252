import { type Json, sameJson } from "./json.ts";
import type { Patch } from "./overlay.ts";
import type { ReviewSide } from "./review-attributes.ts";

/**
 * The properties of the first two levels at or below which two sides may show something else: most edits touch few of
 * them, and looking at the rest is most of the work of a comparison.
 */
export interface Places {
  /** Keys of properties of either level. */
  readonly keys: ReadonlySet<string>;
  /** Keys of those of the first level of which everything counts. */
  readonly wholes: ReadonlySet<string>;
}

/** The places that a patch, and what follows from others, touches; undefined for all of them. */
export function touchedPlaces(head: ReviewSide, own: ReviewSide, patch: Patch): Places | undefined {
  // Of another variant anything may be another property.
  if (head.props !== own.props) return undefined;
  const [keys, wholes] = [new Set<string>(), new Set<string>()];
  const touch = (key: string): void => {
    const top = topOf(key);
    keys.add(top);
    keys.add(placeOf(key));
    // What is said of a top as a whole counts for all of its members.
    if (key === top || Object.hasOwn(head.settings, top) || Object.hasOwn(own.settings, top)) wholes.add(top);
  };
  for (const key of Object.keys(patch)) touch(key);
  for (const key of Object.keys(own.vals)) if (!same(head.vals[key], own.vals[key])) touch(key);
  for (const key of Object.keys(head.vals)) if (!Object.hasOwn(own.vals, key)) touch(key);
  for (const key of Object.keys(own.settings)) {
    const setting = own.settings[key];
    if (setting === undefined || !("s" in setting)) continue;
    if (head.exists(setting.s[0]) !== own.exists(setting.s[0])) touch(key);
  }
  return { keys, wholes };
}

const same = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || (typeof a === "object" && typeof b === "object" && sameJson(a, b));

/** The first `depth` segments of a key. */
function start(key: string, depth: number): string {
  let end = 0;
  for (let n = 0; n < depth && end >= 0; n++) end = key.indexOf("/", end + 1);
  return end < 0 ? key : key.slice(0, end);
}
const topOf = (key: string): string => start(key, 1);
const placeOf = (key: string): string => start(key, 2);

/** Whether a place that holds a key, or that is one, is touched. */
export const isTouched = ({ keys, wholes }: Places, key: string): boolean =>
  keys.has(placeOf(key)) || (wholes.size > 0 && wholes.has(topOf(key)));

/** What a flat map holds in places. */
export function withinPlaces<T>(
  flat: Readonly<Record<string, T>>,
  places: Places | undefined,
): Readonly<Record<string, T>> {
  if (places === undefined) return flat;
  const found: Record<string, T> = {};
  for (const key of Object.keys(flat)) {
    const value = flat[key];
    if (value !== undefined && key.startsWith("/") && isTouched(places, key)) found[key] = value;
  }
  return found;
}
