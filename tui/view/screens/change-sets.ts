import { healthOf } from "../../core/health.ts";
import type { ChangeSetRow } from "../../core/kinds.ts";
import { changeSetRows, changeSetsKey, listOf, stateOf } from "../../core/lists.ts";
import type { Model } from "../../core/model.ts";
import { selectedRow } from "../../core/parts/list.ts";
import type { ComponentRow } from "../../core/rows.ts";
import { componentFacts } from "../../core/select.ts";
import { type Canvas, count, putSpans, type Span, span } from "../draw/canvas.ts";
import { drawListPane, staleNote } from "../draw/list-pane.ts";
import { drawPane } from "../draw/pane.ts";
import type { Rect } from "../rect.ts";
import type { ScreenView } from "../screen.ts";
import { changeSetStatus, difference, differenceMark } from "./cells.ts";
import { changeSetColumns } from "./change-set-columns.ts";

const label = (text: string): Span => span(text.padEnd(12), "muted");

/** What the selected change set is about: numbers first, then what differs from the head. */
function previewLines(
  canvas: Canvas,
  model: Model,
  row: ChangeSetRow,
  height: number,
): readonly (readonly Span[])[] {
  const table = model.mirror.components.get(row.id);
  const lines: (readonly Span[])[] = [
    [label("status"), ...changeSetStatus(canvas, row)],
    [label("id"), span(row.id)],
    [label("components"), table === undefined ? span("loading…", "muted") : span(count(table.rows.length))],
  ];
  if (table === undefined) return lines;
  if (row.isHead) return [...lines, [], ...schemaLines(table.rows, height - lines.length - 2)];
  lines.push([label("differs"), ...difference(canvas, row)], []);
  const differing = table.rows.filter(
    (component) => component.difference !== "none" && component.difference !== null,
  );
  differing.sort((a, b) => (a.sortName < b.sortName ? -1 : 1));
  if (differing.length === 0) return [...lines, [span("Everything is as in the head.", "muted")]];
  const room = Math.max(1, height - lines.length - 1);
  const shown = differing.slice(0, differing.length > room ? room - 1 : room);
  const rest = differing.length - shown.length;
  return [
    ...lines,
    ...shown.map((component) => [
      ...differenceMark(canvas, component),
      span(` ${component.name}`),
      span(`  ${component.schema}`, "muted"),
    ]),
    ...(rest === 0 ? [] : [[span(`and ${count(rest)} more`, "muted")]]),
  ];
}

/** The head by schema, the most frequent first. */
function schemaLines(rows: readonly ComponentRow[], height: number): readonly (readonly Span[])[] {
  const counts = new Map<string, number>();
  for (const { schema } of rows) counts.set(schema, (counts.get(schema) ?? 0) + 1);
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, Math.max(0, height))
    .map(([schema, value]) => [span(count(value).padStart(7), "muted"), span(`  ${schema}`)]);
}

function drawPreview(canvas: Canvas, rect: Rect, model: Model): void {
  const list = listOf(model, changeSetsKey);
  const row = list === undefined ? undefined : selectedRow(stateOf(model, list), changeSetRows(model));
  const inner = drawPane(canvas, rect, {
    title: [{ text: row?.name ?? "nothing selected", role: "title" }],
    note: staleNote(model),
  });
  if (row === undefined) return;
  previewLines(canvas, model, row, inner.h)
    .slice(0, inner.h)
    .forEach((line, index) => {
      putSpans(canvas, inner.x + 1, inner.y + index, line, inner.w - 2);
    });
  if (healthOf(model).stale) canvas.frame.restyle(inner, canvas.theme.dimmed);
}

export function drawChangeSetList(canvas: Canvas, rect: Rect, model: Model): void {
  const list = listOf(model, changeSetsKey);
  if (list === undefined) return;
  const table = changeSetRows(model);
  const facts = [...model.mirror.components.values()].map(componentFacts);
  const differing = facts.filter(({ added, modified, removed }) => added + modified + removed > 0).length;
  drawListPane(canvas, rect, {
    model,
    pane: "changeSets",
    list,
    table,
    columns: changeSetColumns(canvas, model),
    title: "Change sets",
    more: differing === 0 ? [] : [span(`  ${count(differing)} differ from the head`, "muted")],
    empty: "There is no change set.",
    marks: changeSetsKey,
  });
}

/** All change sets, beside them what the selected one is about. */
export const changeSets: ScreenView = {
  id: "changeSets",
  draw: (canvas, { areas }, model) => {
    if (areas.changeSets !== undefined) drawChangeSetList(canvas, areas.changeSets, model);
    if (areas.preview !== undefined) drawPreview(canvas, areas.preview, model);
  },
};
