import type { Store, Tx } from "./open.ts";

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

/** Whether it still is that, of an account that is not suspended; it then stays so until the transaction ends. */
export async function holdPassword(tx: Tx, userId: string, passwordHash: string): Promise<boolean> {
  const held = await tx.db
    .updateTable("user")
    .set({ password_hash: passwordHash })
    .where("id", "=", userId)
    .where("password_hash", "=", passwordHash)
    .where("suspended_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return held !== undefined;
}

/** Replaces it while it still is `from`; says whether it was. */
export async function replacePasswordHash(
  tx: Tx,
  userId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const replaced = await tx.db
    .updateTable("user")
    .set({ password_hash: to, updated_at: tx.now })
    .where("id", "=", userId)
    .where("password_hash", "=", from)
    .returning("id")
    .executeTakeFirst();
  return replaced !== undefined;
}
