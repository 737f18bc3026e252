/** Any JSON value, read only. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

/** A JSON object, read only. */
export type JsonObject = { readonly [member: string]: Json };

/** Whether `value` is a JSON object: neither null nor an array. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether `value` is a JSON array; narrower than `Array.isArray`, which loses the element type. */
export const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** The own member of an object, undefined when there is none; never something inherited. */
export const memberOf = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** JSON text that is the same for equal values, whatever the order of their members. */
export function canonical(value: Json): string {
  if (isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(",")}}`;
}

/** Whether two JSON values are equal; the order of members does not matter. */
export const sameJson = (a: Json, b: Json): boolean => a === b || canonical(a) === canonical(b);

/** Whether arrays and objects nest deeper than `limit`; it never recurses. */
export function isDeeperThan(value: Json, limit: number): boolean {
  const open: { readonly value: Json; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue;
    if (next.depth === limit) return true;
    for (const inner of Object.values(next.value)) open.push({ value: inner, depth: next.depth + 1 });
  }
  return false;
}

/** Whether a person can read a name in a list and type it again: something visible, and no control characters. */
export const isReadable = (name: string): boolean => /\S/.test(name) && !/\p{Cc}/u.test(name);

/** Why a text cannot be kept: no database of ours stores a zero character, no wire half a surrogate pair. */
export function unstorable(text: string): string | undefined {
  if (text.includes("\u0000")) return "a zero character (U+0000)";
  return text.isWellFormed() ? undefined : "half of a surrogate pair";
}

/** Longest text that is quoted in a message. */
const maximumQuote = 40;

/** What a value is, in words for a message: `the string "abc"`, `an array of 3`, `null`. */
export function describe(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "string") {
    if (value === "") return "an empty string";
    return value.length > maximumQuote
      ? `a string of ${value.length} characters`
      : `the string ${JSON.stringify(value)}`;
  }
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "boolean") return String(value);
  return isArray(value) ? `an array of ${value.length}` : "an object";
}
