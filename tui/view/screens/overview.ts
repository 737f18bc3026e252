import type { AttentionRow } from "../../core/attention-row.ts";
import { attentionKey, attentionRows, changeSetRows, changeSetsKey, listOf } from "../../core/lists.ts";
import type { Model } from "../../core/model.ts";
import { type Canvas, span, symbol } from "../draw/canvas.ts";
import { drawListPane } from "../draw/list-pane.ts";
import type { Column } from "../draw/table.ts";
import type { Layout } from "../layout.ts";
import type { Rect } from "../rect.ts";
import type { ScreenView } from "../screen.ts";
import { actionNumbers } from "./actions.ts";
import { drawActivity, drawChart } from "./activity.ts";
import { age } from "./cells.ts";
import { changeSetColumns } from "./change-set-columns.ts";
import { drawNow } from "./now.ts";

const severities = { failed: "failed", warn: "warn", waiting: "waiting", running: "running" } as const;

function attentionColumns(canvas: Canvas, model: Model): readonly Column<AttentionRow>[] {
  const rows = attentionRows(model).rows;
  const columns: readonly (Column<AttentionRow> & { readonly shown?: boolean })[] = [
    {
      id: "severity",
      title: "WHAT",
      width: 17,
      drop: 0,
      cell: (row) => {
        const mark = symbol(canvas, severities[row.severity]);
        return [mark, span(" "), span(row.what, mark.role)];
      },
    },
    {
      id: "name",
      title: "NAME",
      width: { share: 3, min: 16, max: 48 },
      drop: 0,
      cell: (row) => [span(row.name)],
    },
    {
      id: "why",
      title: "WHY",
      width: { share: 3, min: 14, max: 60 },
      drop: 2,
      shown: rows.some(({ why }) => why !== ""),
      cell: (row) => [span(row.why, "muted")],
    },
    {
      id: "where",
      title: "WHERE",
      width: { share: 2, min: 12, max: 40 },
      drop: 1,
      cell: (row) => [span(row.where, "muted")],
    },
    {
      id: "since",
      title: "SINCE",
      width: 5,
      drop: 3,
      right: true,
      shown: rows.some(({ since }) => since !== undefined),
      cell: (row) => (row.since === undefined ? [] : age(model, row.since)),
    },
  ];
  return columns.filter(({ shown }) => shown !== false);
}

function drawAttention(canvas: Canvas, rect: Rect, model: Model): void {
  const list = listOf(model, attentionKey);
  if (list === undefined) return;
  const known = model.mirror.status !== null && model.mirror.changeSets !== undefined;
  drawListPane(canvas, rect, {
    model,
    pane: "attention",
    list,
    table: known ? attentionRows(model) : undefined,
    columns: attentionColumns(canvas, model),
    title: "Needs you",
    titles: false,
    empty: "Nothing needs you.",
  });
}

function drawChangeSets(canvas: Canvas, rect: Rect, model: Model, isAlone: boolean): void {
  const list = listOf(model, changeSetsKey);
  if (list === undefined) return;
  // Where there is no room for what goes on right now, its actions are told here.
  const numbers = isAlone ? actionNumbers(canvas, model) : [];
  drawListPane(canvas, rect, {
    model,
    pane: "changeSets",
    list,
    table: changeSetRows(model),
    columns: changeSetColumns(canvas, model),
    title: "Change sets",
    more: numbers.length === 0 ? [] : [span("  actions ", "muted"), ...numbers],
    empty: "There is no change set.",
    marks: changeSetsKey,
  });
}

/** The first screen: what waits, what is going on, every change set, and how busy it has been. */
export const overview: ScreenView = {
  id: "overview",
  draw: (canvas: Canvas, { areas }: Layout, model: Model) => {
    if (areas.attention !== undefined) drawAttention(canvas, areas.attention, model);
    if (areas.now !== undefined) drawNow(canvas, areas.now, model);
    if (areas.changeSets !== undefined) {
      drawChangeSets(canvas, areas.changeSets, model, areas.now === undefined);
    }
    if (areas.activity !== undefined) drawActivity(canvas, areas.activity, model);
    if (areas.chart !== undefined) drawChart(canvas, areas.chart, model);
  },
};
