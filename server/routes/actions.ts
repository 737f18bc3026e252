import type { ActionView } from "../../src/contract/actions.ts";
import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { type Context, layerOf } from "../context.ts";
import { actionsInOrder } from "../read/action-list.ts";
import { changeActions } from "../store/action-changes.ts";
import { type QueuedAction, removeAction, setActionState } from "../store/actions.ts";
import type { EventKind } from "../store/events.ts";
import type { LayerChange } from "../store/layer.ts";
import { writingOf } from "./change-component.ts";
import { componentIdOf } from "./component-ids.ts";
import { enqueueAction } from "./enqueue-action.ts";
import { refreshComponents } from "./refresh-components.ts";

/** Handlers of the rows in `src/contract/actions.ts`. */
export const actionHandlers: GroupHandlers<typeof api.actions, Context> = {
  list: async (_input, context) => {
    const { actions } = await actionsInOrder(context.server.store, layerOf(context));
    return { actions: actions.map(actionView) };
  },
  cancel: ({ actionId }, context) =>
    changeAction(context, actionId, "action.cancelled", (change, id) => removeAction(change, id)),
  putOnHold: ({ actionId }, context) =>
    changeAction(context, actionId, "action.held", (change, id) => setActionState(change, id, "OnHold")),
  retry: ({ actionId }, context) =>
    changeAction(context, actionId, "action.retried", (change, id) => setActionState(change, id, "Pending")),
  enqueue: async ({ componentId, body }, context) => {
    await enqueueAction(writingOf(context), componentIdOf(componentId), body.action);
    return { success: true };
  },
  refresh: async (_input, context) => ({
    success: true,
    queued: await refreshComponents(writingOf(context)),
  }),
};

/** One change of a waiting action, in the head at once; refuses one that runs. */
async function changeAction(
  context: Context,
  text: string,
  kind: EventKind,
  work: (change: LayerChange, actionId: string) => Promise<QueuedAction | undefined>,
): Promise<{ success: boolean }> {
  const { store, layer, actor } = writingOf(context);
  const actionId = text.toUpperCase();
  await changeActions(store, layer, { kind, actor, subject: actionId }, async (change) => {
    const changed = await work(change, actionId);
    return (
      changed ??
      fail("actionNotFound", `no action of this change set has the id ${JSON.stringify(text.slice(0, 100))}`)
    );
  });
  return { success: true };
}

const actionView = (action: QueuedAction): ActionView => ({
  id: action.id,
  kind: action.kind,
  name: action.name,
  state: action.state,
  prototypeId: action.prototypeId,
  originatingChangeSetId: action.origin,
  componentId: action.componentId ?? null,
  description: action.description ?? null,
  funcRunId: action.funcRunId ?? null,
});
