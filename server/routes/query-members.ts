import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";

/** The id that a member of the query is, in any letter case; refuses what is none. */
export const idIn = (text: string, member: string): string =>
  looksLikeUlid(text)
    ? text.toUpperCase()
    : fail("invalidRequest", `query.${member}: expected an id, found ${JSON.stringify(text.slice(0, 100))}`);

/** The one of some words that a member of the query is, in any letter case; refuses what is none. */
export const oneOf = <const Value extends string>(
  values: readonly Value[],
  text: string,
  member: string,
): Value =>
  values.find((value) => value.toLowerCase() === text.toLowerCase()) ??
  fail(
    "invalidRequest",
    `query.${member}: expected one of ${values.join(", ")}, found ${JSON.stringify(text.slice(0, 100))}`,
  );
