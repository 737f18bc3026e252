import type { PaneId } from "../../core/model.ts";
import type { ListRow, ListState } from "../../core/parts/list.ts";
import { divide, type Rect } from "../rect.ts";
import type { Role } from "../theme.ts";
import { type Canvas, putRight, putSpans, type Span, span } from "./canvas.ts";

/** A column as it is drawn. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** Cells, or a share of what the others leave, with the cells it needs at least. */
  readonly width: number | { readonly share: number; readonly min: number; readonly max?: number };
  /** Where room is short, columns go in the order of this number, the highest first; 0 never goes. */
  readonly drop: number;
  readonly right?: boolean;
  readonly cell: (row: Row) => readonly Span[];
}

export interface TableLook<Row extends ListRow> {
  readonly columns: readonly Column<Row>[];
  /** The rows in the window. */
  readonly rows: readonly Row[];
  readonly state: ListState;
  readonly list: string;
  readonly pane: PaneId;
  readonly focused: boolean;
  readonly titles: boolean;
  /** How a row changed a moment ago. */
  readonly mark: (row: Row) => Role | null;
  /** A row that is no row of cells but one line over all columns; undefined for the others. */
  readonly line?: ((row: Row) => readonly Span[] | undefined) | undefined;
}

/** Cursor, change mark and a blank stand before the columns. */
const gutter = 3;
const gap = 2;
/** Free cells before the border. */
const margin = 1;

/** Draws the window of a list into a rectangle and makes its rows answer the mouse. */
export function drawTable<Row extends ListRow>(canvas: Canvas, rect: Rect, look: TableLook<Row>): void {
  const { frame, theme } = canvas;
  const placed = placeColumns(rect.w - gutter - margin, look.columns);
  let y = rect.y;
  if (look.titles) {
    for (const { column, x, w } of placed) {
      const arrow = look.state.sort.column === column.id ? (look.state.sort.descending ? "↓" : "↑") : "";
      const title = [span(column.title, "muted"), span(arrow, "key")];
      if (column.right === true) putRight(canvas, rect.x + gutter + x + w, y, title, w);
      else putSpans(canvas, rect.x + gutter + x, y, title, w);
    }
    y++;
  }
  look.rows.forEach((row, index) => {
    const place = look.state.top + index;
    const selected = row.id === look.state.selected && place === look.state.cursor;
    const mark = look.mark(row);
    if (selected) frame.put(rect.x, y, "▸", theme.attr(look.focused ? "key" : "muted"));
    if (mark !== null) frame.put(rect.x + 1, y, "Δ", theme.attr(mark));
    const across = look.line?.(row);
    if (across !== undefined) putSpans(canvas, rect.x + gutter, y, across, rect.w - gutter - margin);
    for (const { column, x, w } of across === undefined ? placed : []) {
      const spans = column.cell(row);
      if (column.right === true) putRight(canvas, rect.x + gutter + x + w, y, spans, w);
      else putSpans(canvas, rect.x + gutter + x, y, spans, w);
    }
    const line = { x: rect.x, y, w: rect.w, h: 1 };
    if (selected && look.focused) frame.restyle(line, theme.selected);
    canvas.targets.push({ rect: line, click: { type: "row", pane: look.pane, list: look.list, place } });
    y++;
  });
  canvas.targets.push({ rect, wheel: (by) => ({ type: "wheel", list: look.list, rows: by * 3 }) });
}

interface Placed<Row> {
  readonly column: Column<Row>;
  readonly x: number;
  readonly w: number;
}

/** The columns that fit, each with its place; what can be spared goes first. */
export function placeColumns<Row>(cells: number, columns: readonly Column<Row>[]): readonly Placed<Row>[] {
  const least = (column: Column<Row>): number =>
    typeof column.width === "number" ? column.width : column.width.min;
  let kept = columns;
  const needed = (): number => kept.reduce((sum, column) => sum + least(column) + gap, -gap);
  while (needed() > cells) {
    const spared = Math.max(...kept.map(({ drop }) => drop));
    if (spared <= 0) break;
    kept = kept.filter(({ drop }) => drop !== spared);
  }
  const spare = Math.max(0, cells - needed());
  const extra = divide(
    spare,
    kept.map(({ width }) => (typeof width === "number" ? 0 : { share: width.share })),
  );
  let x = 0;
  return kept.map((column, index) => {
    const most = typeof column.width === "number" ? column.width : (column.width.max ?? cells);
    const w = Math.min(most, least(column) + (extra[index] ?? 0));
    const placed = { column, x, w };
    x += w + gap;
    return placed;
  });
}
