import type { ChangeSetRow } from "../../core/change-set-rows.ts";
import { changeSetRows } from "../../core/lists.ts";
import type { Model } from "../../core/model.ts";
import { componentFacts, hasHistory, lookupFor, remembered } from "../../core/select.ts";
import { emptyTable, type Table } from "../../core/table.ts";
import { type Canvas, count, span, symbol } from "../draw/canvas.ts";
import type { Column } from "../draw/table.ts";
import { width } from "../width.ts";
import {
  actions,
  age,
  changeSetStatus,
  deedText,
  difference,
  headMoved,
  lastDeed,
  statusWordsOf,
} from "./cells.ts";

/** A name has up to this many cells before other columns have any. */
const nameCells = 24;

/** The cells of the longest name and of the longest status, each with a sign of up to two and a blank. */
const longest = remembered(
  (table: Table<ChangeSetRow>): { readonly name: number; readonly status: number } => {
    let [name, status] = [0, 0];
    for (const row of table.rows) {
      name = Math.max(name, width(row.name));
      status = Math.max(
        status,
        statusWordsOf(row).reduce((sum, word) => sum + 4 + word.length, -1),
      );
    }
    return { name, status };
  },
);

/** The columns of change sets; those without any data are left out. */
export function changeSetColumns(canvas: Canvas, model: Model): readonly Column<ChangeSetRow>[] {
  const lookup = lookupFor(model);
  const facts = [...model.mirror.components.values()].map(componentFacts);
  const trouble = facts.some(({ failed, broken }) => failed + broken > 0);
  const table = changeSetRows(model) ?? emptyTable;
  const { rows } = table;
  const most = longest(table);
  const deeds = rows.some((row) => lastDeed(row) !== undefined);
  const columns: readonly (Column<ChangeSetRow> & { readonly shown?: boolean })[] = [
    {
      id: "name",
      title: "NAME",
      width: { share: 3, min: Math.max(12, Math.min(nameCells, most.name)), max: 60 },
      drop: 0,
      cell: (row) => [{ text: row.name, role: row.isHead ? "strong" : "text" }],
    },
    {
      id: "status",
      title: "STATUS",
      width: Math.max(8, Math.min(30, most.status)),
      drop: 1,
      cell: (row) => changeSetStatus(canvas, row),
    },
    {
      id: "by",
      title: "BY",
      width: { share: 1, min: 12, max: 24 },
      drop: 5,
      shown: deeds,
      cell: (row) => {
        const deed = lastDeed(row);
        return [span(deed === undefined ? "–" : deedText(model, deed), "muted")];
      },
    },
    {
      id: "components",
      title: "COMPONENTS",
      width: 11,
      drop: 7,
      right: true,
      cell: (row) => [row.components === undefined ? span("…", "muted") : span(count(row.components))],
    },
    {
      id: "diff",
      title: "DIFF VS HEAD",
      width: { share: 1, min: 12, max: 24 },
      drop: 0,
      cell: (row) => difference(canvas, row),
    },
    {
      id: "attributes",
      title: "ATTRS",
      width: 6,
      drop: 4,
      right: true,
      shown: rows.some(({ review }) => review !== undefined),
      cell: (row) => [
        row.review === undefined || row.isHead ? span("–", "muted") : span(count(row.review.attributes)),
      ],
    },
    {
      id: "moved",
      title: "MOVED",
      width: 6,
      drop: 2,
      shown: rows.some(({ review }) => (review?.headMoved ?? 0) > 0),
      cell: (row) => headMoved(canvas, row),
    },
    {
      id: "actions",
      title: "ACTIONS",
      width: { share: 1, min: 8, max: 16 },
      drop: 6,
      shown: rows.some(
        (row) => row.actions !== undefined && Object.values(row.actions).some((value) => value > 0),
      ),
      cell: (row) => actions(canvas, row),
    },
    {
      id: "trouble",
      title: "TROUBLE",
      width: 7,
      drop: 3,
      shown: trouble,
      cell: (row) => {
        const mark = symbol(canvas, "failed");
        return row.failed + row.broken === 0
          ? [span("–", "muted")]
          : [mark, span(` ${count(row.failed + row.broken)}`, mark.role)];
      },
    },
    {
      id: "changed",
      title: "LAST CHANGE",
      width: 11,
      drop: 9,
      right: true,
      shown: hasHistory(model.mirror),
      cell: (row) => age(model, lookup.changedAt(row.id)),
    },
    { id: "age", title: "AGE", width: 5, drop: 8, right: true, cell: (row) => age(model, row.created) },
  ];
  return columns.filter(({ shown }) => shown !== false);
}
