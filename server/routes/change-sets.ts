import type { ChangeSetView } from "../../src/contract/change-sets.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { actorOf, type Context, layerOf, workspaceOf } from "../context.ts";
import {
  ApprovalNeeded,
  type DecideMoves,
  decideApprove,
  decideForceApply,
  decideGrantedRequest,
  decideReject,
  decideReopen,
  decideRequest,
  ofRequest,
} from "../domain/approvals.ts";
import { checkChangeSetName } from "../domain/change-sets.ts";
import { mergeStatus } from "../read/merge-status.ts";
import { rulesFor } from "../read/rules.ts";
import { applyChangeSet } from "../store/apply.ts";
import { approvalsEnabled, type MoveTarget, moveChangeSet } from "../store/approvals.ts";
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
    await abandonChangeSet(context.server.store, targetOf(context));
    return { success: true };
  },
  forceApply: (_input, context) => apply(context, decideForceApply),
  mergeStatus: (_input, context) =>
    mergeStatus(context.server.store, context.server.variants, layerOf(context)),
  requestApproval: (_input, context) => requestApproval(context),
  approve: ({ body }, context) => move(context, decision(decideApprove, body.mergeRequestedAt), body.note),
  reject: ({ body }, context) => move(context, decision(decideReject, body.mergeRequestedAt), body.note),
  reopen: ({ body }, context) => move(context, decideReopen, body.note),
};

/** About one request where the caller names it, else about whichever there is. */
const decision = (decide: DecideMoves, requestedAt: string | null | undefined): DecideMoves =>
  typeof requestedAt === "string" ? ofRequest(decide, Date.parse(requestedAt)) : decide;

const targetOf = (context: Context): MoveTarget => {
  const { workspaceId, id: changeSetId } = layerOf(context);
  return { workspaceId, changeSetId, actor: actorOf(context) };
};

async function apply(context: Context, decide: DecideMoves) {
  const { store, variants } = context.server;
  await applyChangeSet(store, rulesFor(store, variants), targetOf(context), decide);
  return { success: true };
}

async function move(context: Context, decide: DecideMoves, note?: string | null) {
  const words = note?.trim();
  const target = { ...targetOf(context), note: words === "" ? undefined : words };
  await moveChangeSet(context.server.store, target, decide);
  return { success: true };
}

/** Asks where somebody has to decide, else applies: approvals may be switched on between looking and applying. */
async function requestApproval(context: Context) {
  if (await approvalsEnabled(context.server.store, layerOf(context).workspaceId))
    return move(context, decideRequest);
  try {
    return await apply(context, decideGrantedRequest);
  } catch (error) {
    if (error instanceof ApprovalNeeded) return move(context, decideRequest);
    throw error;
  }
}

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
