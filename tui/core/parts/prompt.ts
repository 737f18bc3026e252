/** One line that is being typed; the cursor counts characters as people do not split them. */
export interface Line {
  readonly text: string;
  readonly cursor: number;
}

export const lineOf = (text: string): Line => ({ text, cursor: [...text].length });

/** The line after a key, or null when the key does not edit lines. */
export function editLine(line: Line, key: string, typed: string | undefined): Line | null {
  const letters = [...line.text];
  const { cursor } = line;
  const make = (next: readonly string[], at: number): Line => ({
    text: next.join(""),
    cursor: Math.max(0, Math.min(at, next.length)),
  });
  const without = (from: number, to: number): Line =>
    make([...letters.slice(0, from), ...letters.slice(to)], from);
  switch (key) {
    case "left":
      return make(letters, cursor - 1);
    case "right":
      return make(letters, cursor + 1);
    case "home":
      return make(letters, 0);
    case "end":
    case "C-e":
      return make(letters, letters.length);
    case "backspace":
    case "C-h":
      return cursor === 0 ? line : without(cursor - 1, cursor);
    case "delete":
      return without(cursor, cursor + 1);
    case "C-u":
      return without(0, cursor);
    case "C-w": {
      const kept = letters
        .slice(0, cursor)
        .join("")
        .replace(/\S+\s*$/, "");
      return without([...kept].length, cursor);
    }
    default:
      return typed === undefined ? null : insert(line, typed);
  }
}

/** The line with text put in at the cursor; line breaks become spaces. */
export function insert(line: Line, text: string): Line {
  const letters = [...line.text];
  const added = [...text.replace(/[\r\n\t]+/g, " ")];
  return {
    text: [...letters.slice(0, line.cursor), ...added, ...letters.slice(line.cursor)].join(""),
    cursor: line.cursor + added.length,
  };
}
