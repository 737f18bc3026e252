import type { ActionView } from "../../src/contract/actions.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { type Context, layerOf } from "../context.ts";
import { actionsInOrder } from "../read/action-list.ts";
import type { QueuedAction } from "../store/actions.ts";

/** Handlers of the rows in `src/contract/actions.ts`. */
export const actionHandlers: GroupHandlers<typeof api.actions, Context> = {
  list: async (_input, context) => {
    const { actions } = await actionsInOrder(context.server.store, layerOf(context));
    return { actions: actions.map(actionView) };
  },
};

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
