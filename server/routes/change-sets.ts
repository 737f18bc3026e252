import type { ChangeSetView } from "../../src/contract/change-sets.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { actorOf } from "../auth/sign-in.ts";
import { type Context, layerOf, workspaceOf } from "../context.ts";
import { checkChangeSetName } from "../domain/change-sets.ts";
import {
  abandonChangeSet,
  type ChangeSet,
  createChangeSet,
  listChangeSets,
  purgeChangeSets,
} from "../store/change-sets.ts";

/** Handlers of the rows in `src/contract/change-sets.ts`. */
export const changeSetHandlers: GroupHandlers<typeof api.changeSets, Context> = {
  list: async (_input, context) => {
    const sets = await listChangeSets(context.server.store, workspaceOf(context).id);
    return { changeSets: sets.map(changeSetView) };
  },
  create: async ({ body }, context) => {
    const name = checkChangeSetName(body.changeSetName);
    const workspaceId = workspaceOf(context).id;
    const set = await createChangeSet(context.server.store, { workspaceId, name, actor: actorOf(context) });
    return { changeSet: changeSetView(set) };
  },
  purgeOpen: async (_input, context) => {
    const workspaceId = workspaceOf(context).id;
    await purgeChangeSets(context.server.store, { workspaceId, actor: actorOf(context) });
    return { success: true };
  },
  get: (_input, context) => ({ changeSet: changeSetView(layerOf(context)) }),
  abandon: async (_input, context) => {
    const { workspaceId, id: changeSetId } = layerOf(context);
    await abandonChangeSet(context.server.store, { workspaceId, changeSetId, actor: actorOf(context) });
    return { success: true };
  },
};

const changeSetView = ({
  id,
  headId,
  name,
  status,
}: Pick<ChangeSet, "id" | "headId" | "name" | "status">): ChangeSetView => ({
  id,
  name,
  status,
  isHead: id === headId,
});
