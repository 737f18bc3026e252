import { partsOfSide } from "../../core/sides.ts";
import type { Rect } from "../rect.ts";
import type { Role } from "../theme.ts";
import { shorten, width, wrap } from "../width.ts";
import { type Canvas, putSpans, type Span, span } from "./canvas.ts";

/** What stands at the foot of a list about its selected row. */
export interface Sides {
  readonly title: string;
  /** Each value with its label, from top to bottom. */
  readonly values: readonly { readonly label: string; readonly text: string; readonly role: Role }[];
}

/** A value in its role, and dim after it whose it is. */
export function sideSpans(text: string, role: Role): readonly Span[] {
  const { value, link } = partsOfSide(text);
  const gap = value !== "" && link !== "" ? "  " : "";
  return [
    ...(value === "" ? [] : [span(value, role)]),
    ...(link === "" ? [] : [span(`${gap}${link}`, "muted")]),
  ];
}

const labelCells = 6;

/** Draws a rule with the title, and below it the values, wrapped; what has no room even so ends in `…`. */
export function drawSides(canvas: Canvas, rect: Rect, sides: Sides | undefined): void {
  const { frame, theme } = canvas;
  frame.put(rect.x, rect.y, "─".repeat(rect.w), theme.attr("border"), rect.w);
  if (sides === undefined) return;
  putSpans(canvas, rect.x + 2, rect.y, [span(` ${sides.title} `, "muted")], rect.w - 4);
  const cells = rect.w - labelCells - 4;
  const blocks = sides.values.map(({ text, role }) => linesOf(text, role, cells));
  let y = rect.y + 1;
  let left = rect.h - 1;
  sides.values.forEach(({ label }, index) => {
    // Each value may take what the ones after it leave, and at least its share.
    const later = blocks.slice(index + 1).reduce((sum, lines) => sum + lines.length, 0);
    const room = Math.max(left - later, Math.ceil(left / (blocks.length - index)));
    const lines = cut(blocks[index] ?? [], room, cells);
    putSpans(canvas, rect.x + 3, y, [span(label, "muted")], labelCells);
    for (const line of lines) putSpans(canvas, rect.x + 3 + labelCells, y++, line, cells);
    left -= lines.length;
  });
}

type Lines = readonly (readonly Span[])[];

/** Value and source in one line where they fit, else each wrapped in lines of its own. */
function linesOf(text: string, role: Role, cells: number): Lines {
  if (width(text) <= cells) return [sideSpans(text, role)];
  const { value, link } = partsOfSide(text);
  const wrapped = (part: string, as: Role): Lines => wrap(part, cells).map((line) => [span(line, as)]);
  return [...wrapped(value, role), ...wrapped(link, "muted")];
}

function cut(lines: Lines, room: number, cells: number): Lines {
  if (lines.length <= room) return lines;
  const last = lines[room - 1]?.map((part) => ({ ...part, text: `${shorten(part.text, cells - 1)}…` }));
  return last === undefined ? [] : [...lines.slice(0, room - 1), last];
}
