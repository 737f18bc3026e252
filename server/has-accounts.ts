import { systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";
import { openDatabase } from "./database.ts";
import { hasUsers } from "./store/users.ts";

/** Whether a database that is there has any account; opens it in this process. Throws a `Problem` where that fails. */
export async function hasAccounts(database: string): Promise<boolean> {
  const store = await openDatabase(database, systemClock, silentLog);
  try {
    return await hasUsers(store);
  } finally {
    await store.close();
  }
}
