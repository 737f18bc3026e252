import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import type { OperatorApi } from "../../src/operator/contract.ts";
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
  restore: ({ workspaceId }, { store }) =>
    store.write(async (tx) => {
      const workspace = await getOperatedWorkspace(tx, workspaceId.toUpperCase());
      if (workspace.deletedAt === undefined) return shown(workspace);
      await markWorkspace(tx, workspace.id, "deleted_at", false, { kind: "workspace.restored", actor });
      return shown({ ...workspace, deletedAt: undefined });
    }),
  quarantine: ({ workspaceId, body: { quarantined } }, { store }) =>
    store.write(async (tx) => {
      const workspace = await getOperatedWorkspace(tx, workspaceId.toUpperCase());
      if ((workspace.quarantinedAt !== undefined) === quarantined) return shown(workspace);
      const kind = quarantined ? "workspace.quarantined" : "workspace.quarantine_lifted";
      await markWorkspace(tx, workspace.id, "quarantined_at", quarantined, { kind, actor });
      return shown({ ...workspace, quarantinedAt: quarantined ? tx.now : undefined });
    }),
};

const shown = ({ id, displayName, owners, deletedAt, quarantinedAt }: OperatedWorkspace) => ({
  id,
  displayName,
  owners: [...owners],
  deletedAt: deletedAt === undefined ? null : toTimestamp(deletedAt),
  quarantinedAt: quarantinedAt === undefined ? null : toTimestamp(quarantinedAt),
});
