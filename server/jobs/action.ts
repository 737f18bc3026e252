import type { ActionKind } from "../../src/contract/actions.ts";
import { componentProperties } from "../domain/component-properties.ts";
import type { Json } from "../domain/json.ts";
import { type ActionBinding, actionsOf } from "../read/action-bindings.ts";
import { authenticationOf } from "../read/authentication.ts";
import { rulesFor } from "../read/rules.ts";
import { getVariant } from "../read/variants.ts";
import type { RunRequest } from "../runs/runs.ts";
import { findHeadAction, findKnownRun, type HeadAction, moveAction } from "../store/action-runs.ts";
import { findComponent } from "../store/components.ts";
import { leftBehind } from "../store/func-runs.ts";
import { changeHead } from "../store/head-changes.ts";
import type { Store } from "../store/open.ts";
import type { ShownComponent } from "../store/show.ts";
import { actionVerdict, resultIn } from "./action-verdict.ts";
import { endAction, failAction } from "./end-action.ts";
import type { JobHandler } from "./handlers.ts";
import type { JobContext } from "./job-context.ts";

/**
 * Carries out a dispatched action of a head, at most once: that it runs, and as which run, is in the database before the
 * function begins, and one that is found running was begun by a process that is gone.
 */
export const actionJob =
  (context: JobContext): JobHandler =>
  async (actionId, lost) => {
    const { store, variants } = context;
    const action = await findHeadAction(store, actionId);
    if (action?.state === "Running") return takeOver(context, action);
    if (action?.state !== "Dispatched") return;
    const request = await requestOf(context, action);
    if (typeof request === "string") return void (await failAction(store, action, request));
    const runId = store.id();
    if (!(await begin(store, action, runId))) return;
    const run = context.runs.start({ ...request, id: runId, recordFirst: true, signal: lost });
    const { began, verdict } = await run.ended;
    if (!began && lost.aborted) return void (await giveBack(store, action, runId));
    await endAction(store, variants, action, {
      runId,
      result: verdict.state === "Success" ? resultIn(verdict.result) : undefined,
      reason: verdict.failure,
    });
  };

/** Whether the action is this job's to carry out: others may have got it, or somebody has taken it back. */
const begin = (store: Store, { id, head }: HeadAction, runId: string): Promise<boolean> =>
  changeHead(store, { headId: head.headId, graph: 0 }, (change) =>
    moveAction(change, id, { from: "Dispatched", to: "Running", funcRunId: runId }),
  );

/** The function did not begin because the process stops: the next one carries the action out. */
const giveBack = (store: Store, action: HeadAction, runId: string): Promise<boolean> =>
  changeHead(store, { headId: action.head.headId, graph: 0 }, (change) =>
    moveAction(change, action.id, {
      from: "Running",
      to: "Dispatched",
      of: runId,
      funcRunId: action.funcRunId ?? null,
    }),
  );

/** Ends an action whose process is gone: with what its function returned, where that was recorded, else as failed. */
async function takeOver({ store, variants }: JobContext, action: HeadAction): Promise<void> {
  const runId = action.funcRunId;
  const known = runId === undefined ? undefined : await findKnownRun(store, runId);
  if (runId !== undefined && known?.state === "Success") {
    // What a run shows was JSON when it was stored.
    const result = resultIn(known.result as Json);
    await endAction(store, variants, action, { runId, result, reason: result?.message });
    return;
  }
  await failAction(store, action, leftBehind);
}

/** What to run for an action, or why there is nothing to run. */
async function requestOf(context: JobContext, action: HeadAction): Promise<RunRequest | string> {
  const { store, variants } = context;
  const { head, componentId, originName } = action;
  if (componentId === undefined) return "it belongs to no component";
  const component = await findComponent(store, rulesFor(store, variants), head, componentId);
  if (component === undefined) return "its component is gone";
  const binding = await findBinding(context, action, component);
  if (binding === undefined) return "its function is no longer bound to the component's schema";
  const variant = await getVariant(store, variants, head, component.variantId);
  return {
    layer: head,
    func: binding.func,
    component: { id: component.id, name: component.name, schemaName: variant.schema.name },
    prototypeId: binding.id,
    action: {
      id: action.id,
      kind: action.kind,
      displayName: action.description ?? action.name,
      originChangeSetId: action.origin,
      originChangeSetName: originName,
    },
    input: { properties: componentProperties(variant.props, component.vals) },
    before: await authenticationOf(context, head, component.id),
    judge: actionVerdict,
  };
}

/**
 * The binding that an action was queued for; where the component has come to another variant since, the one that has its
 * place there: of the same kind, a Manual one of the same name.
 */
async function findBinding(
  { store }: JobContext,
  { head, prototypeId, kind, name }: HeadAction,
  component: ShownComponent,
): Promise<ActionBinding | undefined> {
  const bound = (await actionsOf(store, head, [component]))(component);
  const isHeir = ({ actionKind, func }: ActionBinding): boolean =>
    actionKind === kind && (kind !== ("Manual" satisfies ActionKind) || func.name === name);
  return bound.find(({ id }) => id === prototypeId) ?? bound.find(isHeir);
}
