import { unstorable } from "./json.ts";
import { refuse } from "./refusal.ts";

/** What a raw key says about itself by its form alone. */
export type KeyKind = "personal" | "collective";

/** What a personal key begins with. */
export const personalPrefix = "svc_";
/** What a collective token begins with. */
export const collectivePrefix = "svc_org_";

/** The kind of a raw key by its exact form, `svc_` or `svc_org_` and 32 hexadecimal digits; undefined for anything else. */
export function keyKind(raw: string): KeyKind | undefined {
  if (/^svc_[0-9a-f]{32}$/.test(raw)) return "personal";
  return /^svc_org_[0-9a-f]{32}$/.test(raw) ? "collective" : undefined;
}

/** Characters of a key that are kept and shown to tell keys apart: the prefix and 4 to 8 digits of 32. */
const startLength = 12;

/** The part of a raw key that is kept in the clear: its first 12 characters. */
export const keyStart = (raw: string): string => raw.slice(0, startLength);

/** A raw key fit to be shown: its first 12 characters, dots, its last 4; nothing of one too short to hide. */
export const maskKey = (raw: string): string =>
  raw.length < startLength + 8 ? "…" : `${keyStart(raw)}…${raw.slice(-4)}`;

/** Longest name of a key, in UTF-16 units. */
const maximumKeyName = 32;

/** The name of a key, checked: 1 to 32 characters; null and undefined stand for none. */
export function checkKeyName(name: string | null | undefined): string | null {
  if (name === null || name === undefined) return null;
  if (name.length >= 1 && name.length <= maximumKeyName && unstorable(name) === undefined) return name;
  return refuse(
    "invalidNameLength",
    `name: expected 1 to ${maximumKeyName} characters, found ${name.length === 0 ? "none" : name.length}`,
  );
}

/** The prefix asked for in a request, checked: personal keys have one prefix only. */
export function checkKeyPrefix(prefix: string | null | undefined): string {
  if (prefix === null || prefix === undefined || prefix === personalPrefix) return personalPrefix;
  return refuse(
    "invalidPrefix",
    `prefix: expected ${personalPrefix} or none, found ${JSON.stringify(prefix.slice(0, 40))}`,
  );
}

/** Longest life of a key that expires: 365 days, in seconds. */
const maximumLifeSeconds = 365 * 24 * 60 * 60;

/** The life of a key in seconds, checked: one second to 365 days; null for ever. */
export function checkExpiresIn(seconds: number | null | undefined): number | null {
  if (seconds === null || seconds === undefined) return null;
  if (!(seconds >= 1)) refuse("expiresInTooSmall", `expiresIn: expected at least 1 second, found ${seconds}`);
  if (seconds > maximumLifeSeconds) {
    refuse(
      "expiresInTooLarge",
      `expiresIn: expected at most ${maximumLifeSeconds} seconds (365 days), found ${seconds}`,
    );
  }
  return seconds;
}

/** Personal keys that a user may have, revoked and expired ones counted: more than anybody tells apart. */
const maximumKeys = 1_000;

/** Throws `keyLimitReached` where a user who has `count` keys gets no further one. */
export function checkKeyCount(count: number): void {
  if (count >= maximumKeys) {
    refuse(
      "keyLimitReached",
      `a user has at most ${maximumKeys} keys, revoked and expired ones counted, found ${count}: delete those that are not needed any more`,
    );
  }
}

/** States of a key that is still there. */
export type KeyState = "Created" | "Enabled" | "Revoked";

/** Whether a key lets its bearer in at a time in milliseconds: enabled, and before its expiry. */
export const admits = (state: KeyState, expiresAt: number | null, now: number): boolean =>
  state === "Enabled" && (expiresAt === null || now < expiresAt);
