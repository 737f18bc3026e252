import type { Term } from "./search-query.ts";

/** A value of an attribute as search sees it, texts in lower case; undefined where there is no value of its own. */
export type Searchable = string | number | boolean | null | undefined;

const foreign = /[\u0080-\uffff]/;

/** The text with the letters A to Z in lower case, and no others. */
export const asciiLower = (text: string): string =>
  foreign.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text.toLowerCase();

/** Tells whether a text, in lower case, is what a term looks for. */
export function textTest(term: Term): (lower: string) => boolean {
  const wanted = asciiLower(term.text);
  if (term.how === "equals") return (lower) => lower === wanted;
  if (term.how === "begins") return (lower) => lower.startsWith(wanted);
  const pieces = wanted.split("*").filter((piece) => piece !== "");
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return (lower) => lower.includes(only);
  return (lower) => inOrder(lower, pieces);
}

function inOrder(text: string, pieces: readonly string[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    const at = text.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return true;
}

/** Tells whether a value is what a term looks for; what is no text is compared as a whole, quoted or not. */
export function valueTest(term: Term): (value: Searchable) => boolean {
  const isText = textTest(term);
  const word = asciiLower(term.text);
  const isNumber = numberTest(term.text);
  return (value) => {
    if (typeof value === "string") return isText(value);
    if (typeof value === "number") return isNumber(value);
    if (typeof value === "boolean") return word === (value ? "true" : "false");
    return value === null && word === "null";
  };
}

/** A number as JSON writes it, with what makes it more than a whole one. */
const jsonNumber = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** `1` is a whole number and `1.0` is not: a term matches values of its own kind, as the API shows them. */
function numberTest(text: string): (value: number) => boolean {
  const read = jsonNumber.exec(text);
  if (read === null) return () => false;
  const isWhole = read[1] === undefined && read[2] === undefined;
  const wanted = Number(text);
  return (value) => value === wanted && Number.isInteger(value) === isWhole;
}
