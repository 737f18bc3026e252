import type { Store } from "./open.ts";

/** Whether the database answers and carries its migrations. */
export async function isReady(store: Store): Promise<boolean> {
  try {
    return (await store.db.selectFrom("migration").select("name").limit(1).execute()).length > 0;
  } catch {
    return false;
  }
}
