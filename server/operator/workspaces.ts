import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import type { OperatorApi } from "../../src/operator/contract.ts";
import type { Tx } from "../store/open.ts";
import {
  getOperatedWorkspace,
  listOperatedWorkspaces,
  markWorkspace,
  type OperatedWorkspace,
} from "../store/operated.ts";
import { operatorActor as actor, type OperatorContext } from "./context.ts";

/** Handlers of `svc server workspace …`. */
export const workspaceHandlers: GroupHandlers<OperatorApi["workspaces"], OperatorContext> = {
  list: async (_input, { store }) => ({ workspaces: (await listOperatedWorkspaces(store)).map(shown) }),
  restore: ({ workspaceId }, context) =>
    move(context, workspaceId, (tx, id) =>
      markWorkspace(tx, id, "deleted_at", false, { kind: "workspace.restored", actor }),
    ),
  quarantine: ({ workspaceId, body: { quarantined } }, context) =>
    move(context, workspaceId, (tx, id) => {
      const kind = quarantined ? "workspace.quarantined" : "workspace.quarantine_lifted";
      return markWorkspace(tx, id, "quarantined_at", quarantined, { kind, actor });
    }),
};

/** One write to a workspace whatever its state; answers what it is afterwards. */
const move = ({ store }: OperatorContext, workspaceId: string, work: (tx: Tx, id: string) => Promise<void>) =>
  store.write(async (tx) => {
    const id = workspaceId.toUpperCase();
    await work(tx, id);
    return shown(await getOperatedWorkspace(tx, id));
  });

const shown = ({ id, displayName, owners, deletedAt, quarantinedAt }: OperatedWorkspace) => ({
  id,
  displayName,
  owners: [...owners],
  deletedAt: deletedAt === undefined ? null : toTimestamp(deletedAt),
  quarantinedAt: quarantinedAt === undefined ? null : toTimestamp(quarantinedAt),
});
