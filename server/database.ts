import type { Clock } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";
import { Problem } from "../src/lib/problem.ts";
import { DatabaseInUseError, openStore, type Store, StoreError } from "./store/open.ts";
import { storeLog } from "./store-log.ts";

/**
 * Opens a database for this process; throws a {@link Problem} of one line for what a person can mend, with the code
 * `database_in_use` when another process has it.
 */
export async function openDatabase(url: string, clock: Clock, log: Log): Promise<Store> {
  try {
    return await openStore({ url, clock, log: storeLog(log) });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const code = error instanceof DatabaseInUseError ? "database_in_use" : "database_unusable";
    throw new Problem(error.message, { code, cause: error });
  }
}
