import { fail } from "../../src/contract/errors.ts";
import { recordEvent } from "./events.ts";
import type { Reads, Store, Tx } from "./open.ts";
import type { WorkspaceTokenTable } from "./people-tables.ts";

/** A token that acts in one workspace for one user; its value is signed and never kept. */
export interface WorkspaceToken {
  /** The `jti` of the signed value. */
  readonly id: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly name: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
  readonly lastUsedAt: number | undefined;
}

/** What is kept of a new token. */
export interface NewWorkspaceToken {
  readonly id: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly name: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Keeps a token before its value is given away; throws `workspaceNotFound` when the workspace is gone. */
export async function createWorkspaceToken(store: Store, token: NewWorkspaceToken): Promise<void> {
  await store.write(async (tx) => {
    // Locked, so that a deletion of the workspace either sees this token or comes first.
    const workspace = await tx.db
      .updateTable("workspace")
      .set((row) => ({ event_seq: row.ref("event_seq") }))
      .where("id", "=", token.workspaceId)
      .where("deleted_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (workspace === undefined) fail("workspaceNotFound");
    await insertWorkspaceToken(tx, token);
  });
}

/** The same within a transaction that has locked the workspace. */
export async function insertWorkspaceToken(tx: Tx, token: NewWorkspaceToken): Promise<void> {
  const { id, workspaceId, userId, name, createdAt, expiresAt } = token;
  const row: WorkspaceTokenTable = {
    id,
    workspace_id: workspaceId,
    user_id: userId,
    name: name ?? null,
    created_at: createdAt,
    expires_at: expiresAt,
    revoked_at: null,
    last_used_at: null,
  };
  await tx.db.insertInto("workspace_token").values(row).execute();
  const event = { workspaceId, actor: userId, subject: id, data: { name: name ?? null, expiresAt } };
  recordEvent(tx, { ...event, kind: "workspace_token.created" });
}

/** A token with the address of the user whose rights it has. */
export interface HeldWorkspaceToken {
  readonly token: WorkspaceToken;
  readonly userEmail: string;
}

/** The tokens of a workspace with their users, or those of one user, in order of creation; revoked and expired ones too. */
export async function listHeldTokens(
  reads: Reads,
  workspaceId: string,
  userId?: string,
): Promise<HeldWorkspaceToken[]> {
  const all = heldTokens(reads, workspaceId);
  const rows = await (userId === undefined
    ? all
    : all.where("workspace_token.user_id", "=", userId)
  ).execute();
  return rows.map(heldOf);
}

/** One token of a workspace; throws `workspaceTokenNotFound`. */
export async function getHeldToken(
  reads: Reads,
  workspaceId: string,
  tokenId: string,
): Promise<HeldWorkspaceToken> {
  const row = await heldTokens(reads, workspaceId)
    .where("workspace_token.id", "=", tokenId)
    .executeTakeFirst();
  return row === undefined ? fail("workspaceTokenNotFound") : heldOf(row);
}

const heldTokens = (reads: Reads, workspaceId: string) =>
  reads.db
    .selectFrom("workspace_token")
    .innerJoin("user", "user.id", "workspace_token.user_id")
    .selectAll("workspace_token")
    .select("user.email")
    .where("workspace_token.workspace_id", "=", workspaceId)
    .orderBy("workspace_token.id");

const heldOf = (row: WorkspaceTokenTable & { readonly email: string }): HeldWorkspaceToken => ({
  token: workspaceTokenOf(row),
  userEmail: row.email,
});

/** Revokes one token of a workspace for good, as part of a write; of what is revoked already, and of none, it leaves nothing. */
export async function revokeWorkspaceToken(
  tx: Tx,
  { workspaceId, tokenId, actor }: { workspaceId: string; tokenId: string; actor: string },
): Promise<void> {
  const revoked = await revoke(tx, workspaceId, { id: tokenId });
  if (revoked.length === 0) return;
  recordEvent(tx, { workspaceId, actor, kind: "workspace_token.revoked", subject: tokenId });
}

/**
 * Revokes every token of a workspace, or those of one user in it, as part of a write that leaves an event of its own; says
 * how many there were.
 */
export async function revokeWorkspaceTokensOf(tx: Tx, workspaceId: string, userId?: string): Promise<number> {
  return (await revoke(tx, workspaceId, userId === undefined ? {} : { user_id: userId })).length;
}

/** Notes that a token was used, unless that was noted less than `everyMs` ago. */
export async function touchWorkspaceToken(store: Store, tokenId: string, everyMs = 0): Promise<void> {
  await store.write((tx) =>
    tx.db
      .updateTable("workspace_token")
      .set({ last_used_at: tx.now })
      .where("id", "=", tokenId)
      .where((row) => row.or([row("last_used_at", "is", null), row("last_used_at", "<=", tx.now - everyMs)]))
      .execute(),
  );
}

/** Revokes what is not revoked yet, and lets go of the requests that it holds. */
async function revoke(
  tx: Tx,
  workspaceId: string,
  which: Partial<Pick<WorkspaceTokenTable, "id" | "user_id">>,
): Promise<WorkspaceToken[]> {
  let query = tx.db
    .updateTable("workspace_token")
    .set({ revoked_at: tx.now })
    .where("workspace_id", "=", workspaceId)
    .where("revoked_at", "is", null);
  if (which.id !== undefined) query = query.where("id", "=", which.id);
  if (which.user_id !== undefined) query = query.where("user_id", "=", which.user_id);
  const rows = await query.returningAll().execute();
  for (const { id } of rows) tx.changed(id);
  return rows.map(workspaceTokenOf);
}

/** The row as the rest of the server sees it. */
export const workspaceTokenOf = (row: WorkspaceTokenTable): WorkspaceToken => ({
  id: row.id,
  workspaceId: row.workspace_id,
  userId: row.user_id,
  name: row.name ?? undefined,
  createdAt: row.created_at,
  expiresAt: row.expires_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
  lastUsedAt: row.last_used_at ?? undefined,
});
