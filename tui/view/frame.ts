import { type Attr, plainAttr } from "./attr.ts";
import type { Rect } from "./rect.ts";
import { clean, type Glyph, glyphs, isPlain } from "./width.ts";

/** One ASCII character for each symbol the views draw; whatever is not here becomes `?`. */
const asciiFor: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "┌+ ┐+ └+ ┘+ ├+ ┤+ ┬+ ┴+ ┼+ ─- │| ━= ┃|",
    "›> ‹< ▸> ▹> ◂< ▾v ▴^ •* ·. …~ →> ←< ↑^ ↓v −- –- —- ≠# Δd ▏| ×x",
    "▁. ▂. ▃: ▄- ▅- ▆= ▇= █#",
    "✓v ✗X ●o ○. ◐o ◌. ⊘# ‖| ▲! ▽v △^",
  ]
    .join(" ")
    .split(" ")
    .map((pair) => [...pair])
    .map(([symbol, ascii]) => [symbol ?? "", ascii ?? "?"]),
);

/**
 * A grid of cells, the only thing that views produce. Every row is exactly `cols` cells wide at all times: the cell
 * after a wide glyph holds an empty string, and overwriting one half of a wide glyph blanks the other half.
 */
export class Frame {
  readonly cols: number;
  readonly rows: number;
  readonly ch: string[];
  readonly at: Int32Array;
  readonly #ascii: boolean;

  constructor(cols: number, rows: number, ascii = false) {
    this.cols = cols;
    this.rows = rows;
    this.ch = new Array<string>(cols * rows).fill(" ");
    this.at = new Int32Array(cols * rows).fill(plainAttr);
    this.#ascii = ascii;
  }

  /** Writes text from a cell on, at most `max` cells, never past the row; returns the column after it. */
  put(x: number, y: number, text: string, attr: Attr, max = this.cols - x): number {
    if (y < 0 || y >= this.rows || x < 0) return x;
    const end = Math.min(this.cols, x + Math.max(0, max));
    const drawn = isPlain(text) ? text : clean(text);
    if (isPlain(drawn)) {
      const stop = Math.min(end, x + drawn.length);
      for (let column = x; column < stop; column++) this.#set(column, y, drawn.charAt(column - x), attr);
      return Math.max(x, stop);
    }
    let column = x;
    for (const glyph of glyphs(drawn)) {
      if (column + glyph.width > end) break;
      this.#place(column, y, glyph, attr);
      column += glyph.width;
    }
    return column;
  }

  /** Fills the part of a rectangle that lies on the grid with one narrow character. */
  fill(rect: Rect, ch: string, attr: Attr): void {
    this.#each(rect, (x, y) => this.#set(x, y, this.#narrow(ch), attr));
  }

  /** Changes the look of what stands in a rectangle and leaves the characters. */
  restyle(rect: Rect, change: (attr: Attr) => Attr): void {
    this.#each(rect, (x, y) => {
      const index = y * this.cols + x;
      this.at[index] = change(this.at[index] ?? plainAttr);
    });
  }

  /** The characters of one row. */
  row(y: number): string {
    return this.ch.slice(y * this.cols, (y + 1) * this.cols).join("");
  }

  /** The whole grid as lines of text without trailing blanks. */
  text(): string {
    return Array.from({ length: this.rows }, (_, y) => this.row(y).trimEnd()).join("\n");
  }

  #each(rect: Rect, visit: (x: number, y: number) => void): void {
    const right = Math.min(this.cols, rect.x + rect.w);
    const bottom = Math.min(this.rows, rect.y + rect.h);
    for (let y = Math.max(0, rect.y); y < bottom; y++) {
      for (let x = Math.max(0, rect.x); x < right; x++) visit(x, y);
    }
  }

  #narrow(ch: string): string {
    return this.#ascii && !isPlain(ch) ? (asciiFor[ch] ?? "?") : ch;
  }

  #place(x: number, y: number, glyph: Glyph, attr: Attr): void {
    const ch = this.#narrow(glyph.ch);
    const wide = glyph.width === 2 && ch === glyph.ch;
    this.#set(x, y, wide ? " " : ch, attr);
    if (glyph.width === 1) return;
    this.#set(x + 1, y, " ", attr);
    if (!wide) return;
    const index = y * this.cols + x;
    this.ch[index] = ch;
    this.ch[index + 1] = "";
  }

  #set(x: number, y: number, ch: string, attr: Attr): void {
    const index = y * this.cols + x;
    if (this.ch[index] === "") this.ch[index - 1] = " ";
    if (x + 1 < this.cols && this.ch[index + 1] === "") this.ch[index + 1] = " ";
    this.ch[index] = ch;
    this.at[index] = attr;
  }
}
