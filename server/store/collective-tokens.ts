import { fail } from "../../src/contract/errors.ts";
import type { CollectiveTokenTable } from "./collective-tables.ts";
import type { CollectiveChange } from "./collectives.ts";
import { recordKeyMove } from "./keys.ts";
import type { Reads, Store, Tx } from "./open.ts";
import type { KeyState } from "./people-tables.ts";

/** A token of a collective; the raw value is known only to whoever created it, its hash never leaves the store. */
export interface CollectiveToken {
  readonly id: string;
  readonly collectiveId: string;
  readonly name: string;
  /** The first characters, to tell tokens apart. */
  readonly start: string;
  readonly state: KeyState;
  readonly expiresAt: number | undefined;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
}

/** What is kept of a new token. */
export interface NewCollectiveToken {
  readonly name: string;
  readonly start: string;
  /** SHA-256 of the raw token, base64url. */
  readonly tokenHash: string;
  readonly expiresAt: number | undefined;
}

/** Inserts a token as Created and moves it to Enabled, both audited. */
export async function createCollectiveToken(
  { tx, collective, actor }: CollectiveChange,
  { name, start, tokenHash, expiresAt }: NewCollectiveToken,
): Promise<CollectiveToken> {
  const row: CollectiveTokenTable = {
    id: tx.store.id(),
    collective_id: collective.id,
    name,
    start,
    token_hash: tokenHash,
    state: "Created",
    expires_at: expiresAt ?? null,
    created_by: actor,
    created_at: tx.now,
    updated_at: tx.now,
    last_used_at: null,
  };
  await tx.db.insertInto("collective_token").values(row).execute();
  await recordKeyMove(tx, row.id, null, "Created", actor);
  return collectiveTokenOf(await move(tx, row, "Enabled", actor));
}

/** Tokens of a collective in order of creation, revoked and expired ones too. */
export async function listCollectiveTokens(reads: Reads, collectiveId: string): Promise<CollectiveToken[]> {
  const rows = await reads.db
    .selectFrom("collective_token")
    .selectAll()
    .where("collective_id", "=", collectiveId)
    .orderBy("id")
    .execute();
  return rows.map(collectiveTokenOf);
}

/** How many tokens a collective has that are not deleted; exact while its row is locked. */
export async function countCollectiveTokens({ tx, collective }: CollectiveChange): Promise<number> {
  const { count } = await tx.db
    .selectFrom("collective_token")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("collective_id", "=", collective.id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One token of the collective that is being changed; throws `keyNotFound`, also for another collective's. */
export async function getCollectiveToken(
  { tx, collective }: CollectiveChange,
  tokenId: string,
): Promise<CollectiveToken> {
  return collectiveTokenOf(await getRow(tx, collective.id, tokenId));
}

/** Revokes a token for good; it stays in the list. Again leaves nothing. Throws `keyNotFound`. */
export async function revokeCollectiveToken(
  { tx, collective, actor }: CollectiveChange,
  tokenId: string,
): Promise<CollectiveToken> {
  const row = await getRow(tx, collective.id, tokenId);
  return collectiveTokenOf(row.state === "Revoked" ? row : await move(tx, row, "Revoked", actor));
}

/** Removes a token from any state; only its audit trail stays. Throws `keyNotFound`. */
export async function deleteCollectiveToken(
  { tx, collective, actor }: CollectiveChange,
  tokenId: string,
): Promise<CollectiveToken> {
  const row = await getRow(tx, collective.id, tokenId);
  await tx.db.deleteFrom("collective_token").where("id", "=", row.id).execute();
  tx.changed(row.id);
  await recordKeyMove(tx, row.id, row.state, "Deleted", actor);
  return collectiveTokenOf(row);
}

/** Notes that a token was used, unless that was noted less than `everyMs` ago. */
export async function touchCollectiveToken(store: Store, tokenId: string, everyMs = 0): Promise<void> {
  await store.write((tx) =>
    tx.db
      .updateTable("collective_token")
      .set({ last_used_at: tx.now })
      .where("id", "=", tokenId)
      .where((row) => row.or([row("last_used_at", "is", null), row("last_used_at", "<=", tx.now - everyMs)]))
      .execute(),
  );
}

/** Lets go of the requests that the tokens of a user's personal collective hold. */
export async function wakePersonalTokens(tx: Tx, userId: string): Promise<void> {
  const rows = await tx.db
    .selectFrom("collective_token as t")
    .innerJoin("collective as c", "c.id", "t.collective_id")
    .select("t.id")
    .where("c.personal_of", "=", userId)
    .execute();
  for (const { id } of rows) tx.changed(id);
}

async function getRow(tx: Tx, collectiveId: string, tokenId: string): Promise<CollectiveTokenTable> {
  const row = await tx.db
    .selectFrom("collective_token")
    .selectAll()
    .where("id", "=", tokenId)
    .where("collective_id", "=", collectiveId)
    .executeTakeFirst();
  return row ?? fail("keyNotFound", "no such token in this collective");
}

async function move(
  tx: Tx,
  row: CollectiveTokenTable,
  state: KeyState,
  actor: string,
): Promise<CollectiveTokenTable> {
  const changes = { state, updated_at: tx.now };
  await tx.db.updateTable("collective_token").set(changes).where("id", "=", row.id).execute();
  // Requests that are held with it judge it again.
  tx.changed(row.id);
  await recordKeyMove(tx, row.id, row.state, state, actor);
  return { ...row, ...changes };
}

/** The row as the rest of the server sees it. */
export const collectiveTokenOf = (row: CollectiveTokenTable): CollectiveToken => ({
  id: row.id,
  collectiveId: row.collective_id,
  name: row.name,
  start: row.start,
  state: row.state,
  expiresAt: row.expires_at ?? undefined,
  createdBy: row.created_by,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
});
