import type { Kysely, RawBuilder, Transaction } from "kysely";
import type { PendingEvent } from "./events.ts";
import type { HeldLayers } from "./held-layers.ts";
import type { Roots } from "./roots.ts";
import type { Tables } from "./tables.ts";

/** Anything that runs queries: the read handle or a running transaction. */
export type Queries = Kysely<Tables> | Transaction<Tables>;

/** What an upsert does where the key is taken: sets these columns, or nothing when there are none. */
export interface Conflict<T extends keyof Tables> {
  readonly key: readonly (keyof Tables[T] & string)[];
  readonly update: readonly (keyof Tables[T] & string)[];
  /** SQL: what is there stays where this is not so. */
  readonly where?: string;
}

/** What those share who share a commit; on PostgreSQL everybody commits alone. */
export interface Shared {
  /**
   * Stands for what entities say: another object whenever one of them may have changed, so that what was read of them
   * can be kept for as long as it is this one.
   */
  entities: object;
  /** Whether one of them has written an entity: what is read from here on may yet be taken back. */
  hasWrittenEntities: boolean;
  /** The events of those who have succeeded, in order. */
  readonly events: PendingEvent[];
  /** By layer what those who have succeeded have left to be marked as roots. */
  readonly roots: Roots;
  /** Layers that those who have succeeded have written in. */
  readonly held: HeldLayers;
}

/** Nobody has done anything yet. */
export const nothingShared = (): Shared => ({
  entities: {},
  hasWrittenEntities: false,
  events: [],
  roots: new Map(),
  held: new Map(),
});

/** Everything in which SQLite and PostgreSQL differ; the rest of the store is the same text on both. */
export interface Engine {
  readonly name: "sqlite" | "postgres";
  /** For reads outside transactions; never waits for a writer. */
  readonly reads: Kysely<Tables>;
  /**
   * Runs `work` in one transaction that holds the write lock from its start where the engine has only one. Before the
   * commit `last` writes what those who share it have left.
   */
  transact<T>(
    work: (tx: Transaction<Tables>, shared: Shared) => Promise<T>,
    last?: (tx: Transaction<Tables>, shared: Shared) => Promise<void>,
  ): Promise<T>;
  /** Whether writers come one after the other, so that what one has looked at stands until it commits. */
  readonly isSerial: boolean;
  /** `in (…)` over any number of ids with one statement text. */
  within(ids: readonly string[]): RawBuilder<unknown>;
  /** Inserts rows column by column; with `conflict`, updates or skips those that exist. */
  bulk<T extends keyof Tables>(
    queries: Queries,
    table: T,
    columns: readonly (keyof Tables[T] & string)[],
    rows: readonly Tables[T][],
    conflict?: Conflict<T>,
  ): Promise<void>;
  /** Suffix that shares a row until the end of the transaction. */
  readonly forShare: RawBuilder<unknown>;
  /** Suffix that locks rows and passes over those that others have locked. */
  readonly forUpdateSkipLocked: RawBuilder<unknown>;
  /**
   * Waits for every other transaction that holds this name, and holds it until this one ends: for what has no row to
   * lock yet. Before any other lock of the transaction.
   */
  hold(tx: Transaction<Tables>, name: string): Promise<void>;
  /** The type of ids and of text that is compared: bytewise order. */
  readonly idType: RawBuilder<unknown>;
  /** Milliseconds since the epoch on the clock that all processes of this database share. */
  readonly now: () => RawBuilder<number>;
  /**
   * A number that stands while nobody commits anything, this process or another: what was read since it was taken is
   * still so. Undefined where only a query can tell. Costs next to nothing: commits of this process count at once,
   * those of others within a millisecond.
   */
  commits(): number | undefined;
  /** Whether another process may still hold the leases found at start. */
  readonly shared: boolean;
  /** Makes migrations of several processes wait for each other until the transaction ends. */
  lockMigrations(tx: Transaction<Tables>): Promise<void>;
  /** Tells the other processes, once this transaction commits, that these keys changed. */
  announce(tx: Transaction<Tables>, keys: readonly string[]): Promise<void>;
  /** Calls back with each key that another process announced, with undefined when some may have been missed. */
  listen(heard: (key: string | undefined) => void): Promise<void>;
  close(): Promise<void>;
}

/** A database that cannot be used; the message is one line that says what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** Another process has the database, and only one can. */
export class DatabaseInUseError extends StoreError {}

/** The `on conflict` tail of an insert. */
export const conflictText = <T extends keyof Tables>(conflict: Conflict<T> | undefined): string => {
  if (conflict === undefined) return "";
  const sets = conflict.update.map((column) => `${column}=excluded.${column}`).join(",");
  return ` on conflict(${conflict.key.join(",")}) do ${sets === "" ? "nothing" : `update set ${sets}`}${conflict.where === undefined ? "" : ` where ${conflict.where}`}`;
};
