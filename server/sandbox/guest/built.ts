/** A plain object that a builder made. */
export type Built = Record<string, unknown>;

/** What `build()` gave, and a sentence when the builder itself was handed over. */
export function built(value: unknown, where: string): Built {
  if (typeof value === "object" && value !== null && "build" in value && typeof value.build === "function")
    throw new TypeError(`${where} takes what build() returns: call .build() on the builder`);
  if (typeof value !== "object" || value === null)
    throw new TypeError(
      `${where} takes what a builder's build() returns, got ${value === null ? "null" : typeof value}`,
    );
  return value as Built; // An object, checked above.
}

/** `value` if it is one of `allowed`, else a sentence with all of them. */
export function oneOf(value: unknown, allowed: readonly string[], where: string): string {
  if (typeof value === "string" && allowed.includes(value)) return value;
  throw new TypeError(`${where} takes one of ${allowed.join(", ")}, got ${JSON.stringify(value)}`);
}

/** Appends to a list member that is there only once something is in it. */
export function append(object: Built, member: string, value: unknown): void {
  const list = object[member];
  object[member] = [...(Array.isArray(list) ? list : []), value];
}

/** A socket's or secret's annotations with one more, as the schema keeps them: trimmed, in lower case. */
export const annotation = (text: unknown): string => String(text).trim().toLowerCase();
