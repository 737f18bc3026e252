import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { CompiledQuery, sql } from "kysely";
import { errorCode } from "../../src/lib/atomic-file.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { errorMessage } from "../../src/lib/error-message.ts";
import { makeDirectorySync } from "../../src/lib/make-directory.ts";
import { type Conflict, conflictText, type Engine, type Queries, StoreError } from "./engine.ts";
import { lockFile } from "./file-lock.ts";
import { groupCommits } from "./group-commit.ts";
import { openConnection, readsBeside, type SqliteConnection } from "./sqlite-connection.ts";
import type { Tables } from "./tables.ts";

/** Rows per multi-row insert, largest first: few distinct texts, so that the statement cache always hits. */
const chunkSizes = [64, 8, 1] as const;

/** As many ids are listed in the text of a statement: reading them from JSON takes as long as a row. */
const fewIds = 4;

/**
 * 64 MB of page cache for each handle. What a savepoint may have to take back stays in memory: in a file, each page
 * that a write touches would cost one more call of the system.
 */
const common = ["busy_timeout = 5000", "cache_size = -65536", "temp_store = MEMORY"] as const;

/**
 * Pages of the log that are moved into the file together: 4,000 × 8 KB = 32 MB. What most edits touch is moved once for
 * many of them; 1,000, which is usual, costs an edit a tenth more.
 */
const checkpointPages = 4_000;

/** Milliseconds between two looks at whether another program has written into the file, which costs 3 µs. */
const foreignMs = 1;

/** Opens the file for this process alone, creating it with mode 0600; throws {@link StoreError} in one line. */
export function openSqlite(path: string, clock: Clock): Engine {
  if (path === ":memory:") {
    throw new StoreError("the database needs a file, since it is read and written at once: give a path");
  }
  try {
    makeDirectorySync(dirname(path));
  } catch (error) {
    const reason = errorMessage(error);
    throw new StoreError(`cannot make a folder for the database ${path} (${reason}): give another path`, {
      cause: error,
    });
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new StoreError(`the database ${path} is a folder: give a file, such as ${join(path, "svc.db")}`);
  }
  const unlock = lockFile(path);
  try {
    create(path);
    const writes = openConnection(path, [
      "page_size = 8192",
      "journal_mode = WAL",
      "synchronous = FULL",
      `wal_autocheckpoint = ${checkpointPages}`,
      ...common,
    ]);
    return engine(writes, openConnection(path, [...common, "query_only = ON"]), unlock, clock);
  } catch (error) {
    unlock();
    throw unusable(path, error);
  }
}

/** What to do about a file that was not opened: get the right to, or where its content is at fault, another file. */
function unusable(path: string, error: unknown): StoreError {
  const reason = errorMessage(error);
  return new StoreError(
    isDenied(error)
      ? `no permission to read and write the database ${path} (${reason}): run this as the user that its files and their folder belong to, or let that user: chmod u+rw`
      : `the file ${path} cannot be used as a database (${reason}): move it away, or restore it from a backup`,
    { cause: error },
  );
}

/** Whether the system refused because of a mode or an owner. */
const isDenied = (error: unknown): boolean => ["EACCES", "EPERM"].includes(errorCode(error) ?? "");

/**
 * Makes the file, or leaves it as it is but for its mode. One that is there is not opened: closing it again would drop
 * every lock that this process has on it, also those of a store that was closed and whose statements are not collected
 * yet. The next program to open the file would then believe itself alone and take away the log under this one.
 */
function create(path: string): void {
  const there = ["", "-wal", "-shm"].map((suffix) => path + suffix).filter((file) => existsSync(file));
  // SQLite tells of rights as of anything else that it cannot open; the system tells them apart.
  for (const file of there) accessSync(file, constants.R_OK | constants.W_OK);
  if (!there.includes(path)) closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}

function engine(writes: SqliteConnection, reads: SqliteConnection, unlock: () => void, clock: Clock): Engine {
  let known: number | undefined;
  let lookedAt = 0;
  const look = (): void => {
    known = undefined;
  };
  const group = groupCommits(writes, look);
  return {
    name: "sqlite",
    reads: readsBeside(writes, reads),
    transact: group.transact,
    isSerial: true,
    within: (ids) => {
      if (ids.length === 1) return sql`= ${ids[0]}`;
      return ids.length <= fewIds && ids.length > 0
        ? sql`in (${sql.join(ids)})`
        : sql`in (select value from json_each(${JSON.stringify(ids)}))`;
    },
    bulk,
    forShare: sql``,
    forUpdateSkipLocked: sql``,
    // A transaction holds the whole file from its start.
    hold: async () => {},
    idType: sql`text`,
    now: () => sql<number>`${clock.now()}`,
    // The read handle commits nothing itself, so that the writer's commits move its version like those of others.
    commits: () => {
      const now = performance.now();
      if (known === undefined || now - lookedAt >= foreignMs) {
        known = reads.version();
        lookedAt = now;
      }
      return known;
    },
    shared: false,
    lockMigrations: async () => {},
    announce: async () => {},
    listen: async () => {},
    close: async () => {
      await group.settled();
      reads.close();
      settle(writes);
      writes.close();
      unlock();
    },
  };
}

/** Moves everything committed from the log into the file, so that nothing is left to do whenever this process ends. */
function settle(writes: SqliteConnection): void {
  // Where it cannot be done, such as on a full disk, the log stays and is read at the next start.
  try {
    writes.pragma("wal_checkpoint(TRUNCATE)");
  } catch {}
}

const bulk: Engine["bulk"] = async (queries: Queries, table, columns, rows, conflict) => {
  let done = 0;
  for (const size of chunkSizes) {
    for (; rows.length - done >= size; done += size) {
      const values: unknown[] = [];
      for (const row of rows.slice(done, done + size)) for (const column of columns) values.push(row[column]);
      await queries.executeQuery(CompiledQuery.raw(insertText(table, columns, conflict, size), values));
    }
  }
};

/** Texts by their columns and size: those who write often always give the same objects. */
const insertTexts = new WeakMap<object, InsertText[]>();

interface InsertText {
  readonly table: string;
  readonly conflict: object | undefined;
  readonly size: number;
  readonly text: string;
}

function insertText<T extends keyof Tables>(
  table: T,
  columns: readonly string[],
  conflict: Conflict<T> | undefined,
  size: number,
): string {
  const texts = insertTexts.get(columns) ?? [];
  const known = texts.find((one) => one.size === size && one.conflict === conflict && one.table === table);
  if (known !== undefined) return known.text;
  const tuple = `(${columns.map(() => "?").join(",")})`;
  const text = `insert into ${table}(${columns.join(",")}) values ${Array(size).fill(tuple).join(",")}${conflictText(conflict)}`;
  // A conflict that is made anew for each write replaces the one before.
  const kept = texts.filter((one) => one.size !== size || one.table !== table);
  insertTexts.set(columns, [...kept, { table, conflict, size, text }]);
  return text;
}
