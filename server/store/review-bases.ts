import type { Setting, Settings } from "../domain/overlay.ts";
import { hashOf } from "./component-rows.ts";

/** Characters kept of a hash: 96 bits, so that two of them never agree by chance. */
const fingerprintLength = 16;

/** Stands for what settings say at and below a key: equal exactly where they say the same, empty for nothing. */
export type Fingerprint = (key: string) => string;

/** The fingerprints of some settings; each is made when it is first asked for, and then kept. */
export function fingerprintsIn(settings: Settings): Fingerprint {
  const known = new Map<string, string>();
  let keys: readonly string[] | undefined;
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    keys ??= Object.keys(settings).sort();
    const made = fingerprint(settings, keys, key);
    known.set(key, made);
    return made;
  };
}

function fingerprint(settings: Settings, keys: readonly string[], key: string): string {
  const own = settings[key];
  const said = own === undefined ? [] : [["", textOf(own)]];
  const below = `${key}/`;
  // Keys below one another stand side by side in their order.
  for (let at = firstFrom(keys, below); keys[at]?.startsWith(below) === true; at++) {
    const one = keys[at] ?? "";
    const setting = settings[one];
    if (setting !== undefined) said.push([one.slice(key.length), textOf(setting)]);
  }
  return said.length === 0 ? "" : hashOf(JSON.stringify(said)).slice(0, fingerprintLength);
}

/** The position of the first of sorted keys that does not come before a text. */
function firstFrom(keys: readonly string[], text: string): number {
  let [from, to] = [0, keys.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((keys[middle] ?? "") < text) from = middle + 1;
    else to = middle;
  }
  return from;
}

const textOf = (setting: Setting): string =>
  "s" in setting ? JSON.stringify([...setting.s, setting.f ?? null]) : JSON.stringify(setting);

/** Between the parts of a base; neither numbers nor base64url have it. */
const separator = ".";

/**
 * What is remembered of the head when a key is edited in a change set: the edit's revision, and the fingerprints of the
 * places from the outermost down to the key itself. Any of these can turn out to be one difference later.
 */
export const baseOf = (head: Fingerprint, key: string, rev: number): string =>
  [rev, ...placesTo(key).map(head)].join(separator);

/** The places that a key lies in, from the outermost down to itself; one that is no path lies in none. */
function placesTo(key: string): string[] {
  const places: string[] = [];
  for (let end = key.indexOf("/", 1); end > 0 && key.startsWith("/"); end = key.indexOf("/", end + 1))
    places.push(key.slice(0, end));
  return [...places, key];
}

/**
 * Whether the head says something else at or below a place than when one of these keys, which lie there, was last
 * edited. What nobody remembers has not moved.
 */
export function movedSince(
  bases: ReadonlyMap<string, string> | undefined,
  head: Fingerprint,
  place: string,
  keys: readonly string[],
): boolean {
  let latest: { readonly rev: number; readonly said: string } | undefined;
  const depth = placesTo(place).length;
  for (const key of keys) {
    const [rev = "", ...fingerprints] = bases?.get(key)?.split(separator) ?? [];
    const said = fingerprints[depth - 1];
    if (said === undefined || (latest !== undefined && latest.rev >= Number(rev))) continue;
    latest = { rev: Number(rev), said };
  }
  return latest !== undefined && latest.said !== head(place);
}
