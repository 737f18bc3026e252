import { sql } from "kysely";
import { fail } from "../../src/contract/errors.ts";
import type { Reads, Store, Tx } from "./open.ts";
import type { ApiKeyTable, KeyAuditTable, KeyState } from "./people-tables.ts";

/** A personal key; the raw value is known only to whoever created it, its hash never leaves the store. */
export interface Key {
  readonly id: string;
  readonly userId: string;
  readonly name: string | undefined;
  /** The first characters, to tell keys apart. */
  readonly start: string;
  readonly prefix: string;
  readonly state: KeyState;
  readonly expiresAt: number | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastUsedAt: number | undefined;
  readonly requestCount: number;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

export interface NewKey {
  readonly userId: string;
  readonly actor: string;
  readonly name?: string;
  readonly start: string;
  readonly prefix: string;
  /** SHA-256 of the raw key, base64url. */
  readonly keyHash: string;
  readonly expiresAt?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What an update may change; null clears. */
export interface KeyChanges {
  readonly name?: string | null;
  readonly enabled?: boolean;
  readonly expiresAt?: number | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

/**
 * Inserts the key as Created and moves it to Enabled, both audited, in one transaction; unless `admit` throws at how many
 * its user has, which stands until the transaction ends.
 */
export async function createKey(
  store: Store,
  key: NewKey,
  admit: (count: number) => void = () => {},
): Promise<Key> {
  return store.write(async (tx) => {
    await tx.engine.hold(tx.db, `keys of ${key.userId}`);
    admit(await countKeys(tx, key.userId));
    const row: ApiKeyTable = {
      id: store.id(),
      user_id: key.userId,
      name: key.name ?? null,
      start: key.start,
      prefix: key.prefix,
      key_hash: key.keyHash,
      state: "Created",
      expires_at: key.expiresAt ?? null,
      created_at: tx.now,
      updated_at: tx.now,
      last_used_at: null,
      request_count: 0,
      metadata: key.metadata === undefined ? null : JSON.stringify(key.metadata),
    };
    await tx.db.insertInto("api_key").values(row).execute();
    await recordKeyMove(tx, row.id, null, "Created", key.actor);
    return keyOf(await move(tx, row, "Enabled", key.actor));
  });
}

/** Which part of a user's keys is listed, and in which order. */
export interface KeyPage {
  readonly limit?: number;
  readonly offset?: number;
  /** Default `createdAt`. Keys that were never used, or have no name, come first; those without expiry last. */
  readonly sortBy?: KeyOrder;
  /** Default false. */
  readonly descending?: boolean;
}

/** What keys are sorted by; equal ones by creation. Nulls are given values, since engines place them differently. */
const orders = {
  createdAt: sql`id`,
  updatedAt: sql`updated_at`,
  lastRequest: sql`coalesce(last_used_at, 0)`,
  // 2^53 - 1: after every time there is.
  expiresAt: sql`coalesce(expires_at, 9007199254740991)`,
  name: sql`lower(coalesce(name, ''))`,
} as const;
export type KeyOrder = keyof typeof orders;

/** A part of a user's keys, and how many there are in all. */
export async function listKeys(
  store: Store,
  userId: string,
  { limit = 100, offset = 0, sortBy = "createdAt", descending = false }: KeyPage = {},
): Promise<{ readonly keys: Key[]; readonly total: number }> {
  const keys = store.db.selectFrom("api_key").where("user_id", "=", userId);
  const direction = descending ? "desc" : "asc";
  const sorted = keys.selectAll().orderBy(orders[sortBy], direction).orderBy("id", direction);
  const rows = await sorted.limit(limit).offset(offset).execute();
  return { keys: rows.map(keyOf), total: await countKeys(store, userId) };
}

async function countKeys(reads: Reads, userId: string): Promise<number> {
  const { count } = await reads.db
    .selectFrom("api_key")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One key of this user; throws `keyNotFound` also for another user's. */
export async function getKey(store: Store, userId: string, keyId: string): Promise<Key> {
  const row = await store.db
    .selectFrom("api_key")
    .selectAll()
    .where("id", "=", keyId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row === undefined ? fail("keyNotFound") : keyOf(row);
}

/** A key after a change, and whether that revoked it: once more leaves it as it is. */
export type ChangedKey = Key & { readonly revokedNow: boolean };

/** Changes a key; `enabled: false` revokes it. Throws `keyNotFound`, and `keyRevoked` on `enabled: true` of a revoked one. */
export async function updateKey(
  store: Store,
  target: { readonly userId: string; readonly keyId: string; readonly actor: string },
  changes: KeyChanges,
): Promise<ChangedKey> {
  return store.write(async (tx) => {
    const row = await lock(tx, target.userId, target.keyId);
    if (changes.enabled === true && row.state === "Revoked") fail("keyRevoked");
    const { name = row.name, expiresAt = row.expires_at } = changes;
    const metadata = changes.metadata === undefined ? row.metadata : textOf(changes.metadata);
    await tx.db
      .updateTable("api_key")
      .set({ name, expires_at: expiresAt, metadata })
      .where("id", "=", row.id)
      .execute();
    const changed = { ...row, name, expires_at: expiresAt, metadata };
    const revoke = changes.enabled === false && row.state !== "Revoked";
    const after = revoke ? await move(tx, changed, "Revoked", target.actor) : changed;
    return { ...keyOf(after), revokedNow: revoke };
  });
}

/** Removes a key from any state, and answers what it was; only its audit trail stays. Throws `keyNotFound`. */
export async function deleteKey(
  store: Store,
  target: { readonly userId: string; readonly keyId: string; readonly actor: string },
): Promise<Key> {
  return store.write(async (tx) => {
    const row = await lock(tx, target.userId, target.keyId);
    await tx.db.deleteFrom("api_key").where("id", "=", row.id).execute();
    tx.changed(row.id);
    await recordKeyMove(tx, row.id, row.state, "Deleted", target.actor);
    return keyOf(row);
  });
}

/** Notes that the key authenticated a request now, unless that was noted less than `everyMs` ago, by any process. */
export async function touchKey(store: Store, keyId: string, everyMs = 0): Promise<void> {
  await store.write((tx) =>
    tx.db
      .updateTable("api_key")
      .set((row) => ({ last_used_at: tx.now, request_count: row("request_count", "+", 1) }))
      .where("id", "=", keyId)
      .where((row) => row.or([row("last_used_at", "is", null), row("last_used_at", "<=", tx.now - everyMs)]))
      .execute(),
  );
}

/** Every state move of a key, oldest first; it outlives the key. */
export async function listKeyAudit(store: Store, keyId: string): Promise<KeyAuditTable[]> {
  return store.db.selectFrom("key_audit").selectAll().where("key_id", "=", keyId).orderBy("id").execute();
}

async function lock(tx: Tx, userId: string, keyId: string): Promise<ApiKeyTable> {
  const row = await tx.db
    .updateTable("api_key")
    .set({ updated_at: tx.now })
    .where("id", "=", keyId)
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirst();
  return row ?? fail("keyNotFound");
}

async function move(tx: Tx, row: ApiKeyTable, state: KeyState, actor: string): Promise<ApiKeyTable> {
  await tx.db.updateTable("api_key").set({ state }).where("id", "=", row.id).execute();
  // Requests that are held with it judge it again.
  tx.changed(row.id);
  await recordKeyMove(tx, row.id, row.state, state, actor);
  return { ...row, state };
}

/** Notes one move of the state of a key or a collective token; the note outlives both. */
export async function recordKeyMove(
  tx: Tx,
  keyId: string,
  from: KeyState | null,
  to: KeyAuditTable["to_state"],
  actor: string,
): Promise<void> {
  const row = { id: tx.store.id(), key_id: keyId, at: tx.now, from_state: from, to_state: to, actor };
  await tx.db.insertInto("key_audit").values(row).execute();
}

/** The same of several keys that move to one state, in one statement. */
export async function recordKeyMoves(
  tx: Tx,
  moves: readonly { readonly keyId: string; readonly from: KeyState }[],
  to: KeyAuditTable["to_state"],
  actor: string,
): Promise<void> {
  const rows = moves.map(
    ({ keyId, from }): KeyAuditTable => ({
      id: tx.store.id(),
      key_id: keyId,
      at: tx.now,
      from_state: from,
      to_state: to,
      actor,
    }),
  );
  await tx.engine.bulk(tx.db, "key_audit", keyAuditColumns, rows);
}

const keyAuditColumns = ["id", "key_id", "at", "from_state", "to_state", "actor"] as const;

const textOf = (metadata: object | null): string | null =>
  metadata === null ? null : JSON.stringify(metadata);

/** The row as the rest of the server sees it. */
export const keyOf = (row: ApiKeyTable): Key => ({
  id: row.id,
  userId: row.user_id,
  name: row.name ?? undefined,
  start: row.start,
  prefix: row.prefix,
  state: row.state,
  expiresAt: row.expires_at ?? undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  lastUsedAt: row.last_used_at ?? undefined,
  requestCount: row.request_count,
  metadata: row.metadata === null ? undefined : JSON.parse(row.metadata),
});
