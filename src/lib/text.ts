/** Characters that move what stands around them instead of being seen: controls, line ends, overrides of direction. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

const written = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
const isBlank = (character: string): boolean => character === "\n" || character === "\t";

/** A foreign text with its control characters shown instead of obeyed, on one line. */
export const printable = (text: string): string =>
  text.replace(controls, (character) => (isBlank(character) ? " " : written(character)));

/** The same of a text of several lines, which keeps its line ends and tabs. */
export const printableLines = (text: string): string =>
  text.replace(controls, (character) => (isBlank(character) ? character : written(character)));
