import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import type { OperatorApi } from "../../src/operator/contract.ts";
import { recordAudit } from "../store/audit.ts";
import {
  getOperatedWorkspace,
  listOperatedWorkspaces,
  markWorkspace,
  type OperatedWorkspace,
} from "../store/operated.ts";
import { atTheMachine } from "./at-the-machine.ts";
import { operatorActor as actor, type OperatorContext } from "./context.ts";

/** Handlers of `svc server workspace …`. */
export const workspaceHandlers: GroupHandlers<OperatorApi["workspaces"], OperatorContext> = {
  list: async (_input, { store }) => ({ workspaces: (await listOperatedWorkspaces(store)).map(shown) }),
  restore: ({ workspaceId }, context) => move(context, workspaceId, "workspace.restored"),
  quarantine: ({ workspaceId, body: { quarantined } }, context) =>
    move(context, workspaceId, quarantined ? "workspace.quarantined" : "workspace.quarantine_lifted"),
};

/** What each move does to a workspace's marks. */
const moves = {
  "workspace.restored": { clear: "deleted_at" },
  "workspace.quarantined": { set: "quarantined_at" },
  "workspace.quarantine_lifted": { clear: "quarantined_at" },
} as const;

/** Sets or clears a mark of a workspace whatever its state, and notes it; answers what it is afterwards. */
const move = ({ store }: OperatorContext, workspaceId: string, kind: keyof typeof moves) =>
  store.write(async (tx) => {
    const id = workspaceId.toUpperCase();
    if (await markWorkspace(tx, id, moves[kind], { kind, actor }))
      await recordAudit(tx, atTheMachine, { kind, subject: id, workspaceId: id });
    return shown(await getOperatedWorkspace(tx, id));
  });

const shown = ({ id, displayName, owners, deletedAt, quarantinedAt }: OperatedWorkspace) => ({
  id,
  displayName,
  owners: [...owners],
  deletedAt: deletedAt === undefined ? null : toTimestamp(deletedAt),
  quarantinedAt: quarantinedAt === undefined ? null : toTimestamp(quarantinedAt),
});
