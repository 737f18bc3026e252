import { sql } from "kysely";
import type { Clock } from "../../src/lib/clock.ts";
import { type Engine, StoreError } from "./engine.ts";
import type { Migration } from "./migrations/migration.ts";

/**
 * Brings the database to the newest shape in one transaction, all or nothing; returns the names applied now.
 * Throws {@link StoreError} when a newer version has been here: an older program would damage what it does not know.
 */
export function migrate(engine: Engine, clock: Clock, migrations: readonly Migration[]): Promise<string[]> {
  return engine.transact(async (tx) => {
    await engine.lockMigrations(tx);
    await sql`create table if not exists migration(name ${engine.idType} primary key, applied_at bigint not null)`.execute(
      tx,
    );
    const rows = await tx.selectFrom("migration").select("name").orderBy("name").execute();
    const applied = new Set(rows.map((row) => row.name));
    const known = new Set(migrations.map((migration) => migration.name));
    const unknown = [...applied].filter((name) => !known.has(name));
    if (unknown.length > 0) {
      throw new StoreError(
        `the database comes from a newer version of svc (it has ${unknown.join(", ")}, this version knows up to ` +
          `${migrations.at(-1)?.name ?? "nothing"}): start that version or a later one, or restore a backup`,
      );
    }
    const missing = migrations.filter((migration) => !applied.has(migration.name));
    for (const migration of missing) {
      for (const statement of migration.statements(engine)) await statement.execute(tx);
      await tx.insertInto("migration").values({ name: migration.name, applied_at: clock.now() }).execute();
    }
    return missing.map((migration) => migration.name);
  });
}
