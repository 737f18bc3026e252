import type { Binding } from "../binding.ts";
import { confirm, whyNoDeeds } from "../deeds.ts";
import { runsKey } from "../lists.ts";
import type { Deed, Model, Request } from "../model.ts";
import { goTo } from "../navigate.ts";
import { selectedId } from "../parts/list.ts";
import { isOver } from "../run-rows.ts";
import { type RunRow, runTable } from "../runs.ts";
import type { Screen } from "../screen.ts";
import { find } from "../table.ts";

/** The run or job under the cursor. */
const selected = (model: Model): RunRow | undefined =>
  find(runTable(model.mirror), selectedId(model.lists[runsKey]) ?? "");

/** The question whether a run, or the job that it belongs to, is to be ended. */
export function endOf(row: RunRow): Deed {
  const { changeSetId, jobId, funcRunId, name } = row;
  const follows =
    jobId !== null
      ? "Its job fails, and nothing of what it would have changed is applied."
      : row.actionId !== null
        ? "Its action fails: what it has done until now stays done."
        : "It ends as killed.";
  const because = [`${row.kind} of ${row.component || "no component"} in ${row.changeSet}.`, follows];
  const said = { title: `End ${name}?`, because, done: `${name} is being ended` };
  const request: Request =
    jobId !== null
      ? { operation: "jobs.cancel", input: { changeSetId, jobId } }
      : { operation: "functionRuns.cancel", input: { changeSetId, funcRunId: funcRunId ?? "" } };
  return { ...said, request };
}

/** Ends the run that `which` tells, after a question. */
export const endRun = (which: (model: Model) => RunRow | undefined): Binding => ({
  keys: ["x"],
  does: "end the run, and the action or job that it belongs to",
  group: "do",
  hint: { text: "end…", rank: 1.6 },
  off: (model) => {
    const row = which(model);
    if (row === undefined) return "nothing is selected";
    return isOver(row.progress) ? "it has ended already" : whyNoDeeds(model);
  },
  run: (model) => {
    const row = which(model);
    return row === undefined ? [model, []] : confirm(model, endOf(row));
  },
});

/** Leads to the component of the run that `which` tells. */
export const openComponent = (which: (model: Model) => RunRow | undefined): Binding => ({
  keys: ["c"],
  does: "look at its component",
  group: "look",
  hint: { text: "component", rank: 1.3 },
  off: (model) => ((which(model)?.componentId ?? null) === null ? "it is of no component" : null),
  run: (model) => {
    const row = which(model);
    if (row === undefined || row.componentId === null) return [model, []];
    const { changeSetId, componentId } = row;
    return [goTo(model, { screen: "component", changeSetId, componentId }), []];
  },
});

/** Runs of functions and jobs of the whole workspace, the newest first. */
export const runs: Screen = {
  id: "runs",
  title: "Runs",
  key: "5",
  crumbs: () => ["runs"],
  bindings: [
    {
      keys: ["enter", "right", "l", "L"],
      does: "its log, as it comes",
      group: "look",
      hint: { text: "log", rank: 1 },
      off: (model) => {
        const row = selected(model);
        if (row === undefined) return "nothing is selected";
        return row.funcRunId === null ? "its function has not begun yet" : null;
      },
      run: (model) => {
        const row = selected(model);
        if (row === undefined || row.funcRunId === null) return [model, []];
        const { changeSetId, funcRunId } = row;
        return [goTo(model, { screen: "run", changeSetId, funcRunId }), []];
      },
    },
    openComponent(selected),
    endRun(selected),
  ],
};
