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

/** Deletes entries older than `before`. */
export async function pruneTelemetry(store: Store, before: number): Promise<void> {
  await store.write((tx) => tx.db.deleteFrom("telemetry").where("at", "<", before).execute());
}
