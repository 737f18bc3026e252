import Type from "typebox";

/** A text of a form; what it may be is decided by the row of the contract that takes it. */
export const text = Type.String({ maxLength: 4096 });
/** A text that is never repeated in an answer. */
export const secretText = Type.String({ maxLength: 4096, writeOnly: true });
/** A member that a form may leave out, such as a box that is not ticked. */
export const optional = Type.Optional(text);

/** An empty text of a form is none. */
export const given = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === "" ? undefined : value;

/** The texts of a parsed form, query or path; of a repeated one the last counts. */
export function flatten(parsed: unknown): Readonly<Record<string, string>> {
  if (typeof parsed !== "object" || parsed === null) return {};
  const texts: [string, string][] = [];
  for (const [name, value] of Object.entries(parsed)) {
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    if (typeof last === "string") texts.push([name, last]);
  }
  return Object.fromEntries(texts);
}
