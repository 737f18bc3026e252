import { CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Clock } from "../../src/lib/clock.ts";
import { shownDatabase } from "../../src/lib/database-url.ts";
import { conflictText, type Engine, nothingShared, type Queries, StoreError } from "./engine.ts";
import { listenTo } from "./listen.ts";
import { integerColumns, type Tables } from "./tables.ts";

/** PostgreSQL's type number of int8; counters and millisecond times stay below 2^53, so a number holds them. */
const int8 = 20;
/** Connections per process; PostgreSQL allows 100 in all by default. */
const poolSize = 12;
const channel = "svc_changed";
/** Any constant: the advisory lock's name, "svc" as bytes. */
const migrationLock = 0x737663;
/** Rows per insert: bounds the size of one message. */
const chunkSize = 2000;

const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format),
};

/** Connects, so that an unreachable server is known at start; throws {@link StoreError} in one line. */
export async function openPostgres(url: string, clock: Clock, instance: string): Promise<Engine> {
  const config: pg.ClientConfig = { connectionString: url, types, application_name: "svc" };
  const pool = new pg.Pool({ ...config, max: poolSize });
  pool.on("error", () => {});
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw new StoreError(
      `cannot use the database ${shownDatabase(url)} (${reasonOf(error)}): is it running?`,
      {
        cause: error,
      },
    );
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  let stopListening = async (): Promise<void> => {};
  return {
    name: "postgres",
    reads: db,
    transact: (work, last) =>
      db.transaction().execute(async (tx) => {
        const shared = nothingShared();
        const result = await work(tx, shared);
        await last?.(tx, shared);
        return result;
      }),
    isSerial: false,
    within: (ids) => sql`= any(${ids}::text[])`,
    bulk,
    forShare: sql`for share`,
    forUpdateSkipLocked: sql`for update skip locked`,
    hold: async (tx, name) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
    },
    idType: sql`text collate "C"`,
    now: () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    // A notification may come after the answer that it should have stopped: every request asks.
    commits: () => undefined,
    shared: true,
    lockMigrations: async (tx) => {
      await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(tx);
    },
    announce: async (tx, keys) => {
      await sql`select pg_notify(${channel}, ${instance}::text || ':' || key) from unnest(${keys}::text[]) key`.execute(
        tx,
      );
    },
    listen: async (heard) => {
      stopListening = await listenTo({ config, channel, clock }, (payload) => {
        if (payload === undefined) return heard(undefined);
        const [origin, key] = payload.split(":", 2);
        if (origin !== instance) heard(key);
      });
    },
    close: async () => {
      await stopListening();
      await db.destroy();
    },
  };
}

const bulk: Engine["bulk"] = async (queries: Queries, table, columns, rows, conflict) => {
  const casts = columns.map(
    (column, index) => `$${index + 1}::${integerColumns.has(column) ? "bigint" : "text"}[]`,
  );
  const text = `insert into ${quoted(table)}(${columns.join(",")}) select * from unnest(${casts.join(",")})${conflictText(conflict)}`;
  for (let from = 0; from < rows.length; from += chunkSize) {
    const part = rows.slice(from, from + chunkSize);
    const values = columns.map((column) => part.map((row) => row[column]));
    await queries.executeQuery(CompiledQuery.raw(text, values));
  }
};

/** `user` is a reserved word there. */
const quoted = (table: string): string => `"${table}"`;

const reasonOf = (error: unknown): string => {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
};
