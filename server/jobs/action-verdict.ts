import { type ActionResult, actionResult } from "../domain/function-results.ts";
import { isObject, type Json } from "../domain/json.ts";
import type { RunVerdict } from "../runs/runs.ts";
import { type RunOutcome, reasonOf } from "../sandbox/outcome.ts";

/** How the run of an action is remembered: one that threw has come to an end, and its result is a failure. */
export function actionVerdict(outcome: RunOutcome, runId: string): RunVerdict {
  const judged = outcome.ended === "ok" ? actionResult(outcome.value) : undefined;
  if (judged?.ok === true) {
    const { status, payload, resourceId = null, message = null } = judged.result;
    const result = { executionId: runId, status, payload, resourceId, message, error: null };
    const ok = status === "ok";
    return {
      state: "Success",
      result,
      output: result,
      actionResult: ok ? "Success" : "Failure",
      ...(ok || message === null ? {} : { failure: message }),
    };
  }
  const message = outcome.ended === "ok" ? (judged?.message ?? "") : reasonOf(outcome);
  const error = { kind: outcome.ended === "ok" ? "InvalidReturnType" : outcome.ended, message };
  const result = { executionId: runId, status: "error", payload: null, resourceId: null, message, error };
  return {
    state: outcome.ended === "threw" ? "Success" : outcome.ended === "killed" ? "Killed" : "Failure",
    result,
    output: result,
    actionResult: "Failure",
    failure: message,
  };
}

/** What an action did, from what its run shows; undefined where it shows no result of an action. */
export function resultIn(shown: Json | undefined): ActionResult | undefined {
  if (!isObject(shown)) return undefined;
  const judged = actionResult(shown);
  return judged.ok ? judged.result : undefined;
}
