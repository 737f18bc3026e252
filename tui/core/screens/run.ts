import type { Model } from "../model.ts";
import { type RunRow, runTable } from "../runs.ts";
import type { Screen } from "../screen.ts";
import { find } from "../table.ts";
import { endRun, openComponent } from "./runs.ts";

/** The run that the route shows, as its list or its own reading knows it. */
export function shownRun(model: Model): RunRow | undefined {
  const { route, mirror } = model;
  if (route.screen !== "run") return undefined;
  const { funcRunId, changeSetId } = route;
  const listed = find(runTable(mirror), funcRunId);
  if (listed !== undefined) return listed;
  const reading = model.runLogs.get(funcRunId)?.reading ?? null;
  if (reading === null) return undefined;
  const { functionName, progress, state, kind, componentId, componentName, failure, created, actionId } =
    reading;
  return {
    id: funcRunId,
    name: functionName,
    sortName: functionName.toLowerCase(),
    changeSetId,
    changeSet: find(mirror.changeSets, changeSetId)?.name ?? "gone",
    progress,
    state,
    kind,
    componentId,
    component: componentName ?? componentId ?? "",
    failure,
    created,
    took: undefined,
    funcRunId,
    jobId: null,
    actionId,
  };
}

/** One run: what it writes, as it comes, and how it ended. */
export const run: Screen = {
  id: "run",
  title: "Run",
  key: null,
  crumbs: (model) => {
    const row = shownRun(model);
    return ["runs", row === undefined ? "…" : [row.name, row.component].filter(Boolean).join(" of ")];
  },
  bindings: [openComponent(shownRun), endRun(shownRun)],
};
