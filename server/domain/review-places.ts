import { type Json, sameJson } from "./json.ts";
import type { Patch } from "./overlay.ts";
import type { ReviewSide } from "./review-attributes.ts";

/**
 * The properties of the first two levels at or below which two sides may show something else: most edits touch few of
 * them, and looking at the rest is most of the work of a comparison.
 */
export type Places = ReadonlySet<string>;

/** The places that a patch, and what follows from others, touches; undefined for all of them. */
export function touchedPlaces(head: ReviewSide, own: ReviewSide, patch: Patch): Places | undefined {
  // Of another variant anything may be another property.
  if (head.props !== own.props) return undefined;
  const places = new Set<string>();
  const touch = (key: string): void => {
    const end = key.indexOf("/", 1);
    const top = end < 0 ? key : key.slice(0, end);
    places.add(top);
    // What is said of a top as a whole counts for all of its members.
    const whole = end < 0 || Object.hasOwn(head.settings, top) || Object.hasOwn(own.settings, top);
    places.add(whole ? `${top}/*` : placeOf(key));
  };
  for (const key of Object.keys(patch)) touch(key);
  for (const [key, value] of Object.entries(own.vals)) if (!same(head.vals[key], value)) touch(key);
  for (const key of Object.keys(head.vals)) if (!Object.hasOwn(own.vals, key)) touch(key);
  for (const [key, setting] of Object.entries(own.settings)) {
    if ("s" in setting && head.exists(setting.s[0]) !== own.exists(setting.s[0])) touch(key);
  }
  return places;
}

const same = (a: Json | undefined, b: Json): boolean =>
  a === b || (typeof a === "object" && a !== null && sameJson(a, b));

function placeOf(key: string): string {
  const end = key.indexOf("/", key.indexOf("/", 1) + 1);
  return end < 0 ? key : key.slice(0, end);
}

/** Whether a place that holds a key, or that is one, is touched. */
export function isTouched(places: Places | undefined, key: string): boolean {
  if (places === undefined) return true;
  const end = key.indexOf("/", 1);
  if (end < 0) return places.has(key);
  return places.has(placeOf(key)) || places.has(`${key.slice(0, end)}/*`);
}

/** What a flat map holds in places. */
export const withinPlaces = <T>(
  flat: Readonly<Record<string, T>>,
  places: Places | undefined,
): Readonly<Record<string, T>> =>
  places === undefined
    ? flat
    : Object.fromEntries(
        Object.entries(flat).filter(([key]) => key.startsWith("/") && isTouched(places, key)),
      );
