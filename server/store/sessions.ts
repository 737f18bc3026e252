import type { Store } from "./open.ts";
import type { SessionTable } from "./tables.ts";
import { findUser, type User } from "./users.ts";

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

/** The session of this token with its user, as long as it is neither revoked nor expired nor the user suspended. */
export async function findSession(
  store: Store,
  tokenHash: string,
): Promise<{ readonly session: Session; readonly user: User } | undefined> {
  const row = await store.db
    .selectFrom("session")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", store.clock.now())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const user = await findUser(store, row.user_id);
  return user === undefined || user.suspendedAt !== undefined ? undefined : { session: sessionOf(row), user };
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
  await store.write((tx) =>
    tx.db
      .updateTable("session")
      .set({ revoked_at: tx.now })
      .where("id", "=", sessionId)
      .where("revoked_at", "is", null)
      .execute(),
  );
}

/** Deletes sessions that expired before `before`. */
export async function pruneSessions(store: Store, before: number): Promise<void> {
  await store.write((tx) => tx.db.deleteFrom("session").where("expires_at", "<", before).execute());
}

const sessionOf = (row: SessionTable): Session => ({
  id: row.id,
  userId: row.user_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  ip: row.ip ?? undefined,
  userAgent: row.user_agent ?? undefined,
});
