/** The members of a mirrored item whose shape nobody has checked. */
export type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null;
const none: readonly never[] = [];

/** The members of anything; none when it is no object. */
export const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});

/** The text, or an empty one for anything else. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The text, or null for an empty one and for anything else. */
export const textOrNull = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

/** A number that counts something; 0 for anything else. */
export const countOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;

/** Reads each entry of a list; none of what is no list, always the same empty one. */
export function mapped<T>(value: unknown, read: (members: Members) => T): readonly T[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : none;
  return entries.length === 0 ? none : entries.map((entry) => read(membersOf(entry)));
}

/** The texts of a list; what is none is left out. */
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) && value.length > 0
    ? value.filter((entry): entry is string => typeof entry === "string")
    : none;
