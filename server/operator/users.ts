import { fail } from "../../src/contract/errors.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import type { OperatorApi } from "../../src/operator/contract.ts";
import { recordAudit } from "../store/audit.ts";
import { findUserNamed, listUsers } from "../store/operated.ts";
import { setSuspended, type User } from "../store/users.ts";
import { atTheMachine } from "./at-the-machine.ts";
import { type OperatorContext, operatorActor } from "./context.ts";

/** Handlers of `svc server user …`. */
export const userHandlers: GroupHandlers<OperatorApi["users"], OperatorContext> = {
  list: async (_input, { store }) => ({ users: (await listUsers(store)).map(shownUser) }),
  suspend: async ({ user: name, body: { suspended } }, { store }) => {
    const user =
      (await findUserNamed(store, name)) ??
      fail("notFound", `there is no account with the id, e-mail or username "${name}"`);
    await store.write(async (tx) => {
      if (!(await setSuspended(tx, user.id, suspended, operatorActor))) return;
      const kind = suspended ? "account.suspended" : "account.reinstated";
      await recordAudit(tx, atTheMachine, { kind, subject: user.id, userId: user.id });
    });
    return shownUser((await findUserNamed(store, user.id)) ?? fail("notFound"));
  },
};

/** An account as the operator sees it on the wire. */
export const shownUser = ({ id, email, username, suspendedAt }: User) => ({
  id,
  email,
  username,
  suspendedAt: suspendedAt === undefined ? null : toTimestamp(suspendedAt),
});
