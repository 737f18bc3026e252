import { type ActionKind, actionKinds } from "../../src/contract/actions.ts";
import { refuse } from "../domain/refusal.ts";
import { type ActionBinding, actionsOf } from "../read/action-bindings.ts";
import { isRunning, listActionsOf, queueActions, removeAction } from "../store/actions.ts";
import { getComponent } from "../store/components.ts";
import type { ComponentWrite } from "./change-component.ts";
import { newAction } from "./queue-actions.ts";

/** What a management function wants of a component's actions: kinds in any letter case, or names of Manual functions. */
export interface WantedActions {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Takes actions of a component off the queue, then queues others; what waits already is not queued again. */
export async function wantActions(
  { change, rules }: ComponentWrite,
  componentId: string,
  { add, remove }: WantedActions,
): Promise<void> {
  const { tx, layer } = change;
  const component = await getComponent(tx, rules, layer, componentId);
  const bound = (await actionsOf(tx, layer, [component]))(component);
  const waiting = async () =>
    (await listActionsOf(tx, layer, [componentId])).filter((action) => !isRunning(action));
  for (const wanted of remove) {
    const { id } = bindingOf(bound, wanted, component.name);
    for (const action of await waiting()) {
      if (action.prototypeId === id) await removeAction(change, action.id);
    }
  }
  for (const wanted of add) {
    const binding = bindingOf(bound, wanted, component.name);
    const isThere = (await waiting()).some(({ prototypeId }) => prototypeId === binding.id);
    if (!isThere) await queueActions(change, [newAction(componentId, binding)]);
  }
}

/** The function behind `create`, `destroy` (or `delete`), `refresh`, `update`, or the name of a Manual one. */
function bindingOf(bound: readonly ActionBinding[], wanted: string, component: string): ActionBinding {
  const kind = kindOf(wanted);
  const found = bound.find(({ actionKind, func }) =>
    kind === undefined ? actionKind === "Manual" && func.name === wanted : actionKind === kind,
  );
  const what = kind === undefined ? `Manual function named ${JSON.stringify(wanted)}` : `${kind} function`;
  return found ?? refuse("functionNotFound", `${JSON.stringify(component)} has no ${what}`);
}

function kindOf(wanted: string): ActionKind | undefined {
  const asked = wanted.toLowerCase() === "delete" ? "destroy" : wanted.toLowerCase();
  return actionKinds.find((kind) => kind !== "Manual" && kind.toLowerCase() === asked);
}
