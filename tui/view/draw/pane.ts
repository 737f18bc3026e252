import { inside, type Rect } from "../rect.ts";
import { type Canvas, putRight, putSpans, type Span, span, spansWidth } from "./canvas.ts";

export interface PaneLook {
  readonly title: readonly Span[];
  /** At the right end of the upper border. */
  readonly note?: readonly Span[];
  /** At the right end of the lower border. */
  readonly foot?: readonly Span[];
  readonly focused?: boolean;
}

/** Draws a border with its title and returns what is inside it. */
export function drawPane(canvas: Canvas, rect: Rect, look: PaneLook): Rect {
  const { frame, theme } = canvas;
  const border = theme.attr(look.focused === true ? "focus" : "border");
  const { x, y, w, h } = rect;
  const across = "─".repeat(Math.max(0, w - 2));
  frame.put(x, y, `┌${across}┐`, border, w);
  for (let row = y + 1; row < y + h - 1; row++) {
    frame.put(x, row, "│", border);
    frame.put(x + w - 1, row, "│", border);
  }
  frame.put(x, y + h - 1, `└${across}┘`, border, w);
  const title = [span(" "), ...look.title, span(" ")];
  const end = putSpans(canvas, x + 2, y, title, w - 4);
  put(canvas, look.note, x + w - 2, y, x + w - 2 - end - 1);
  put(canvas, look.foot, x + w - 2, y + h - 1, w - 4);
  return inside(rect);
}

/** A note on a border; it is left out where it would not fit whole. */
function put(canvas: Canvas, note: readonly Span[] | undefined, end: number, y: number, max: number): void {
  if (note === undefined || note.length === 0) return;
  const spans = [span(" "), ...note, span(" ")];
  if (spansWidth(spans) <= max) putRight(canvas, end, y, spans, max);
}
