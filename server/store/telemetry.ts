import { sql } from "kysely";
import type { Store } from "./open.ts";
import type { TelemetryTable } from "./people-tables.ts";

/** One operation as attributed: to an actor where one was authenticated, else to a device or an `anon_` hash. */
export type TelemetryEntry = Omit<TelemetryTable, "id" | "at">;

/** Notes one operation. */
export async function recordTelemetry(store: Store, entry: TelemetryEntry): Promise<void> {
  await store.write((tx) =>
    tx.db
      .insertInto("telemetry")
      .values({ id: store.id(), at: tx.now, ...entry })
      .execute(),
  );
}

/** The newest entries first. */
export async function listTelemetry(store: Store, limit: number): Promise<TelemetryTable[]> {
  return store.db.selectFrom("telemetry").selectAll().orderBy("id", "desc").limit(limit).execute();
}

/** Deletes entries older than `before`, and the oldest of more than `most`; answers how many. */
export async function forgetTelemetry(store: Store, before: number, most: number): Promise<number> {
  return store.write(async (tx) => {
    const deleted = await sql`delete from telemetry where at < ${before}
      or id <= (select id from telemetry order by id desc limit 1 offset ${most})`.execute(tx.db);
    return Number(deleted.numAffectedRows ?? 0);
  });
}
