import type { ActionKind } from "../../src/contract/actions.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { hasSucceeded, resourcePatch } from "../domain/action-effects.ts";
import { driftOf } from "../domain/drift.ts";
import type { ActionResult } from "../domain/function-results.ts";
import { type ActionBinding, actionsOf } from "../read/action-bindings.ts";
import { type Rules, rulesFor } from "../read/rules.ts";
import { getVariant, type VariantCache } from "../read/variants.ts";
import { newAction } from "../routes/queue-actions.ts";
import { finishAction, type HeadAction, moveAction } from "../store/action-runs.ts";
import { listActionsOf, queueActions } from "../store/actions.ts";
import { noteDrift } from "../store/drift.ts";
import { type EventKind, serverActor } from "../store/events.ts";
import { changeHead, editInHead, type HeadChange } from "../store/head-changes.ts";
import type { Store } from "../store/open.ts";
import type { ShownComponent } from "../store/show.ts";
import { vanishAround } from "../store/vanish.ts";

/** How an action ended: with what its function returned, or without, for a reason. */
export interface ActionEnd {
  readonly runId: string;
  readonly result: ActionResult | undefined;
  /** Why it failed. */
  readonly reason?: string | undefined;
}

/** What effects are worked out with. */
interface Ending {
  readonly change: HeadChange;
  readonly rules: Rules;
  readonly cache: VariantCache;
  readonly action: HeadAction;
}

/**
 * Does to the head what an action did, in one transaction: the resource, the queue, what follows. False, and nothing
 * done, when the action is no longer at this run, because somebody gave it up: then the result stays with the run.
 */
export function endAction(
  store: Store,
  cache: VariantCache,
  action: HeadAction,
  end: ActionEnd,
): Promise<boolean> {
  const { runId, result } = end;
  // Without a result nobody knows what was done: a component that is marked keeps its Destroy, which may find out.
  const graph = result === undefined ? 0 : 1;
  return changeHead(store, { headId: action.head.headId, graph }, async (change) => {
    const succeeded = hasSucceeded(result);
    const failing = { from: "Running", to: "Failed", of: runId } as const;
    const isOurs = await (succeeded
      ? finishAction(change, action.id, runId)
      : moveAction(change, action.id, failing));
    if (!isOurs) return false;
    change.events.push(eventOf(action, succeeded ? "action.succeeded" : "action.failed", end));
    const { componentId } = action;
    if (componentId === undefined) return true;
    const ending: Ending = { change, rules: rulesFor(change.tx, cache), cache, action };
    if (result === undefined) return true;
    await applyResult(ending, componentId, result);
    await tidy(ending, componentId);
    return true;
  });
}

/** Gives up an action that could not begin, or whose process is gone; false when it is not there any more. */
export function failAction(store: Store, action: HeadAction, reason: string): Promise<boolean> {
  const { id, head, state } = action;
  return changeHead(store, { headId: head.headId, graph: 0 }, async (change) => {
    const run = action.funcRunId;
    const of = state === "Running" && run !== undefined ? { of: run } : {};
    const isOurs = await moveAction(change, id, { from: state, to: "Failed", ...of });
    if (isOurs) change.events.push(eventOf(action, "action.failed", { reason }));
    return isOurs;
  });
}

function eventOf(
  { id, name, kind, componentId }: HeadAction,
  event: EventKind,
  { runId, reason }: { readonly runId?: string; readonly reason?: string | undefined },
) {
  const data = {
    name,
    kind,
    ...(componentId === undefined ? {} : { componentId }),
    ...(runId === undefined ? {} : { funcRunId: runId }),
    ...(reason === undefined ? {} : { reason }),
  };
  return { kind: event, actor: serverActor, subject: id, data };
}

async function applyResult(ending: Ending, componentId: string, result: ActionResult): Promise<void> {
  const { change, rules, action } = ending;
  const at = toTimestamp(change.tx.now);
  const component = await editInHead(change, rules, componentId, ({ settings }) =>
    resourcePatch(action.kind, result, at, settings),
  );
  if (component === undefined) return;
  if (action.kind === "Refresh" && hasSucceeded(result)) await compare(ending, component);
  if (action.kind === "Create" && hasSucceeded(result)) await queueOnce(ending, component, "Refresh");
}

/** Notes whether what a Refresh found is otherwise than the model. */
async function compare({ change, cache }: Ending, component: ShownComponent): Promise<void> {
  const { tx, layer: head } = change;
  const { props } = await getVariant(tx, cache, head, component.variantId);
  const drifts = driftOf(props, component.vals).length > 0;
  await noteDrift(tx, head.id, { componentId: component.id, drifts });
}

/** Queues the actions of a kind that a component has, but for those that wait already. */
async function queueOnce({ change }: Ending, component: ShownComponent, kind: ActionKind): Promise<void> {
  const { tx, layer: head } = change;
  const bound = (await actionsOf(tx, head, [component], [kind]))(component);
  if (bound.length === 0) return;
  const queued = await listActionsOf(tx, head, [component.id]);
  const isQueued = ({ id }: ActionBinding): boolean => queued.some(({ prototypeId }) => prototypeId === id);
  const wanted = bound.filter((binding) => !isQueued(binding));
  await queueActions(
    change,
    wanted.map((binding) => newAction(component.id, binding)),
  );
}

/** Lets go of what is marked for deletion and has nothing left to destroy, this component and those it needed. */
async function tidy({ change, rules }: Ending, componentId: string): Promise<void> {
  for (const id of await vanishAround(change, rules, componentId)) {
    change.events.push({ kind: "component.removed", actor: serverActor, subject: id });
  }
}
