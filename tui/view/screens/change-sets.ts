import { differing } from "../../core/change-set-rows.ts";
import { changeSetRows, changeSetsKey, listOf } from "../../core/lists.ts";
import type { Model } from "../../core/model.ts";
import { type Canvas, count, span } from "../draw/canvas.ts";
import { drawListPane } from "../draw/list-pane.ts";
import type { Rect } from "../rect.ts";
import type { ScreenView } from "../screen.ts";
import { changeSetColumns } from "./change-set-columns.ts";
import { drawChangeSetFacts, selectedChangeSet } from "./change-set-facts.ts";
import { drawLens } from "./review-lens.ts";

function drawChangeSetList(canvas: Canvas, rect: Rect, model: Model): void {
  const list = listOf(model, changeSetsKey);
  if (list === undefined) return;
  const table = changeSetRows(model);
  const changed = table?.rows.filter((row) => !row.isHead && differing(row) > 0).length ?? 0;
  drawListPane(canvas, rect, {
    model,
    pane: "changeSets",
    list,
    table,
    columns: changeSetColumns(canvas, model),
    title: "Change sets",
    more: changed === 0 ? [] : [span(`  ${count(changed)} differ from the head`, "muted")],
    empty: "There is no change set.",
    marks: changeSetsKey,
  });
}

/** All change sets; beside them what the one under the cursor is, and everything that it changes. */
export const changeSets: ScreenView = {
  id: "changeSets",
  draw: (canvas, { areas }, model) => {
    if (areas.changeSets !== undefined) drawChangeSetList(canvas, areas.changeSets, model);
    if (areas.preview !== undefined) drawChangeSetFacts(canvas, areas.preview, model);
    const row = selectedChangeSet(model);
    if (areas.review !== undefined) drawLens(canvas, areas.review, model, row?.id ?? "", "Review");
  },
};
