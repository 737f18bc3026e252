import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import { maximumBatch } from "../domain/limits.ts";

/** The id of a path or of a body: read in any letter case; what cannot be one names no component. */
export const componentIdOf = (text: string): string =>
  looksLikeUlid(text)
    ? text.toUpperCase()
    : fail("componentNotFound", `no component has the id ${show(text)}`);

/** The ids of a batch in the order given; a batch that is too large, or names one twice, is refused. */
export function batchOf(member: string, texts: readonly string[]): string[] {
  if (texts.length > maximumBatch) {
    fail("invalidRequest", `${member}: expected at most ${maximumBatch} components, found ${texts.length}`);
  }
  const ids = texts.map((text) => (looksLikeUlid(text) ? text.toUpperCase() : unknownIn(member, text)));
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) fail("invalidRequest", `${member}: expected each component once, found ${id} twice`);
    seen.add(id);
  }
  return ids;
}

/** Refuses an id in a batch that names no component. */
export const unknownIn = (member: string, text: string): never =>
  fail("invalidRequest", `${member}: no component of this change set has the id ${show(text)}`);

const show = (text: string): string => JSON.stringify(text.slice(0, 100));
