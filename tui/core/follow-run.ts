import type { RunResult, Step } from "./message.ts";
import type { Model } from "./model.ts";
import { type RunLog, runReading } from "./run-log.ts";

/** Runs whose log is kept after it was looked at; the oldest go first. */
const kept = 8;

/** Has the run on the screen followed, and no other. */
export function followRunOnScreen(model: Model): Step {
  const { route } = model;
  const workspaceId = model.mirror.status?.workspaceId ?? null;
  const wanted = route.screen === "run" && workspaceId !== null ? route.funcRunId : null;
  if (wanted === model.followed) return [model, []];
  const next = { ...model, followed: wanted };
  if (wanted === null || route.screen !== "run" || workspaceId === null)
    return [next, [{ type: "leaveRun" }]];
  const { changeSetId, funcRunId } = route;
  return [next, [{ type: "followRun", workspaceId, changeSetId, funcRunId }]];
}

/** The model with a reading of a run; a failed one leaves what was read before. */
export function runArrived(model: Model, funcRunId: string, result: RunResult): Model {
  const before = model.runLogs.get(funcRunId);
  const after: RunLog =
    "error" in result
      ? { reading: before?.reading ?? null, error: result.error }
      : { reading: runReading(funcRunId, result.run), error: null };
  const runLogs = new Map(model.runLogs);
  runLogs.delete(funcRunId);
  runLogs.set(funcRunId, after);
  for (const oldest of runLogs.keys()) {
    if (runLogs.size <= kept) break;
    runLogs.delete(oldest);
  }
  return { ...model, runLogs };
}
