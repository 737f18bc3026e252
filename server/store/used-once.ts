import type { Reads, Store } from "./open.ts";

/** What counts once and was used: requests of terminals that were approved, forms that made something. */
export interface UsedOnceTable {
  /** SHA-256 of what was used, base64url. */
  hash: string;
  used_at: number;
}

/** Notes a use by the SHA-256 of what counts once; false where it was used before, in whichever process. */
export async function useOnce(store: Store, hash: string): Promise<boolean> {
  return store.write(async (tx) => {
    const rows = await tx.db
      .insertInto("used_once")
      .values({ hash, used_at: tx.now })
      .onConflict((conflict) => conflict.column("hash").doNothing())
      .returning("hash")
      .execute();
    return rows.length === 1;
  });
}

/** Whether it was used, and that is not forgotten yet. */
export async function wasUsed({ db }: Reads, hash: string): Promise<boolean> {
  const row = await db.selectFrom("used_once").select("hash").where("hash", "=", hash).executeTakeFirst();
  return row !== undefined;
}

/** Takes a use back that came to nothing: it may be used again. */
export async function takeBackUse(store: Store, hash: string): Promise<void> {
  await store.write((tx) => tx.db.deleteFrom("used_once").where("hash", "=", hash).execute());
}

/** Forgets uses from before `before`; answers how many. */
export async function forgetUses(store: Store, before: number): Promise<number> {
  const rows = await store.write((tx) =>
    tx.db.deleteFrom("used_once").where("used_at", "<", before).returning("hash").execute(),
  );
  return rows.length;
}
