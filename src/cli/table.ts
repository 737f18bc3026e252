import { eastAsianWidth } from "get-east-asian-width";
import { printable } from "../lib/text.ts";

export { printable };

/** One column of a table; `text` is what a row shows there. */
export interface Column<T> {
  readonly title: string;
  readonly text: (row: T) => string;
}

const segments = new Intl.Segmenter("en", { granularity: "grapheme" });

/** How many cells a text takes on a terminal. */
export function cellWidth(text: string): number {
  let width = 0;
  for (const { segment } of segments.segment(text)) {
    const point = segment.codePointAt(0) ?? 0;
    // A second code point that asks for the picture form makes the whole two cells wide.
    width += segment.includes("\ufe0f") ? 2 : eastAsianWidth(point);
  }
  return width;
}

/** Cells of every row, titles first, padded to one width; the last column is left as it is. */
export function aligned<T>(columns: readonly Column<T>[], rows: readonly T[]): string[] {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => printable(column.text(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => cellWidth(line[index] ?? ""))));
  return cells.map((line) =>
    line
      .map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - cellWidth(cell)))
      .join("  ")
      .trimEnd(),
  );
}

/** The same for programs: one line a row, tabs between cells, no titles. */
export const tabbed = <T>(columns: readonly Column<T>[], rows: readonly T[]): string[] =>
  rows.map((row) => columns.map((column) => printable(column.text(row))).join("\t"));
