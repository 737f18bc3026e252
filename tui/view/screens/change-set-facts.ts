import type { ChangeSetRow } from "../../core/change-set-rows.ts";
import { healthOf } from "../../core/health.ts";
import { changeSetRows, changeSetsKey, listOf, stateOf } from "../../core/lists.ts";
import type { Model } from "../../core/model.ts";
import { selectedRow } from "../../core/parts/list.ts";
import type { ComponentRow } from "../../core/rows.ts";
import { type Canvas, count, putSpans, type Span, span, symbol } from "../draw/canvas.ts";
import { staleNote } from "../draw/list-pane.ts";
import { drawPane } from "../draw/pane.ts";
import type { Rect } from "../rect.ts";
import { actions, changeSetStatus, deedText, difference, lastDeed } from "./cells.ts";

const label = (text: string): Span => span(text.padEnd(12), "muted");

/** The change set under the cursor. */
export function selectedChangeSet(model: Model): ChangeSetRow | undefined {
  const list = listOf(model, changeSetsKey);
  return list === undefined ? undefined : selectedRow(stateOf(model, list), changeSetRows(model));
}

/** What the change set under the cursor is, and how far it is from being applied. */
export function drawChangeSetFacts(canvas: Canvas, rect: Rect, model: Model): void {
  const row = selectedChangeSet(model);
  const inner = drawPane(canvas, rect, {
    title: [{ text: row?.name ?? "nothing selected", role: "title" }],
    note: staleNote(model),
    ...(row === undefined ? {} : { foot: [span(row.id, "muted")] }),
  });
  if (row === undefined) return;
  factLines(canvas, model, row, inner.h)
    .slice(0, inner.h)
    .forEach((line, index) => {
      putSpans(canvas, inner.x + 1, inner.y + index, line, inner.w - 2);
    });
  if (healthOf(model).stale) canvas.frame.restyle(inner, canvas.theme.dimmed);
}

function factLines(
  canvas: Canvas,
  model: Model,
  row: ChangeSetRow,
  height: number,
): readonly (readonly Span[])[] {
  const table = model.mirror.components.get(row.id);
  const lines: readonly (readonly Span[])[] = [
    [label("status"), ...changeSetStatus(canvas, row)],
    ...deedLines(model, row),
    [
      label("components"),
      row.components === undefined ? span("loading…", "muted") : span(count(row.components)),
    ],
    ...(row.isHead ? [] : [[label("differs"), ...difference(canvas, row), ...attributesNote(row)]]),
    ...movedLines(canvas, row),
    ...(row.actions === undefined ? [] : [[label("actions"), ...actions(canvas, row)]]),
  ];
  return row.isHead && table !== undefined
    ? [...lines, ...schemaLines(table.rows, height - lines.length)]
    : lines;
}

/** Who asked, who decided, and in which words. */
function deedLines(model: Model, row: ChangeSetRow): readonly (readonly Span[])[] {
  const deed = lastDeed(row);
  if (deed === undefined) return [];
  const note = row.merge?.note ?? null;
  return [
    [label(`${deed.what} by`), span(deedText(model, deed))],
    ...(note === null || deed.what === "asked" ? [] : [[label("note"), span(note)]]),
  ];
}

const attributesNote = (row: ChangeSetRow): readonly Span[] =>
  row.review === undefined || row.review.attributes === 0
    ? []
    : [span(`  ${count(row.review.attributes)} attributes`, "muted")];

function movedLines(canvas: Canvas, row: ChangeSetRow): readonly (readonly Span[])[] {
  const moved = row.review?.headMoved ?? 0;
  if (moved === 0) return [];
  const mark = symbol(canvas, "moved");
  return [[label("head moved"), mark, span(` under ${count(moved)} of them`, mark.role)]];
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
