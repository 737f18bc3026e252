import { listOf, runsKey } from "../../core/lists.ts";
import type { Model } from "../../core/model.ts";
import { type RunRow, runCounts, runTable } from "../../core/runs.ts";
import { type Canvas, count, type Span, span, symbol } from "../draw/canvas.ts";
import { drawListPane } from "../draw/list-pane.ts";
import type { Sides } from "../draw/sides.ts";
import type { Column } from "../draw/table.ts";
import type { ScreenView } from "../screen.ts";
import { age } from "./cells.ts";
import { progressSpans, tookText, wordsOf } from "./work-cells.ts";

const columnsOf = (canvas: Canvas, model: Model): readonly Column<RunRow>[] => [
  {
    id: "state",
    title: "STATE",
    width: 17,
    drop: 0,
    cell: (row) => progressSpans(canvas, row.progress, row.state),
  },
  {
    id: "name",
    title: "FUNCTION",
    width: { share: 3, min: 16, max: 40 },
    drop: 0,
    cell: (row) => [span(row.name)],
  },
  {
    id: "component",
    title: "COMPONENT",
    width: { share: 2, min: 14, max: 40 },
    drop: 1,
    cell: (row) => [span(row.component, "strong")],
  },
  { id: "kind", title: "KIND", width: 14, drop: 4, cell: (row) => [span(wordsOf(row.kind), "muted")] },
  {
    id: "set",
    title: "CHANGE SET",
    width: { share: 1, min: 12, max: 30 },
    drop: 5,
    cell: (row) => [span(row.changeSet, "muted")],
  },
  { id: "took", title: "TOOK", width: 6, drop: 3, right: true, cell: (row) => took(model, row) },
  { id: "age", title: "AGE", width: 5, drop: 0, right: true, cell: (row) => age(model, row.created) },
  {
    id: "why",
    title: "WHY IT FAILED",
    width: { share: 3, min: 16 },
    drop: 2,
    cell: (row) => (row.failure === null ? [] : [span(row.failure, "failed")]),
  },
];

/** How long it took, or how long it has been going on. */
function took(model: Model, { took: ms, created, progress }: RunRow): readonly Span[] {
  if (ms !== undefined) return [span(tookText(ms), "muted")];
  if (created === undefined || progress === "unknown") return [span("–", "muted")];
  return [span(tookText(Math.floor(Math.max(0, model.now - created) / 1_000) * 1_000), "running")];
}

/** `● 2 running  ✗ 1 failed in 60 m`; nothing of what there is none. */
export function runNumbers(canvas: Canvas, model: Model): readonly Span[] {
  const { running, failed } = runCounts(model.mirror, model.now);
  const runs = symbol(canvas, "running");
  const fails = symbol(canvas, "failed");
  return [
    ...(failed === 0 ? [] : [{ ...fails, text: `${fails.text} ${count(failed)} failed in 60 m` }]),
    ...(failed === 0 || running === 0 ? [] : [span("  ")]),
    ...(running === 0 ? [] : [{ ...runs, text: `${runs.text} ${count(running)} running` }]),
  ];
}

const sidesOf = (row: RunRow): Sides => ({
  title: `${row.name} of ${row.component || "no component"} in ${row.changeSet}`,
  values: row.failure === null ? [] : [{ label: "why", text: row.failure, role: "failed" }],
});

/** Runs of functions and jobs, the newest first. */
export const runs: ScreenView = {
  id: "runs",
  draw: (canvas, { areas }, model) => {
    const list = listOf(model, runsKey);
    if (areas.runs === undefined || list === undefined) return;
    const numbers = runNumbers(canvas, model);
    drawListPane(canvas, areas.runs, {
      model,
      pane: "runs",
      list,
      table: model.mirror.changeSets === undefined ? undefined : runTable(model.mirror),
      columns: columnsOf(canvas, model),
      title: "Runs",
      more: numbers.length === 0 ? [] : [span("  "), ...numbers],
      empty: "No function has run yet.",
      sides: sidesOf,
    });
  },
};
