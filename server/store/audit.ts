import { sql } from "kysely";
import type { Reads, Store, Tx } from "./open.ts";

/** What an entry can tell. */
export type AuditKind =
  | "account.created"
  | "account.suspended"
  | "account.reinstated"
  | "session.opened"
  | "session.approved"
  | "session.refused"
  | "session.ended"
  | "password.changed"
  | "key.created"
  | "key.changed"
  | "key.revoked"
  | "key.deleted"
  | "workspace.created"
  | "workspace.updated"
  | "workspace.deleted"
  | "workspace.restored"
  | "workspace.quarantined"
  | "workspace.quarantine_lifted"
  | "workspace_token.created"
  | "workspace_token.revoked"
  | "member.invited"
  | "member.joined"
  | "member.removed"
  | "member.left"
  | "member.changed"
  | "collective.created"
  | "collective.renamed"
  | "collective.deleted"
  | "collective_member.joined"
  | "collective_member.changed"
  | "collective_member.removed"
  | "collective_member.left"
  | "collective_invitation.created"
  | "collective_invitation.withdrawn"
  | "collective_token.created"
  | "collective_token.revoked"
  | "collective_token.deleted"
  | "workspace.granted"
  | "workspace.ungranted";

/** Which log an entry stands in: of an account, a workspace or a collective; an entry may stand in several. */
export interface AuditScope {
  readonly userId?: string | undefined;
  readonly workspaceId?: string | undefined;
  readonly collectiveId?: string | undefined;
}

/** What was done. `data` holds no secret: whoever reads the log sees it. */
export interface AuditEntry extends AuditScope {
  readonly kind: AuditKind;
  /** Id of what it was done to. */
  readonly subject?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Who did it, with what, and from where. */
export interface AuditOrigin {
  readonly actorKind: "user" | "collective" | "operator" | "nobody";
  readonly actor: string | undefined;
  readonly credentialKind: string | undefined;
  /** Id of the session, key or token. */
  readonly credential: string | undefined;
  /** Undefined for who is at the machine itself. */
  readonly ip: string | undefined;
  readonly userAgent: string | undefined;
}

export interface AuditTable {
  id: string;
  at: number;
  kind: string;
  actor_kind: string;
  actor: string | null;
  credential_kind: string | null;
  credential: string | null;
  ip: string | null;
  user_agent: string | null;
  subject: string | null;
  user_id: string | null;
  workspace_id: string | null;
  collective_id: string | null;
  /** JSON object. */
  data: string;
}

/** Stores an entry as part of the write that it tells of: neither is there without the other. */
export async function recordAudit(tx: Tx, origin: AuditOrigin, entry: AuditEntry): Promise<void> {
  await tx.db
    .insertInto("audit")
    .values(rowOf(tx, origin, entry))
    .execute();
}

/** The same of several entries, in one statement. */
export async function recordAudits(
  tx: Tx,
  origin: AuditOrigin,
  entries: readonly AuditEntry[],
): Promise<void> {
  const rows = entries.map((entry) => rowOf(tx, origin, entry));
  await tx.engine.bulk(tx.db, "audit", auditColumns, rows);
}

function rowOf(tx: Tx, origin: AuditOrigin, entry: AuditEntry): AuditTable {
  return {
    id: tx.store.id(),
    at: tx.now,
    kind: entry.kind,
    actor_kind: origin.actorKind,
    actor: origin.actor ?? null,
    credential_kind: origin.credentialKind ?? null,
    credential: origin.credential ?? null,
    ip: origin.ip ?? null,
    user_agent: origin.userAgent ?? null,
    subject: entry.subject ?? null,
    user_id: entry.userId ?? null,
    workspace_id: entry.workspaceId ?? null,
    collective_id: entry.collectiveId ?? null,
    data: JSON.stringify(entry.data ?? {}),
  };
}

const auditColumns = [
  "id",
  "at",
  "kind",
  "actor_kind",
  "actor",
  "credential_kind",
  "credential",
  "ip",
  "user_agent",
  "subject",
  "user_id",
  "workspace_id",
  "collective_id",
  "data",
] as const;

const columns = { userId: "user_id", workspaceId: "workspace_id", collectiveId: "collective_id" } as const;

/** An entry with the name of the user who did it; null for one that is gone, and where it was no user. */
export type AuditRow = AuditTable & { readonly username: string | null };

/** Part of one log, newest first, after the entry `cursor`; one more than `limit` tells that there are others. */
export async function listAudit(
  reads: Reads,
  [scope, id]: readonly [keyof AuditScope, string],
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<AuditRow[]> {
  let query = reads.db
    .selectFrom("audit")
    .leftJoin("user", "user.id", "audit.actor")
    .selectAll("audit")
    .select("user.username")
    .where(`audit.${columns[scope]}`, "=", id);
  if (cursor !== undefined) query = query.where("audit.id", "<", cursor);
  return query
    .orderBy("audit.id", "desc")
    .limit(limit + 1)
    .execute();
}

/** Deletes entries older than `before`; answers how many. */
export async function forgetAudit(store: Store, before: number): Promise<number> {
  return store.write(async (tx) => {
    const deleted = await sql`delete from audit where at < ${before}`.execute(tx.db);
    return Number(deleted.numAffectedRows ?? 0);
  });
}
