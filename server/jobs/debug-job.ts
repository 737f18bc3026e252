import { componentProperties } from "../domain/component-properties.ts";
import { statesBefore } from "../domain/function-jobs.ts";
import type { FunctionDefinition } from "../domain/functions.ts";
import type { Json } from "../domain/json.ts";
import { rulesFor } from "../read/rules.ts";
import { getVariant } from "../read/variants.ts";
import { reasonOf } from "../sandbox/outcome.ts";
import { getComponent } from "../store/components.ts";
import { moveFunctionJob } from "../store/function-jobs.ts";
import { type FunctionWork, JobFailed } from "./function-work.ts";
import { runForComponent } from "./run-for-component.ts";

/** Runs the function of a debug job over its component as it is, and keeps what it returned. */
export async function debugJob(work: FunctionWork): Promise<void> {
  const { context, job, layer } = work;
  const { store, variants } = context;
  const component = await getComponent(store, rulesFor(store, variants), layer, job.componentId);
  const variant = await getVariant(store, variants, layer, component.variantId);
  const properties = componentProperties(variant.props, component.vals);
  const shown: Json = { kind: "standard", properties };
  const debugInput = job.request["debugInput"] ?? null;
  const func: FunctionDefinition = {
    name: String(job.request["functionName"]),
    displayName: null,
    description: null,
    link: null,
    kind: "Debug",
    handler: String(job.request["handler"]),
    code: String(job.request["code"]),
    isLocked: true,
    arguments: [],
    isTransformation: false,
  };
  const ended = await runForComponent(work, {
    func: { ...func, id: job.id },
    component: { id: component.id, name: component.name, schemaName: variant.schema.name },
    input: { component: shown, debugInput },
    args: { component: shown, debug_input: debugInput },
    judge: (outcome, runId) => {
      const [output, error] =
        outcome.ended !== "ok"
          ? [null, reasonOf(outcome)]
          : outcome.value === undefined
            ? [null, "the function returned nothing: expected a value that JSON can hold"]
            : [outcome.value, null];
      const state = outcome.ended === "killed" ? "Killed" : error === null ? "Success" : "Failure";
      return {
        state,
        result: { executionId: runId, output, error },
        actionResult: error === null ? "Success" : "Failure",
        ...(error === null ? {} : { failure: error }),
      };
    },
  });
  if (ended === undefined) return;
  const { verdict } = ended;
  if (verdict.state !== "Success") throw new JobFailed(verdict.failure ?? "the function failed");
  const move = { from: statesBefore("Success", "debug"), to: "Success", result: verdict.result } as const;
  await moveFunctionJob(store, job, move);
}
