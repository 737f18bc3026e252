import { ApiError } from "../contract/errors.ts";
import { nearMiss } from "../lib/near-miss.ts";
import { Problem } from "../lib/problem.ts";
import { toFailure, usageProblem } from "./failure.ts";

/** `name=value` split at the first `=`; throws `usage` naming where it stood. */
export function splitPair(text: string, where: string, hint?: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at <= 0) throw usageProblem(`${where}: expected name=value, got "${text}"`, hint);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** A text as the JSON value it spells, else as itself: `8080` is a number, `"8080"` in quotes a text, `web` a text. */
export function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The attributes that `/domain/path=value` arguments and --unset paths ask for; undefined when there are none. */
export function attributesOf(
  assignments: readonly string[],
  unset: readonly string[] = [],
): Readonly<Record<string, unknown>> | undefined {
  const entries = assignments.map((text): [string, unknown] => {
    const [path, value] = splitPair(text, "attribute", "a path, =, and a value: /domain/port=8080");
    return [pathOf(path), readValue(value)];
  });
  const cleared = unset.map((path): [string, unknown] => [pathOf(path), { $source: null }]);
  const all = [...entries, ...cleared];
  const twice = all.find(([path], index) => all.findIndex(([other]) => other === path) !== index);
  if (twice !== undefined) throw usageProblem(`attribute: "${twice[0]}" is named twice`);
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

function pathOf(text: string): string {
  if (/^\/[^/]/.test(text)) return text;
  throw usageProblem(`attribute: expected a path like /domain/port, got "${text}"`);
}

/** The server's sentence about a name that is not there: the path, the names there are, and the one it found. */
const unknownName = /^attributes (\S+): expected one of (.+), found "([^"]*)"$/s;

/** Passes an answer on; a refusal of an attribute gets the nearest path that would do as its hint, else `otherwise`. */
export async function withAttributeHint<T>(answer: Promise<T>, otherwise: string | undefined): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiError) || !error.message.startsWith("attributes")) throw error;
    const { message, code, hint } = toFailure(error);
    throw new Problem(message, { code, hint: nearestPath(message) ?? hint ?? otherwise, cause: error });
  }
}

function nearestPath(message: string): string | undefined {
  const [, path, names, found] = unknownName.exec(message) ?? [];
  if (path === undefined || names === undefined || found === undefined) return undefined;
  const near = nearMiss(found, names.split(", "));
  if (near === undefined) return undefined;
  return `did you mean ${path
    .split("/")
    .map((part) => (part === found ? near : part))
    .join("/")}?`;
}
