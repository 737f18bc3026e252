import { isReadable, unstorable } from "./json.ts";
import { refuse } from "./refusal.ts";

/** Tokens that a collective may have, revoked and expired ones counted. */
const maximumTokens = 25;

/** Throws `tokenLimitReached` where a collective that has `count` tokens takes no further one. */
export function checkTokenCount(count: number): void {
  if (count >= maximumTokens) {
    refuse(
      "tokenLimitReached",
      `a collective has at most ${maximumTokens} tokens, revoked and expired ones counted, found ${count}: delete one that is not needed any more`,
    );
  }
}

/** Longest name of a token, in UTF-16 units. */
const maximumName = 64;

/** The name of a token, without blanks around it. Throws `invalidRequest`. */
export function checkTokenName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length <= maximumName && isReadable(trimmed) && unstorable(trimmed) === undefined)
    return trimmed;
  return refuse(
    "invalidRequest",
    `name: expected 1 to ${maximumName} characters on one line, found ${JSON.stringify(name.slice(0, 40))}`,
  );
}

/** What a request says about the end of a token: an instant, or seconds from now; null and undefined say nothing. */
export interface TokenExpiry {
  readonly expiresAt?: string | null | undefined;
  readonly expiresIn?: number | null | undefined;
}

/**
 * When a token ends, in milliseconds; undefined for never. Throws `expiryNotAhead` for an instant that is not after
 * `now`, `invalidRequest` for two ends, or one that no calendar has.
 */
export function readTokenExpiry({ expiresAt, expiresIn }: TokenExpiry, now: number): number | undefined {
  const [at, seconds] = [expiresAt ?? undefined, expiresIn ?? undefined];
  if (at !== undefined && seconds !== undefined)
    refuse("invalidRequest", "expiresAt: expected it or expiresIn, found both");
  if (at === undefined && seconds === undefined) return undefined;
  const end = at === undefined ? now + Math.round((seconds ?? 0) * 1000) : instantOf(at);
  const found = JSON.stringify(at ?? seconds);
  const member = at === undefined ? "expiresIn" : "expiresAt";
  if (!Number.isFinite(end) || end > lastInstant)
    refuse("invalidRequest", `${member}: expected a time such as 2030-01-31T12:00:00Z, found ${found}`);
  if (end <= now) refuse("expiryNotAhead", `${member}: expected a time in the future, found ${found}`);
  return end;
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
/** Milliseconds since the epoch; NaN for what is no RFC 3339. */
const instantOf = (text: string): number => (rfc3339.test(text) ? Date.parse(text) : Number.NaN);

/** The last millisecond that RFC 3339 can write: the end of the year 9999. */
const lastInstant = 253_402_300_799_999;

/** Throws `invalidRequest` for any limit on what a token may do: there are none here, and ignoring one would look like consent. */
export function checkScopes(scopes: readonly string[] | null | undefined): void {
  const limits = (scopes ?? []).filter((scope) => scope !== "*");
  if (limits.length > 0) {
    refuse(
      "invalidRequest",
      `scopes: expected "*" or nothing, since tokens have all rights of their collective, found ${JSON.stringify(limits[0]?.slice(0, 40))}`,
    );
  }
}
