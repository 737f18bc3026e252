import type { Identified } from "../table.ts";
import { parseDuration } from "../time.ts";

/** What a filter may ask about a row beyond the row itself. */
export interface Lookup {
  readonly now: number;
  /** When a row last changed, as far as the history goes. */
  readonly changedAt: (id: string) => number | undefined;
}

/** A field that filters may name. */
export type Field<Row> =
  /** Any part of the text, in any letter case. */
  | { readonly kind: "text"; readonly of: (row: Row) => string }
  /** One or several words of a known set; a beginning is enough. */
  | {
      readonly kind: "words";
      readonly values: readonly string[];
      readonly of: (row: Row) => readonly string[];
    }
  /** A time, compared by its age: `age<10m`. */
  | { readonly kind: "age"; readonly of: (row: Row, lookup: Lookup) => number | undefined };
export type Fields<Row> = Readonly<Record<string, Field<Row>>>;

/** A filter that was understood. `timed` ones may give another answer when time passes. */
export interface Filter<Row> {
  readonly test: (row: Row, lookup: Lookup) => boolean;
  readonly timed: boolean;
}

export type Parsed<Row> = { readonly filter: Filter<Row> } | { readonly error: string };

type Test<Row> = (row: Row, lookup: Lookup) => boolean;
interface Named extends Identified {
  readonly sortName: string;
}

const token = /"[^"]*"|(?:[^\s"]|"[^"]*")+/g;
const condition = /^(!?)([A-Za-z]+)(:~|[:<>])(.*)$/;
const bare = (text: string): string => text.replaceAll('"', "");

/**
 * Reads `words fuzzy:on name`, `status:failed`, `schema:~elcache`, `age<10m`, each with `!` before it for the contrary;
 * all conditions must hold. Gives one sentence when a field or a value is not known.
 */
export function parseFilter<Row extends Named>(text: string, fields: Fields<Row>): Parsed<Row> {
  const tests: Test<Row>[] = [];
  let timed = false;
  for (const [part] of text.matchAll(token)) {
    const match = condition.exec(part);
    if (match === null) {
      const negative = part.startsWith("!") && part.length > 1;
      const word = bare(negative ? part.slice(1) : part).toLowerCase();
      tests.push((row) => fuzzy(row.sortName, word) !== negative);
      continue;
    }
    const [, not, name = "", operator = ":", raw = ""] = match;
    const field = fields[name.toLowerCase()];
    if (field === undefined) {
      return { error: `no field ${name}; there are ${Object.keys(fields).join(", ")}` };
    }
    const test = testOf(name, field, operator, bare(raw).toLowerCase());
    if (typeof test === "string") return { error: test };
    timed ||= field.kind === "age";
    tests.push(not === "!" ? (row, lookup) => !test(row, lookup) : test);
  }
  const [only = () => true, ...others] = tests;
  const test: Test<Row> =
    others.length === 0 ? only : (row, lookup) => tests.every((each) => each(row, lookup));
  return { filter: { timed, test } };
}

/** True when the letters of `word` stand in `text` in their order; both in lower case. */
export function fuzzy(text: string, word: string): boolean {
  if (text.includes(word)) return true;
  let from = 0;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}

function testOf<Row>(name: string, field: Field<Row>, operator: string, value: string): Test<Row> | string {
  switch (field.kind) {
    case "text": {
      if (operator === "<" || operator === ">") return `${name} is compared with a colon: ${name}:text`;
      return operator === ":~"
        ? (row) => fuzzy(field.of(row).toLowerCase(), value)
        : (row) => field.of(row).toLowerCase().includes(value);
    }
    case "words": {
      if (operator === "<" || operator === ">")
        return `${name} is compared with a colon: ${name}:${field.values[0]}`;
      if (value !== "" && !field.values.some((known) => known.startsWith(value))) {
        return `${name} is none of ${field.values.join(", ")}: ${value}`;
      }
      return (row) => field.of(row).some((word) => word.startsWith(value));
    }
    case "age": {
      const span = parseDuration(value);
      if (operator === ":" || operator === ":~") return `${name} is compared like ${name}<10m or ${name}>2d`;
      // A number that is not finished being typed matches everything.
      if (span === undefined)
        return /^[\d.]*$/.test(value) ? () => true : `a time ends in s, m, h, d or w: ${value}`;
      return (row, lookup) => {
        const time = field.of(row, lookup);
        if (time === undefined) return false;
        const age = lookup.now - time;
        return operator === "<" ? age < span : age > span;
      };
    }
  }
}

/** The text with its last word completed to a field or a value, as far as the choices agree. */
export function completeFilter<Row>(text: string, fields: Fields<Row>): string {
  const start = Math.max(text.lastIndexOf(" "), text.lastIndexOf("!")) + 1;
  const word = text.slice(start);
  const colon = word.indexOf(":");
  if (colon < 0) {
    const names = Object.entries(fields)
      .filter(([name]) => word !== "" && name.startsWith(word.toLowerCase()))
      .map(([name, field]) => name + (field.kind === "age" ? "<" : ":"));
    return text.slice(0, start) + (common(names) ?? word);
  }
  const field = fields[word.slice(0, colon).toLowerCase()];
  const typed = word.slice(colon + 1).toLowerCase();
  const values = field?.kind === "words" ? field.values.filter((value) => value.startsWith(typed)) : [];
  return text.slice(0, start + colon + 1) + (common(values) ?? word.slice(colon + 1));
}

/** What could stand in the place of the last word, for showing. */
export function choices<Row>(text: string, fields: Fields<Row>): readonly string[] {
  const word = text.slice(text.lastIndexOf(" ") + 1).replace(/^!/, "");
  const [name = "", typed] = word.split(":");
  if (typed === undefined) return Object.keys(fields).filter((field) => field.startsWith(name.toLowerCase()));
  const field = fields[name.toLowerCase()];
  return field?.kind === "words" ? field.values.filter((value) => value.startsWith(typed.toLowerCase())) : [];
}

function common(words: readonly string[]): string | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  let length = first.length;
  for (const word of rest) while (!word.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
