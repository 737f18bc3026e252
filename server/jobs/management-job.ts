import { statesBefore } from "../domain/function-jobs.ts";
import type { Json } from "../domain/json.ts";
import { managementKindOf } from "../domain/management-kinds.ts";
import { isIdle } from "../domain/management-ops.ts";
import { type ManagementOps, type ManagementResult, managementResult } from "../domain/management-result.ts";
import { bindingsFor, bindingsOfSchemas } from "../read/functions.ts";
import { type ManagementInput, managementInput } from "../read/management-input.ts";
import { rulesFor } from "../read/rules.ts";
import { getVariant } from "../read/variants.ts";
import { applyManagementOps, OpsRefused, type OpsTarget } from "../routes/apply-management-ops.ts";
import type { RunVerdict } from "../runs/runs.ts";
import { type RunOutcome, reasonOf } from "../sandbox/outcome.ts";
import { getComponent } from "../store/components.ts";
import { moveFunctionJob, moveFunctionJobIn } from "../store/function-jobs.ts";
import { changeLayer } from "../store/layer.ts";
import { type FunctionWork, JobFailed } from "./function-work.ts";
import { runForComponent } from "./run-for-component.ts";

/** Runs a management function and does to the change set what it returned: all of it, or nothing. */
export async function managementJob(work: FunctionWork): Promise<void> {
  const { context, job, layer } = work;
  const { store, variants: cache } = context;
  const rules = rulesFor(store, cache);
  const component = await getComponent(store, rules, layer, job.componentId);
  const variant = await getVariant(store, cache, layer, component.variantId);
  const bindings = bindingsFor(await bindingsOfSchemas(store, layer, [variant.schemaId]), variant);
  const binding = bindings.find(({ id }) => id === job.prototypeId);
  if (binding === undefined) throw new JobFailed("its function is no longer bound to the component's schema");
  const { viewName } = job.request;
  const view = typeof viewName === "string" ? viewName : undefined;
  const given = await managementInput(store, { rules, cache }, layer, component, view);
  let judged: ManagementResult | undefined;
  const ended = await runForComponent(work, {
    func: binding.func,
    prototypeId: binding.id,
    component: { id: component.id, name: component.name, schemaName: variant.schema.name },
    input: given.input,
    args: argumentsOf(given),
    judge: (outcome, runId) => {
      const verdict = judge(outcome, runId);
      judged = verdict.result;
      return verdict.run;
    },
  });
  if (ended === undefined) return;
  if (ended.verdict.state !== "Success" || judged === undefined)
    throw new JobFailed(ended.verdict.failure ?? "the function failed");
  const target = { manager: component, managed: given.managed, viewName: view };
  const kind = managementKindOf(binding.func);
  await apply(work, { ...target, kind }, judged.status === "ok" ? judged.ops : undefined);
}

/** The arguments as runs show them. */
const argumentsOf = ({ input }: ManagementInput): Json => ({
  current_view: input["currentView"] ?? null,
  this_component: input["thisComponent"] ?? null,
  components: input["components"] ?? null,
  variant_socket_map: input["variantSocketMap"] ?? null,
});

function judge(
  outcome: RunOutcome,
  runId: string,
): { readonly run: RunVerdict; readonly result: ManagementResult | undefined } {
  const returned =
    outcome.ended === "ok"
      ? managementResult(outcome.value)
      : ({ ok: false, message: reasonOf(outcome) } as const);
  if (!returned.ok) {
    const { message } = returned;
    const result = { executionId: runId, health: "error", operations: null, message, error: message };
    const state = outcome.ended === "killed" ? "Killed" : "Failure";
    return { result: undefined, run: { state, result, actionResult: "Failure", failure: message } };
  }
  const { status, message = null } = returned.result;
  const value = outcome.ended === "ok" ? outcome.value : undefined;
  const operations =
    typeof value === "object" && value !== null && "ops" in value ? (value["ops"] ?? null) : null;
  const result = { executionId: runId, health: status, operations, message, error: null };
  return {
    result: returned.result,
    run: { state: "Success", result, actionResult: status === "ok" ? "Success" : "Failure" },
  };
}

/** Does the ops and ends the job in one transaction; a job that was cancelled meanwhile leaves nothing. */
async function apply(
  { context, job, layer }: FunctionWork,
  target: OpsTarget,
  ops: ManagementOps | undefined,
): Promise<void> {
  const { store, variants: cache } = context;
  const done = { from: statesBefore("Success", "management"), to: "Success" } as const;
  if (ops === undefined || isIdle(ops)) {
    await moveFunctionJob(store, job, done);
    return;
  }
  const operating = { from: statesBefore("Operating", "management"), to: "Operating" } as const;
  if (!(await moveFunctionJob(store, job, operating))) return;
  const data = { jobId: job.id, functionName: job.request["functionName"] };
  const event = { kind: "management_job.applied", actor: job.actor, subject: job.componentId, data } as const;
  try {
    await changeLayer(store, layer, event, async (change) => {
      await applyManagementOps({ change, rules: rulesFor(change.tx, cache), cache }, target, ops);
      if (!(await moveFunctionJobIn(change.tx, job.id, done))) throw new Cancelled();
      change.saved();
    });
  } catch (error) {
    if (error instanceof Cancelled) return;
    throw error instanceof OpsRefused ? new JobFailed(error.message) : error;
  }
}

class Cancelled extends Error {}
