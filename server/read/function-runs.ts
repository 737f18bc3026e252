import type { FuncRunSummary, FuncRunView } from "../../src/contract/function-runs.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { backendKindOf, type RunAbout } from "../domain/function-runs.ts";
import { unpackLines } from "../runs/run-log.ts";
import type { ListedRun, StoredRun } from "../store/func-run-reads.ts";

/** A run as lists show it. */
export function runSummary(run: ListedRun): FuncRunSummary {
  const about: RunAbout = JSON.parse(run.about);
  return { ...commonOf(run, about), functionId: run.func_id };
}

/** A run with everything that is known of it. */
export function runView(run: StoredRun): FuncRunView {
  const about: RunAbout = JSON.parse(run.about);
  const createdAt = toTimestamp(run.created_at);
  const lines = run.logs.flatMap((part) => unpackLines(part, run.id));
  const finalized = run.finalized === 1;
  const log = { id: run.id, funcRunId: run.id, createdAt, updatedAt: createdAt, finalized, logs: lines };
  return {
    ...commonOf(run, about),
    functionDescription: about.functionDescription,
    functionLink: about.functionLink,
    functionCodeBase64: Buffer.from(run.code ?? "")
      .toString("base64")
      .replace(/=+$/, ""),
    functionArgs: JSON.parse(run.args),
    backendKind: backendKindOf(run.kind),
    backendResponseType: about.backendResponseType,
    attributeValueId: about.attributeValueId,
    actionDisplayName: about.actionDisplayName,
    actionOriginatingChangeSetId: about.actionOriginatingChangeSetId,
    actionOriginatingChangeSetName: about.actionOriginatingChangeSetName,
    resultValue: JSON.parse(run.result),
    logs: lines.length > 0 || finalized ? log : null,
  };
}

const commonOf = (run: ListedRun, about: RunAbout) => ({
  id: run.id,
  state: run.state,
  functionName: about.functionName,
  functionDisplayName: about.functionDisplayName,
  functionKind: run.kind,
  componentId: run.component_id,
  componentName: about.componentName,
  schemaName: about.schemaName,
  actionId: run.action_id,
  actionPrototypeId: run.kind === "Action" || run.kind === "Management" ? run.prototype_id : null,
  actionKind: about.actionKind,
  actionResultState: run.action_result,
  failure: run.failure,
  createdAt: toTimestamp(run.created_at),
  updatedAt: toTimestamp(run.updated_at),
});
