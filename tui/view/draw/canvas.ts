import type { Message } from "../../core/message.ts";
import type { Attr } from "../attr.ts";
import { withBold } from "../attr.ts";
import type { Frame } from "../frame.ts";
import type { Rect } from "../rect.ts";
import type { ChartSpec, Target } from "../scene.ts";
import { type SymbolName, symbols } from "../symbols.ts";
import type { Role, Theme } from "../theme.ts";
import { shorten, width } from "../width.ts";

/** What a view draws on: cells, and beside them what answers the mouse and where charts go. */
export interface Canvas {
  readonly frame: Frame;
  readonly theme: Theme;
  readonly targets: Target<Message>[];
  readonly charts: ChartSpec[];
  readonly over: Rect[];
}

/** A piece of text with its meaning. */
export interface Span {
  readonly text: string;
  readonly role?: Role;
  readonly bold?: boolean;
}

export const span = (text: string, role: Role = "text"): Span => ({ text, role });

const attrFor = (theme: Theme, { role, bold }: Span): Attr => {
  const attr = theme.attr(role ?? "text");
  return bold === true ? withBold(attr) : attr;
};

/** Writes spans after each other, at most `max` cells, the last that fits shortened; returns the column after them. */
export function putSpans(canvas: Canvas, x: number, y: number, spans: readonly Span[], max: number): number {
  let column = x;
  for (const piece of spans) {
    const left = x + max - column;
    if (left <= 0) break;
    column = canvas.frame.put(column, y, shorten(piece.text, left), attrFor(canvas.theme, piece), left);
  }
  return column;
}

/** Writes spans so that they end before column `end`; returns the column where they start. */
export function putRight(
  canvas: Canvas,
  end: number,
  y: number,
  spans: readonly Span[],
  max: number,
): number {
  const cells = Math.min(max, spansWidth(spans));
  putSpans(canvas, end - cells, y, spans, cells);
  return end - cells;
}

export const spansWidth = (spans: readonly Span[]): number =>
  spans.reduce((sum, { text }) => sum + width(text), 0);

/** The symbol of a state as this terminal shows it. */
export function symbol(canvas: Canvas, name: SymbolName): Span {
  const { glyph, ascii, role } = symbols[name];
  return { text: canvas.theme.ascii ? ascii : glyph, role };
}

/** A number as people read it: 3,120. */
export const count = (value: number): string => value.toLocaleString("en-US");

/** A number with its noun: `1 change set`, `3 change sets`. */
export const counted = (value: number, noun: string, nouns = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : nouns}`;
