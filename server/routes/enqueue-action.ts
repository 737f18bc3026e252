import type { ActionReference } from "../../src/contract/actions.ts";
import { fail } from "../../src/contract/errors.ts";
import { type ActionBinding, actionsOf } from "../read/action-bindings.ts";
import { isRunning, listActionsOf, queueActions } from "../store/actions.ts";
import { getComponent } from "../store/components.ts";
import { changeComponent, type Writing } from "./change-component.ts";
import { newAction } from "./queue-actions.ts";

/**
 * Queues an action of a component as somebody wishes. Throws `componentNotFound`, `functionNotFound`,
 * `duplicateFunctionName` and `actionAlreadyEnqueued`.
 */
export function enqueueAction(
  writing: Writing,
  componentId: string,
  reference: ActionReference,
): Promise<void> {
  const event = { kind: "action.queued", subject: componentId } as const;
  return changeComponent(writing, event, async (change, rules) => {
    const { tx, layer } = change;
    const component = await getComponent(tx, rules, layer, componentId);
    checkReference(reference);
    const bound = await actionsOf(tx, layer, [component]);
    const binding = chosen(bound(component), component.name, reference);
    const queued = await listActionsOf(tx, layer, [componentId]);
    // One that runs does what was wanted when it began: what is wanted now waits behind it.
    if (queued.some((action) => action.prototypeId === binding.id && !isRunning(action))) {
      const what = `the action ${JSON.stringify(binding.func.name)} of ${JSON.stringify(component.name)}`;
      fail("actionAlreadyEnqueued", `${what} waits already; retry it where it failed or is held`);
    }
    await queueActions(change, [newAction(componentId, binding)]);
  });
}

/** Refuses a reference that does not name its action by exactly one of name and id. */
function checkReference({ function: name, actionPrototypeId }: ActionReference): void {
  if ((name === undefined) !== (actionPrototypeId === undefined)) return;
  fail(
    "invalidRequest",
    `action: expected function (a name) or actionPrototypeId, one of the two, found ${name === undefined ? "neither" : "both"}`,
  );
}

function chosen(
  bindings: readonly ActionBinding[],
  component: string,
  { function: name, actionPrototypeId }: ActionReference,
): ActionBinding {
  const found = bindings.filter(({ id, func }) =>
    name === undefined
      ? id === actionPrototypeId?.toUpperCase()
      : func.name === name || func.displayName === name,
  );
  const [first, second] = found;
  const wanted = JSON.stringify((name ?? actionPrototypeId ?? "").slice(0, 100));
  if (first === undefined) {
    const names = bindings.map(({ func }) => func.name);
    const there = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
    return fail("functionNotFound", `${JSON.stringify(component)} has no action ${wanted}: ${there}`);
  }
  if (second !== undefined) {
    const ids = found.map(({ id }) => id).join(", ");
    return fail(
      "duplicateFunctionName",
      `${JSON.stringify(component)} has several actions named ${wanted}; use actionPrototypeId, one of ${ids}`,
    );
  }
  return first;
}
