import { fail } from "../../src/contract/errors.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import type { OperatorApi } from "../../src/operator/contract.ts";
import { findUserNamed, listUsers } from "../store/operated.ts";
import { setSuspended, type User } from "../store/users.ts";
import { type OperatorContext, operatorActor } from "./context.ts";

/** Handlers of `svc server user …`. */
export const userHandlers: GroupHandlers<OperatorApi["users"], OperatorContext> = {
  list: async (_input, { store }) => ({ users: (await listUsers(store)).map(shownUser) }),
  suspend: async ({ user: name, body: { suspended } }, { store }) => {
    const user =
      (await findUserNamed(store, name)) ??
      fail("notFound", `there is no account with the id, e-mail or username "${name}"`);
    await setSuspended(store, user.id, suspended, operatorActor);
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
