import { asOf, healthOf } from "../../core/health.ts";
import { type BoundList, stateOf } from "../../core/lists.ts";
import { markKey } from "../../core/mirror.ts";
import type { Model, PaneId } from "../../core/model.ts";
import { type ListRow, selectedRow, windowRows } from "../../core/parts/list.ts";
import { windowOf } from "../../core/place.ts";
import type { Table } from "../../core/table.ts";
import { clockText, durationText } from "../../core/time.ts";
import { sidesHeight } from "../layout.ts";
import type { Rect } from "../rect.ts";
import { type Canvas, count, putSpans, type Span, span } from "./canvas.ts";
import { drawPane } from "./pane.ts";
import { drawSides, type Sides } from "./sides.ts";
import { type Column, drawTable, type TableLook } from "./table.ts";

export interface ListPane<Row extends ListRow> {
  readonly model: Model;
  readonly pane: PaneId;
  readonly list: BoundList;
  readonly table: Table<Row> | undefined;
  readonly columns: readonly Column<Row>[];
  readonly title: string;
  /** After the numbers in the title. */
  readonly more?: readonly Span[];
  readonly titles?: boolean;
  /** One sentence for a list that has no rows at all. */
  readonly empty: string;
  /** The mirrored list whose change marks its rows carry. */
  readonly marks?: string;
  /** Rows that are one line over all columns. */
  readonly line?: TableLook<Row>["line"];
  /** What stands at the foot about the selected row, where there is room. */
  readonly sides?: (row: Row) => Sides;
}

/** Draws a list with everything that a list owes: numbers, filter, age of the data, and why it is empty. */
export function drawListPane<Row extends ListRow>(canvas: Canvas, rect: Rect, look: ListPane<Row>): void {
  const { model, pane, list, table } = look;
  const state = stateOf(model, list);
  const focused = model.pane === pane && model.popup === null;
  const shown = state.order.length;
  const total = table?.rows.length ?? 0;
  const numbers = titleNumbers(table === undefined ? undefined : total, shown, state.filter);
  const filter = state.filter === "" ? [] : [span("  "), span(`/${state.filter}`, "key")];
  const window = windowOf(model, pane);
  const last = Math.min(shown, state.top + window);
  const inner = drawPane(canvas, rect, {
    title: [{ text: look.title, role: "title" }, span(numbers, "muted"), ...(look.more ?? []), ...filter],
    note: staleNote(model),
    ...(shown > window
      ? { foot: [span(`${count(state.top + 1)}-${count(last)} of ${count(shown)}`, "muted")] }
      : {}),
    focused,
  });
  const foot = look.sides === undefined ? 0 : sidesHeight(rect);
  drawTable(
    canvas,
    { ...inner, h: inner.h - foot },
    {
      columns: look.columns,
      rows: windowRows(state, table, inner.h === 0 ? 0 : window),
      state,
      list: list.key,
      pane,
      focused,
      titles: look.titles ?? true,
      line: look.line,
      mark: (row) =>
        look.marks !== undefined && model.mirror.marks.has(markKey(look.marks, row.id)) ? "fresh" : null,
    },
  );
  const chosen = selectedRow(state, table);
  if (foot > 0) {
    const at = { ...inner, y: inner.y + inner.h - foot, h: foot };
    drawSides(canvas, at, chosen === undefined ? undefined : look.sides?.(chosen));
  }
  if (healthOf(model).stale) canvas.frame.restyle(inner, canvas.theme.dimmed);
  if (shown === 0) {
    const first = inner.y + (look.titles === false ? 0 : 1);
    putSpans(
      canvas,
      inner.x + 3,
      Math.min(first, inner.y + inner.h - 1),
      whyEmpty(look, total, state.filter),
      inner.w - 4,
    );
  }
}

/** How many rows there are, and of how many when a filter hides some. */
function titleNumbers(total: number | undefined, shown: number, filter: string): string {
  if (total === undefined || (total === 0 && filter === "")) return "";
  return filter === "" ? ` ${count(total)}` : ` ${count(shown)}/${count(total)}`;
}

function whyEmpty<Row extends ListRow>(look: ListPane<Row>, total: number, filter: string): readonly Span[] {
  if (look.table === undefined) {
    const waiting =
      healthOf(look.model).state === "no-daemon" ? "nothing known yet" : `loading ${look.list.nouns}…`;
    return [span(waiting, "muted")];
  }
  if (total === 0) return [span(look.empty, "muted")];
  return [span(`Nothing matches `, "muted"), span(filter, "key"), span(`. esc clears the filter.`, "muted")];
}

/** How old stale data is, for the border of its pane; nothing while it is fresh. */
export function staleNote(model: Model): readonly Span[] {
  const time = asOf(model);
  if (!healthOf(model).stale || time === undefined) return [];
  const age = durationText(model.now - time);
  return [span(`as of ${clockText(time, model.zoneMinutes)} (${age} old)`, "warn")];
}
