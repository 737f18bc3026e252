import type { Store } from "./open.ts";
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

/** Deletes sessions that expired before `before`. */
export async function pruneSessions(store: Store, before: number): Promise<void> {
  await store.write((tx) => tx.db.deleteFrom("session").where("expires_at", "<", before).execute());
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
