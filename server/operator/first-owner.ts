import { fail } from "../../src/contract/errors.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import type { OperatorApi } from "../../src/operator/contract.ts";
import { createAccount } from "../auth/accounts.ts";
import { noteServerKey } from "../auth/server-key.ts";
import { recordAudit } from "../store/audit.ts";
import type { Tx } from "../store/open.ts";
import { hasUsers, holdFirst, type User } from "../store/users.ts";
import type { Workspace } from "../store/workspaces.ts";
import { atTheMachine } from "./at-the-machine.ts";
import type { OperatorContext } from "./context.ts";
import { shownUser } from "./users.ts";

/** Handlers of `svc server init`. */
export const firstOwnerHandlers: GroupHandlers<OperatorApi["firstOwner"], OperatorContext> = {
  create: async ({ body }, { store, keys }) => {
    if (await hasUsers(store)) fail("accountsExist");
    // The database belongs to this key from now on.
    await noteServerKey(store, (await keys()).base);
    const { user, workspace } = await createAccount(store, body, {
      admit: async (tx) => {
        if (!(await holdFirst(tx))) fail("accountsExist");
      },
      also: noteFirst,
    });
    return { user: shownUser(user), workspaceId: workspace.id };
  },
};

const noteFirst = (tx: Tx, { id }: User, workspace: Workspace): Promise<void> =>
  recordAudit(tx, atTheMachine, {
    kind: "account.created",
    subject: id,
    userId: id,
    workspaceId: workspace.id,
  });
