import { sql } from "kysely";
import type { Reads, Store, Tx } from "./open.ts";
import type { SessionTable } from "./people-tables.ts";

/** A signed-in browser or client; the token itself is never stored. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number;
  readonly ip: string | undefined;
  readonly userAgent: string | undefined;
}

export interface NewSession {
  readonly userId: string;
  /** SHA-256 of the token, base64url. */
  readonly tokenHash: string;
  readonly expiresAt: number;
  readonly ip?: string;
  readonly userAgent?: string;
}

/** Opens a session. */
export async function createSession(store: Store, session: NewSession): Promise<Session> {
  return store.write(async (tx) => {
    const row: SessionTable = {
      id: store.id(),
      token_hash: session.tokenHash,
      user_id: session.userId,
      created_at: tx.now,
      expires_at: session.expiresAt,
      last_used_at: tx.now,
      ip: session.ip ?? null,
      user_agent: session.userAgent ?? null,
      revoked_at: null,
    };
    await tx.db.insertInto("session").values(row).execute();
    return sessionOf(row);
  });
}

/** Notes that the session was used now, and moves its expiry when `expiresAt` is given. */
export async function touchSession(store: Store, sessionId: string, expiresAt?: number): Promise<void> {
  await store.write((tx) =>
    tx.db
      .updateTable("session")
      .set({ last_used_at: tx.now, ...(expiresAt === undefined ? {} : { expires_at: expiresAt }) })
      .where("id", "=", sessionId)
      .execute(),
  );
}

/** Ends a session for good; doing it twice changes nothing. */
export async function revokeSession(store: Store, sessionId: string): Promise<void> {
  await store.write(async (tx) => {
    await tx.db
      .updateTable("session")
      .set({ revoked_at: tx.now })
      .where("id", "=", sessionId)
      .where("revoked_at", "is", null)
      .execute();
    // Requests that are held with it judge it again.
    tx.changed(sessionId);
  });
}

/** Most sessions that are listed: more than anybody looks through, at about 300 bytes each. */
const maximumListed = 1_000;

/** A user's sessions that let in at `now`, the newest first. */
export async function listSessions(reads: Reads, userId: string, now: number): Promise<Session[]> {
  const rows = await reads.db
    .selectFrom("session")
    .selectAll()
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .orderBy("id", "desc")
    .limit(maximumListed)
    .execute();
  return rows.map(sessionOf);
}

/** Which of a user's sessions are meant; without a member all of them. */
export interface WhichSessions {
  readonly only?: { readonly id: string; readonly tokenHash: string };
  /** Id of the one that stays. */
  readonly except?: string;
}

/** Ends sessions of a user for good, and lets go of the requests that they hold; answers the ids of those it ended. */
export async function revokeSessions(
  tx: Tx,
  userId: string,
  { only, except }: WhichSessions = {},
): Promise<string[]> {
  let query = tx.db
    .updateTable("session")
    .set({ revoked_at: tx.now })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null);
  if (except !== undefined) query = query.where("id", "<>", except);
  if (only !== undefined) {
    query = query.where((row) => row.or([row("id", "=", only.id), row("token_hash", "=", only.tokenHash)]));
  }
  const ended = (await query.returning("id").execute()).map(({ id }) => id);
  for (const id of ended) tx.changed(id);
  return ended;
}

/**
 * Ends what a user has besides the `keep` sessions that were used last, and lets go of the requests that these hold;
 * answers the ids of those it ended. The user's row must be locked.
 */
export async function endSurplusSessions(tx: Tx, userId: string, keep: number): Promise<string[]> {
  const rows = await tx.db
    .selectFrom("session")
    .select("id")
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", tx.now)
    .orderBy("last_used_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const ended = rows.slice(keep).map(({ id }) => id);
  if (ended.length === 0) return ended;
  await sql`update session set revoked_at = ${tx.now} where id ${tx.engine.within(ended)}`.execute(tx.db);
  for (const id of ended) tx.changed(id);
  return ended;
}

/** Deletes sessions that expired before `before`; answers how many. */
export async function forgetSessions(store: Store, before: number): Promise<number> {
  const rows = await store.write((tx) =>
    tx.db.deleteFrom("session").where("expires_at", "<", before).returning("id").execute(),
  );
  return rows.length;
}

/** The row as the rest of the server sees it. */
export const sessionOf = (row: SessionTable): Session => ({
  id: row.id,
  userId: row.user_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  ip: row.ip ?? undefined,
  userAgent: row.user_agent ?? undefined,
});
