import { describe, isReadable } from "./json.ts";
import { refuse } from "./refusal.ts";

/** Longest name of a workspace token, in UTF-16 units. */
const maximumName = 64;

/** The name of a workspace token, checked: 1 to 64 characters that can be read; null and undefined stand for none. */
export function checkTokenName(name: string | null | undefined): string | undefined {
  if (name === null || name === undefined) return undefined;
  if (name.length <= maximumName && isReadable(name)) return name;
  return refuse(
    "badRequest",
    `name: expected 1 to ${maximumName} characters that can be read, found ${describe(name)}`,
  );
}

/** Seconds of each unit; a year is 365 days. */
const units: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 7 * 86_400,
  y: 365 * 86_400,
};
/** How long a token lives where nobody says: 30 days. */
const defaultSeconds = 30 * 86_400;
const maximumSeconds = 365 * 86_400;

/** How long a new token lives, in whole seconds, of what a request says: `90d`. Throws `badRequest`. */
export function tokenLifeOf(expiration: string | null | undefined): number {
  const text = expiration?.trim().toLowerCase() ?? "never";
  if (text === "never" || text === "0") return defaultSeconds;
  const [, count = "", unit = ""] = /^(\d{1,9})([smhdwy])$/.exec(text) ?? [];
  const seconds = Number(count) * (units[unit] ?? 0);
  if (seconds >= 1 && seconds <= maximumSeconds) return seconds;
  return refuse(
    "badRequest",
    `expiration: expected a time such as 12h, 90d or 1y, at most one year, found ${describe(expiration ?? "")}`,
  );
}
