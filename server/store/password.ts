import type { Store } from "./open.ts";

/** Replaces what is kept of a user's password. */
export async function setPasswordHash(store: Store, userId: string, passwordHash: string): Promise<void> {
  await store.write((tx) =>
    tx.db
      .updateTable("user")
      .set({ password_hash: passwordHash, updated_at: tx.now })
      .where("id", "=", userId)
      .execute(),
  );
}
