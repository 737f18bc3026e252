import { type ActionLine, actionTable, actionTotals } from "../../core/actions.ts";
import { actionsKey, listOf } from "../../core/lists.ts";
import type { Model } from "../../core/model.ts";
import { type Canvas, count, type Span, span, symbol } from "../draw/canvas.ts";
import { drawListPane } from "../draw/list-pane.ts";
import type { Sides } from "../draw/sides.ts";
import type { Column } from "../draw/table.ts";
import type { ScreenView } from "../screen.ts";
import { age } from "./cells.ts";
import { actionState } from "./work-cells.ts";

const columnsOf = (canvas: Canvas, model: Model): readonly Column<ActionLine>[] => [
  { id: "state", title: "STATE", width: 12, drop: 0, cell: (row) => actionState(canvas, row) },
  { id: "kind", title: "KIND", width: 7, drop: 4, cell: (row) => [span(row.kind.toLowerCase())] },
  {
    id: "component",
    title: "COMPONENT",
    width: { share: 2, min: 14, max: 40 },
    drop: 0,
    cell: (row) => [span(row.component, "strong")],
  },
  {
    id: "name",
    title: "NAME",
    width: { share: 2, min: 12, max: 36 },
    drop: 2,
    cell: (row) => [span(row.name)],
  },
  {
    id: "why",
    title: "WHY, OR WAITS FOR",
    width: { share: 5, min: 17 },
    drop: 1,
    cell: (row) => [span(row.why, row.state === "Failed" ? "failed" : "muted")],
  },
  {
    id: "set",
    title: "CHANGE SET",
    width: { share: 1, min: 12, max: 30 },
    drop: 3,
    cell: (row) => [span(row.changeSet, "muted")],
  },
  { id: "age", title: "AGE", width: 5, drop: 5, right: true, cell: (row) => age(model, row.created) },
];

/** `✗1 failed ●2 running ◌9 queued`: how many stand where; nothing of what there is none. */
export function actionNumbers(canvas: Canvas, model: Model): readonly Span[] {
  const { failed, running, queued, held } = actionTotals(model.mirror);
  const parts = [
    { value: failed, name: "failed", word: "failed" },
    { value: running, name: "running", word: "running" },
    { value: queued, name: "queued", word: "queued" },
    { value: held, name: "waiting", word: "held" },
  ] as const;
  return parts
    .filter(({ value }) => value > 0)
    .flatMap(({ value, name, word }, index) => {
      const mark = symbol(canvas, name);
      return [span(index === 0 ? "" : "  "), { ...mark, text: `${mark.text} ${count(value)} ${word}` }];
    });
}

const sidesOf = (row: ActionLine): Sides => ({
  title: `${row.name} of ${row.component || "no component"}`,
  values:
    row.why === "" ? [] : [{ label: "why", text: row.why, role: row.state === "Failed" ? "failed" : "text" }],
});

/** Every action of the workspace: its state, what it is of, and what it waits for or why it failed. */
export const actions: ScreenView = {
  id: "actions",
  draw: (canvas, { areas }, model) => {
    const list = listOf(model, actionsKey);
    if (areas.actions === undefined || list === undefined) return;
    const numbers = actionNumbers(canvas, model);
    drawListPane(canvas, areas.actions, {
      model,
      pane: "actions",
      list,
      table: model.mirror.changeSets === undefined ? undefined : actionTable(model.mirror),
      columns: columnsOf(canvas, model),
      title: "Actions",
      more: numbers.length === 0 ? [] : [span("  "), ...numbers],
      empty: "No action is queued: an apply queues those that bring the resources in step.",
      sides: sidesOf,
    });
  },
};
