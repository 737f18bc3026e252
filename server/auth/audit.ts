import type { Context } from "../context.ts";
import { type AuditEntry, type AuditOrigin, recordAudit } from "../store/audit.ts";
import type { CollectiveChange } from "../store/collectives.ts";
import type { Store } from "../store/open.ts";
import { actorIdOf, credentialIdOf } from "./principals.ts";

/** Who calls, with what, and from where; `userId` for who has just shown who they are. */
export function originOf({ principal, caller }: Context, userId?: string): AuditOrigin {
  const from = { ip: caller.ip, userAgent: caller.userAgent };
  if (userId !== undefined || principal === undefined) {
    const actorKind = userId === undefined ? "nobody" : "user";
    return { actorKind, actor: userId, credentialKind: undefined, credential: undefined, ...from };
  }
  return {
    actorKind: principal.kind === "collective" ? "collective" : "user",
    actor: actorIdOf(principal),
    credentialKind: principal.kind,
    credential: credentialIdOf(principal),
    ...from,
  };
}

/** Notes a change of a collective in the transaction that makes it. */
export const noteInCollective = (
  context: Context,
  { tx, collective }: CollectiveChange,
  entry: AuditEntry,
): Promise<void> => recordAudit(tx, originOf(context), { ...entry, collectiveId: collective.id });

/**
 * Does something and notes it in one transaction. What `act` writes through the store it is given joins that; it must
 * compute nothing long and call nobody meanwhile. `userId` as for {@link originOf}.
 */
export function audited<T>(
  context: Context,
  act: (store: Store) => Promise<T>,
  entryOf: (result: T) => AuditEntry,
  userId?: string,
): Promise<T> {
  const { store } = context.server;
  return store.write(async (tx) => {
    const result = await act({ ...store, write: (work) => work(tx) });
    await recordAudit(tx, originOf(context, userId), entryOf(result));
    return result;
  });
}
