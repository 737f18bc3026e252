import { eastAsianWidth } from "get-east-asian-width";

/**
 * Cell widths on which every terminal and multiplexer agrees: controls vanish, marks that do not compose with
 * their base are dropped, emoji sequences show their first emoji only, and flags become one symbol.
 */
export interface Glyph {
  readonly ch: string;
  readonly width: 1 | 2;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const plain = /^[\x20-\x7e]*$/;
/** Marks, joiners, direction controls, variation selectors, soft hyphen and byte order mark: no cell of their own. */
const weightless = /^(?:\p{M}|[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff])$/u;
/** Terminal sequences (CSI, OSC, two-byte escapes), so that data can never move the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const sequences = /\x1b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -~]?)/g;
const flagSymbol: Glyph = { ch: "⚑", width: 1 };
const replacement: Glyph = { ch: "\ufffd", width: 1 };

const cache = new Map<string, Glyph | null>();
/** Distinct graphemes remembered; about 100 bytes each, so half a megabyte at most. */
const cacheLimit = 5_000;

/** True when every character is printable ASCII, one cell each. */
export const isPlain = (text: string): boolean => plain.test(text);

/** The visible glyphs of a text, terminal sequences and controls removed. */
export function* glyphs(text: string): Generator<Glyph> {
  for (const { segment } of segmenter.segment(clean(text))) {
    const glyph = glyphOf(segment);
    if (glyph !== null) yield glyph;
  }
}

/** How many cells a text takes. */
export function width(text: string): number {
  if (isPlain(text)) return text.length;
  let cells = 0;
  for (const glyph of glyphs(text)) cells += glyph.width;
  return cells;
}

/** The text cut to at most `cells` cells, ending in `…` when something is missing. */
export function shorten(text: string, cells: number): string {
  if (cells <= 0) return "";
  if (width(text) <= cells) return text;
  let kept = "";
  let used = 0;
  for (const glyph of glyphs(text)) {
    if (used + glyph.width > cells - 1) break;
    kept += glyph.ch;
    used += glyph.width;
  }
  return `${kept}…`;
}

/** The text in lines of at most `cells` cells, nothing left out; none for an empty text. */
export function wrap(text: string, cells: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const glyph of glyphs(text)) {
    if (used + glyph.width > cells && line !== "") {
      lines.push(line);
      line = "";
      used = 0;
    }
    line += glyph.ch;
    used += glyph.width;
  }
  return line === "" ? lines : [...lines, line];
}

/** The text without terminal sequences; line breaks and tabs become spaces. */
export const clean = (text: string): string =>
  isPlain(text) ? text : text.replace(sequences, "").replace(/\r?\n|[\t\r\v\f]/g, " ");

function glyphOf(grapheme: string): Glyph | null {
  const known = cache.get(grapheme);
  if (known !== undefined) return known;
  const glyph = measure(grapheme);
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(grapheme, glyph);
  return glyph;
}

function measure(grapheme: string): Glyph | null {
  const point = grapheme.codePointAt(0) ?? 0;
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return null;
  if (point >= 0xd800 && point <= 0xdfff) return replacement;
  if (point >= 0x1f1e6 && point <= 0x1f1ff) return flagSymbol;
  const base = String.fromCodePoint(point);
  if (weightless.test(base)) return null;
  const composed = grapheme.normalize("NFC");
  const ch = [...composed].length === 1 ? composed : base;
  return { ch, width: eastAsianWidth(ch.codePointAt(0) ?? point) };
}
