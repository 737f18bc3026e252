import type { ChangeSetRow } from "../../core/change-set-rows.ts";
import {
  changeSetRows,
  changeSetsKey,
  componentRows,
  componentsKey,
  listOf,
  stateOf,
} from "../../core/lists.ts";
import type { Model } from "../../core/model.ts";
import { selectedRow } from "../../core/parts/list.ts";
import type { ComponentRow } from "../../core/rows.ts";
import { changeSetOf, componentFacts, hasHistory, lookupFor } from "../../core/select.ts";
import { find } from "../../core/table.ts";
import { type Canvas, count, type Span, span, symbol } from "../draw/canvas.ts";
import { drawListPane } from "../draw/list-pane.ts";
import type { Column } from "../draw/table.ts";
import type { Rect } from "../rect.ts";
import type { ScreenView } from "../screen.ts";
import { age, componentMarks, difference, differenceMark, qualifications, resource } from "./cells.ts";
import { drawComponentPreview } from "./component-preview.ts";

/** `− delete  ≠ moved  ↑ upgrade` where some component has all of them, less where none has. */
const marksCells = (most: number): number => [9, 9, 19, 28][most] ?? 28;

/** The columns of components; those without any data in this change set are left out. */
function componentColumns(
  canvas: Canvas,
  model: Model,
  changeSetId: string,
): readonly Column<ComponentRow>[] {
  const table = componentRows(model, changeSetId);
  const facts = table === undefined ? undefined : componentFacts(table);
  const lookup = lookupFor(model, changeSetId);
  const checked = facts !== undefined && facts.passed + facts.warned + facts.failed + facts.pending > 0;
  const columns: readonly (Column<ComponentRow> & { readonly shown?: boolean })[] = [
    {
      id: "diff",
      title: "±",
      width: 1,
      drop: 0,
      shown: changeSetOf(model)?.isHead !== true,
      cell: (row) => differenceMark(canvas, row),
    },
    {
      id: "name",
      title: "NAME",
      width: { share: 3, min: 16, max: 60 },
      drop: 0,
      cell: (row) => [span(row.name)],
    },
    {
      id: "schema",
      title: "SCHEMA",
      width: { share: 2, min: 18, max: 40 },
      drop: 5,
      cell: (row) => [span(row.schema, "muted")],
    },
    {
      id: "marks",
      title: "MARKS",
      width: { share: 1, min: marksCells(facts?.mostMarks ?? 0), max: 30 },
      drop: 1,
      shown: (facts?.marked ?? 0) > 0,
      cell: (row) => componentMarks(canvas, row, "short"),
    },
    {
      id: "attributes",
      title: "ATTRS",
      width: 5,
      drop: 3,
      right: true,
      shown: (facts?.attributes ?? 0) > 0,
      cell: (row) => [row.attributes === 0 ? span("–", "muted") : span(count(row.attributes))],
    },
    {
      id: "manages",
      title: "MANAGES",
      width: 7,
      drop: 4,
      right: true,
      shown: (facts?.managers ?? 0) > 0,
      cell: (row) => [row.manages.length === 0 ? span("–", "muted") : span(count(row.manages.length))],
    },
    {
      id: "quals",
      title: "QUALS",
      width: 8,
      drop: 1,
      shown: checked,
      cell: (row) => qualifications(canvas, row),
    },
    {
      id: "resource",
      title: "RESOURCE",
      width: 9,
      drop: 2,
      shown: (facts?.resources ?? 0) > 0,
      cell: (row) => resource(canvas, row),
    },
    {
      id: "changed",
      title: "CHANGED",
      width: 8,
      drop: 6,
      right: true,
      shown: hasHistory(model.mirror, changeSetId),
      cell: (row) => age(model, lookup.changedAt(row.id)),
    },
    { id: "age", title: "AGE", width: 5, drop: 7, right: true, cell: (row) => age(model, row.created) },
  ];
  return columns.filter(({ shown }) => shown !== false);
}

function differenceNote(canvas: Canvas, model: Model, changeSetId: string): readonly Span[] {
  const table = componentRows(model, changeSetId);
  const set = find(changeSetRows(model), changeSetId);
  if (table === undefined || set === undefined || set.isHead) return [];
  const parts = [
    { name: "added", value: set.added },
    { name: "changed", value: set.modified },
    { name: "removed", value: set.removed },
  ] as const;
  // What was erased is counted as removed and has no row any more.
  const erased = Math.max(0, set.removed - componentFacts(table).removed);
  return [
    ...parts
      .filter(({ value }) => value > 0)
      .flatMap(({ name, value }) => {
        const mark = symbol(canvas, name);
        return [span("  "), { ...mark, text: `${mark.text}${count(value)} ${name}` }];
      }),
    ...(erased === 0 ? [] : [span(` (${count(erased)} without a row)`, "muted")]),
  ];
}

function drawSets(canvas: Canvas, rect: Rect, model: Model): void {
  const list = listOf(model, changeSetsKey);
  if (list === undefined) return;
  const columns: readonly Column<ChangeSetRow>[] = [
    {
      id: "name",
      title: "",
      width: { share: 1, min: 8 },
      drop: 0,
      cell: (row) => [{ text: row.name, role: row.isHead ? "strong" : "text" }],
    },
    {
      id: "diff",
      title: "",
      width: rect.w > 30 ? 11 : 8,
      drop: 1,
      right: true,
      cell: (row) => (row.isHead ? [] : difference(canvas, row)),
    },
  ];
  drawListPane(canvas, rect, {
    model,
    pane: "changeSets",
    list,
    table: changeSetRows(model),
    columns,
    title: "Change sets",
    titles: false,
    empty: "There is no change set.",
    marks: changeSetsKey,
  });
}

function drawComponents(canvas: Canvas, rect: Rect, model: Model, changeSetId: string): void {
  const key = componentsKey(changeSetId);
  const list = listOf(model, key);
  if (list === undefined) return;
  const set = changeSetOf(model);
  drawListPane(canvas, rect, {
    model,
    pane: "components",
    list,
    table: componentRows(model, changeSetId),
    columns: componentColumns(canvas, model, changeSetId),
    title: set?.name ?? "Components",
    more: differenceNote(canvas, model, changeSetId),
    empty:
      set === undefined
        ? "This change set is gone. esc leads to the others."
        : "There is no component in this change set.",
    marks: key,
  });
}

/** The components of one change set; beside them the other sets and what the selected component is. */
export const components: ScreenView = {
  id: "components",
  draw: (canvas, { areas }, model) => {
    if (model.route.screen !== "components") return;
    const { changeSetId } = model.route;
    if (areas.changeSets !== undefined) drawSets(canvas, areas.changeSets, model);
    if (areas.components !== undefined) drawComponents(canvas, areas.components, model, changeSetId);
    if (areas.preview === undefined) return;
    const list = listOf(model, componentsKey(changeSetId));
    const row =
      list === undefined ? undefined : selectedRow(stateOf(model, list), componentRows(model, changeSetId));
    drawComponentPreview(canvas, areas.preview, model, changeSetId, row);
  },
};
