import type { Kysely, Transaction } from "kysely";
import type { Clock } from "../../src/lib/clock.ts";
import { sqliteFile } from "../../src/lib/database-url.ts";
import { type Engine, type Queries, type Shared, StoreError } from "./engine.ts";
import { openPostgres } from "./engine-postgres.ts";
import { openSqlite } from "./engine-sqlite.ts";
import { type PendingEvent, writeEvents } from "./events.ts";
import { type HeldLayers, settleHeld } from "./held-layers.ts";
import { migrate } from "./migrate.ts";
import { migrations as allMigrations } from "./migrations/index.ts";
import type { Migration } from "./migrations/migration.ts";
import { createIds } from "./new-id.ts";
import { gatherRoots, markLeft, type Roots } from "./roots.ts";
import type { Tables } from "./tables.ts";
import { createWakeups } from "./wakeups.ts";

export { DatabaseInUseError, StoreError } from "./engine.ts";

/** Where the store says what it does by itself; pino's logger fits. */
export interface StoreLog {
  info(details: object, message: string): void;
}

export interface StoreOptions {
  /** `sqlite:<path>` or `postgres://…`. */
  readonly url: string;
  readonly clock: Clock;
  readonly log?: StoreLog;
  /** The shape to bring the database to; all of them unless a test says otherwise. */
  readonly migrations?: readonly Migration[];
}

/** What reading functions take: the store itself, or a transaction that must see its own writes. */
export interface Reads {
  readonly engine: Engine;
  readonly db: Queries;
  /** What those share who share the commit, of a transaction. */
  readonly shared?: Shared;
}

/** A running write transaction. */
export interface Tx extends Reads {
  readonly store: Store;
  readonly db: Transaction<Tables>;
  /** When the transaction began, in milliseconds; every row it writes carries this time. */
  readonly now: number;
  readonly shared: Shared;
  /** What this transaction will be remembered as; {@link recordEvent} adds to it. */
  readonly events: PendingEvent[];
  /** By layer what is to be marked as roots; {@link leaveRoots} adds to it. */
  readonly roots: Roots;
  /** Layers that this transaction has locked; {@link lockLayer} adds to it. */
  readonly held: HeldLayers;
  /** Whether it is a {@link Store.writeBlind}. */
  readonly isBlind: boolean;
  /** Wakes those who watch `key`, here and in other processes, once this transaction has committed. */
  changed(key: string): void;
}

/** The database of one server process. */
export interface Store extends Reads {
  readonly clock: Clock;
  /** This process, as owner of leases and origin of announcements. */
  readonly instance: string;
  /** Reads outside transactions: single statements, never behind a writer. */
  readonly db: Kysely<Tables>;
  /** A new id: a ULID, upper case, monotonic within the process. */
  id(): string;
  /** Runs `work` in one transaction; whatever it throws rolls everything back and is thrown on. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The same for work that looks at no roots, at no job that works them off and at no number of a layer, but for the one
   * that {@link lockLayer} gives it: those before it may have left some that are not written yet.
   */
  writeBlind<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Calls `changed` at every change of one of these layers or workspaces until the returned function is called. */
  watch(keys: readonly string[], changed: () => void): () => void;
  /** Resolves at the next change of one of the keys, or when `signal` aborts; a lost wake-up only costs the wait. */
  changed(keys: string | readonly string[], signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Opens and migrates the database; throws {@link StoreError} with one line that says what to do. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const id = createIds(options.clock);
  const instance = id();
  const engine = await openEngine(options.url, options.clock, instance);
  try {
    const applied = await migrate(engine, options.clock, options.migrations ?? allMigrations);
    if (applied.length > 0) options.log?.info({ migrations: applied }, "migrated the database");
    return await assemble(engine, options.clock, instance, id);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function openEngine(url: string, clock: Clock, instance: string): Promise<Engine> {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, clock, instance);
  const path = sqliteFile(url);
  if (path !== undefined) return openSqlite(path, clock);
  throw new StoreError(
    `the database is given as sqlite:<path> or postgres://…; found "${url.split("@").at(-1)}"`,
  );
}

async function assemble(engine: Engine, clock: Clock, instance: string, id: () => string): Promise<Store> {
  const wakeups = createWakeups();
  await engine.listen(wakeups.wake);
  const transact = async <T>(isBlind: boolean, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const keys = new Set<string>();
    const result = await engine.transact(
      async (db, shared) => {
        const events: PendingEvent[] = [];
        const roots: Roots = new Map();
        const held: HeldLayers = new Map();
        const changed = (key: string) => keys.add(key);
        const now = clock.now();
        const done = await work({ store, engine, db, now, shared, events, roots, held, isBlind, changed });
        if (keys.size > 0) await engine.announce(db, [...keys]);
        shared.events.push(...events);
        for (const [layer, ids] of roots) gatherRoots(shared.roots, layer, ids);
        if (isBlind) for (const [layer, one] of held) shared.held.set(layer, one);
        return done;
      },
      async (db, { events, roots, held }) => {
        await settleHeld({ db, now: clock.now() }, held);
        await markLeft({ store, engine, db }, roots);
        await writeEvents({ engine, db }, events);
      },
    );
    for (const key of keys) wakeups.wake(key);
    return result;
  };
  const store: Store = {
    engine,
    clock,
    instance,
    db: engine.reads,
    id,
    write: (work) =>
      transact(false, async (tx) => {
        const { roots, held } = tx.shared;
        await settleHeld(tx, held);
        await markLeft(tx, roots);
        const done = await work(tx);
        // Not before: what fails takes back also what it has written for others.
        roots.clear();
        held.clear();
        return done;
      }),
    writeBlind: (work) => transact(true, work),
    watch: wakeups.watch,
    changed: (keys, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const done = (): void => {
          stop();
          signal?.removeEventListener("abort", done);
          resolve();
        };
        const stop = wakeups.watch(typeof keys === "string" ? [keys] : keys, done);
        signal?.addEventListener("abort", done, { once: true });
      }),
    close: engine.close,
  };
  return store;
}
