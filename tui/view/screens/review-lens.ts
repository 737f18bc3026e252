import { hasMark, type LensRow } from "../../core/lens.ts";
import { isWithoutReview, lensKey, lensRows, listOf, stateOf } from "../../core/lists.ts";
import type { Model } from "../../core/model.ts";
import { windowRows } from "../../core/parts/list.ts";
import { windowOf } from "../../core/place.ts";
import { find } from "../../core/table.ts";
import { type Canvas, count, counted, type Span, span, symbol } from "../draw/canvas.ts";
import { drawListPane } from "../draw/list-pane.ts";
import { type Sides, sideSpans } from "../draw/sides.ts";
import type { Column } from "../draw/table.ts";
import type { Rect } from "../rect.ts";
import { changeMark, componentMarks } from "./cells.ts";
import { differenceNotes } from "./fact-cells.ts";

/** Below this there is no room for two columns of values: old and new stand after each other. */
const twoColumnsFrom = 80;

/** The diff lens of a change set: each component that differs, and what differs in it, old beside new. */
export function drawLens(canvas: Canvas, rect: Rect, model: Model, changeSetId: string, title: string): void {
  const list = listOf(model, lensKey(changeSetId));
  if (list === undefined) return;
  const table = lensRows(model, changeSetId);
  const shown = windowRows(stateOf(model, list), table, windowOf(model, "review"));
  const orphans = firstOfOthers(shown);
  drawListPane(canvas, rect, {
    model,
    pane: "review",
    list,
    table,
    columns: rect.w < twoColumnsFrom ? narrowColumns(canvas, orphans) : wideColumns(canvas, orphans, shown),
    title,
    more: summaryNote(canvas, model, changeSetId),
    empty: emptyReason(model, changeSetId),
    sides: lensSides,
    line: (row) => (isWhole(row) ? headline(canvas, row) : undefined),
  });
}

/** A component, or something else that changed, rather than one thing in which a component differs. */
const isWhole = (row: LensRow): boolean => row.kind === "component" || row.kind === "other";

/** The whole values of a line; a component is what it is. */
const lensSides = (row: LensRow): Sides =>
  isWhole(row)
    ? { title: row.owner, values: [{ label: "is", text: `${row.change}, ${row.schema}`, role: "text" }] }
    : {
        title: `${row.owner} ${row.name}`,
        values: [
          { label: "head", text: row.before ?? "–", role: "text" },
          { label: "here", text: row.after ?? "–", role: "strong" },
        ],
      };

/** Lines in the window that do not stand below their component: they say whose they are. */
function firstOfOthers(rows: readonly LensRow[]): ReadonlySet<string> {
  const found = new Set<string>();
  rows.forEach((row, index) => {
    if (
      row.kind !== "component" &&
      row.componentId !== null &&
      rows[index - 1]?.componentId !== row.componentId
    )
      found.add(row.id);
  });
  return found;
}

/** A component, or something else that changed, in one line. */
function headline(canvas: Canvas, row: LensRow): readonly Span[] {
  const marks = componentMarks(canvas, {
    marked: hasMark(row, "marked"),
    upgradable: hasMark(row, "upgradable"),
    headMoved: hasMark(row, "moved"),
  });
  return [
    changeMark(canvas, row.change),
    span(" "),
    { text: row.name, role: "strong" },
    ...(marks.length === 0 ? [] : [span("  "), ...marks]),
    ...(row.attributes === 0 ? [] : [span(`  ${counted(row.attributes, "attribute")}`, "muted")]),
    span(`  ${row.schema}`, "muted"),
  ];
}

function nameCell(row: LensRow, orphans: ReadonlySet<string>): readonly Span[] {
  const whose: readonly Span[] = orphans.has(row.id) ? [span(`${row.owner} `, "muted")] : [];
  return [span(" "), ...whose, span(row.name, isComputed(row) ? "muted" : "text")];
}

const isComputed = (row: LensRow): boolean => hasMark(row, "computed");

function wideColumns(
  canvas: Canvas,
  orphans: ReadonlySet<string>,
  shown: readonly LensRow[],
): readonly Column<LensRow>[] {
  const noted = shown.some((row) => row.kind === "attribute" && notes(canvas, row).length > 0);
  const columns: readonly (Column<LensRow> & { readonly shown?: boolean })[] = [
    { id: "kind", title: "", width: 1, drop: 0, cell: (row) => [changeMark(canvas, row.change)] },
    {
      id: "component",
      title: "COMPONENT, ATTRIBUTE",
      width: { share: 3, min: 22, max: 70 },
      drop: 0,
      cell: (row) => nameCell(row, orphans),
    },
    {
      id: "before",
      title: "IN THE HEAD",
      width: { share: 2, min: 14 },
      drop: 0,
      cell: (row) => sideSpans(row.before ?? "–", "muted"),
    },
    { id: "value", title: "HERE", width: { share: 3, min: 16 }, drop: 0, cell: valueCell },
    { id: "note", title: "NOTE", width: 12, drop: 1, shown: noted, cell: (row) => notes(canvas, row) },
  ];
  return columns.filter((column) => column.shown !== false);
}

const narrowColumns = (canvas: Canvas, orphans: ReadonlySet<string>): readonly Column<LensRow>[] => [
  { id: "kind", title: "", width: 1, drop: 0, cell: (row) => [changeMark(canvas, row.change)] },
  {
    id: "component",
    title: "COMPONENT, ATTRIBUTE, HEAD → HERE",
    width: { share: 1, min: 20 },
    drop: 0,
    cell: (row) => {
      const note = notes(canvas, row).length === 0 ? [] : [span("  "), ...notes(canvas, row)];
      const before = row.before === null ? [] : [...sideSpans(row.before, "muted"), span(" → ", "muted")];
      return [...nameCell(row, orphans), ...note, span("  "), ...before, ...valueCell(row)];
    },
  },
];

const valueCell = (row: LensRow): readonly Span[] =>
  row.after === null ? [span("–", "muted")] : sideSpans(row.after, isComputed(row) ? "muted" : "strong");

const notes = (canvas: Canvas, row: LensRow): readonly Span[] =>
  differenceNotes(canvas, { computed: isComputed(row), headMoved: hasMark(row, "moved") });

function summaryNote(canvas: Canvas, model: Model, changeSetId: string): readonly Span[] {
  const summary = model.mirror.reviews.get(changeSetId)?.summary;
  if (summary === undefined) return [];
  const moved = symbol(canvas, "moved");
  return [
    span(`  ${counted(summary.attributes, "attribute")}`, "muted"),
    ...(summary.headMoved === 0
      ? []
      : [span("  "), moved, span(` head moved under ${count(summary.headMoved)}`, moved.role)]),
    ...(summary.pending ? [span("  "), symbol(canvas, "running"), span(" computing", "running")] : []),
  ];
}

/** Why there is nothing to see. */
function emptyReason(model: Model, changeSetId: string): string {
  const set = find(model.mirror.changeSets, changeSetId);
  if (set === undefined) return "This change set is gone. esc leads to the others.";
  if (set.isHead) return "This is the head, which everything else is compared with.";
  return isWithoutReview(model, changeSetId)
    ? "Everything is as in the head; this server does not compare attributes."
    : "Everything is as in the head.";
}
