import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
  sql,
} from "kysely";
import Libsql from "libsql";
import type { Clock } from "../../src/lib/clock.ts";
import { conflictText, type Engine, type Queries, StoreError } from "./engine.ts";
import { lockFile } from "./file-lock.ts";
import { groupCommits } from "./group-commit.ts";
import type { Tables } from "./tables.ts";

/** A transaction that reads first and writes later fails at once when another commits between; this one waits. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }
  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#config);
  }
}

/** Statements kept per handle; the store's own texts are about 150, so that none is ever evicted in practice. */
const statementLimit = 1000;
/** Rows per multi-row insert, largest first: few distinct texts, so that the statement cache always hits. */
const chunkSizes = [64, 8, 1] as const;

interface Handle {
  readonly db: Kysely<Tables>;
  /** Moves when another handle has committed, of this process or of another. */
  readonly version: () => number;
  /** Moves everything committed from the log into the file, so that nothing is left to do whenever this handle ends. */
  settle(): void;
  close(): Promise<void>;
}

function openHandle(path: string, pragmas: readonly string[]): Handle {
  const handle = new Libsql(path);
  for (const pragma of pragmas) handle.pragma(pragma);
  const statements = new Map<string, SqliteStatement>();
  const prepare = (text: string): SqliteStatement => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    if (statements.size >= statementLimit) statements.clear();
    const statement: SqliteStatement = handle.prepare<unknown[]>(text);
    statements.set(text, statement);
    return statement;
  };
  const version = handle.prepare<unknown[]>("pragma data_version").raw();
  const db = new Kysely<Tables>({
    dialect: new ImmediateDialect({ database: { prepare, close: () => void handle.close() } }),
  });
  const close = async (): Promise<void> => {
    await db.destroy();
    // Kysely leaves a database alone that it was never asked to query.
    if (handle.open) handle.close();
  };
  const settle = (): void => {
    // Where it cannot be done, such as on a full disk, the log stays and is read at the next start.
    try {
      handle.pragma("wal_checkpoint(TRUNCATE)");
    } catch {}
  };
  return { db, version: () => numberIn(version.get()), settle, close };
}

/** The one column of a row read raw; throws for anything else, since what is kept relies on it. */
function numberIn(row: unknown): number {
  const value: unknown = Array.isArray(row) ? row[0] : undefined;
  if (typeof value !== "number") throw new Error("the database does not tell when it changes");
  return value;
}

/** 64 MB of page cache for each handle. */
const common = ["busy_timeout = 5000", "cache_size = -65536"] as const;

/** Opens the file for this process alone, creating it with mode 0600; throws {@link StoreError} in one line. */
export function openSqlite(path: string, clock: Clock): Engine {
  if (path === ":memory:") {
    throw new StoreError("the database needs a file, since it is read and written at once: give a path");
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(`cannot make a folder for the database ${path} (${reason}): give another path`, {
      cause: error,
    });
  }
  const unlock = lockFile(path);
  try {
    create(path);
    const writes = openHandle(path, [
      "page_size = 8192",
      "journal_mode = WAL",
      "synchronous = FULL",
      ...common,
    ]);
    return engine(writes, openHandle(path, [...common, "query_only = ON"]), unlock, clock);
  } catch (error) {
    unlock();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      `the file ${path} cannot be used as a database (${reason}): move it away, or restore it from a backup`,
      { cause: error },
    );
  }
}

/**
 * Makes the file, or leaves it as it is but for its mode. One that is there is not opened: closing it again would drop
 * every lock that this process has on it, also those of a store that was closed and whose statements are not collected
 * yet. The next program to open the file would then believe itself alone and take away the log under this one.
 */
function create(path: string): void {
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
  else closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}

function engine(writes: Handle, reads: Handle, unlock: () => void, clock: Clock): Engine {
  let known: number | undefined;
  const look = (): void => {
    known = undefined;
  };
  const group = groupCommits(writes.db, look);
  return {
    name: "sqlite",
    reads: reads.db,
    transact: group.transact,
    within: (ids) => sql`in (select value from json_each(${JSON.stringify(ids)}))`,
    bulk,
    forShare: sql``,
    forUpdateSkipLocked: sql``,
    // A transaction holds the whole file from its start.
    hold: async () => {},
    idType: sql`text`,
    now: () => sql<number>`${clock.now()}`,
    // The read handle commits nothing itself, so that the writer's commits move its version like those of others.
    commits: () => {
      if (known === undefined) {
        known = reads.version();
        setImmediate(look);
      }
      return known;
    },
    shared: false,
    lockMigrations: async () => {},
    announce: async () => {},
    listen: async () => {},
    close: async () => {
      await group.settled();
      await reads.close();
      writes.settle();
      await writes.close();
      unlock();
    },
  };
}

const bulk: Engine["bulk"] = async (queries: Queries, table, columns, rows, conflict) => {
  const tail = conflictText(conflict);
  const tuple = `(${columns.map(() => "?").join(",")})`;
  let done = 0;
  for (const size of chunkSizes) {
    const text = `insert into ${table}(${columns.join(",")}) values ${Array(size).fill(tuple).join(",")}${tail}`;
    for (; rows.length - done >= size; done += size) {
      const values = rows.slice(done, done + size).flatMap((row) => columns.map((column) => row[column]));
      await queries.executeQuery(CompiledQuery.raw(text, values));
    }
  }
};
