import { sql } from "kysely";
import type { FuncLogTable, FuncRunTable } from "./function-tables.ts";
import { leaseMs } from "./jobs.ts";
import { touchLayers } from "./layer.ts";
import type { Store, Tx } from "./open.ts";

/** What those wait for who look at one run. */
export const runKey = (runId: string): string => `run:${runId}`;
/** What processes watch to hear that runs of theirs are to be ended. */
export const cancelledRunsKey = "cancelled-runs";

/** Written as text, so that the partial index of those that are not over can be used. */
const unfinished = sql`state in ('Created', 'Running', 'PostProcessing')`;

/** What changed of some runs, to be written together. */
export interface RunChanges {
  /** Rows as they are now, those that have not ended and those that have. */
  readonly alive: readonly FuncRunTable[];
  readonly ended: readonly FuncRunTable[];
  readonly logs: readonly FuncLogTable[];
  /** Code by hash that may not be in the database yet. */
  readonly codes: ReadonlyMap<string, string>;
  /** Layers in which something that they show changed. */
  readonly layers: readonly string[];
  /** Runs that somebody may be looking at. */
  readonly seen: readonly string[];
  /** New rows among `alive`. */
  readonly begun: readonly string[];
}

const columns = [
  "id",
  "workspace_id",
  "layer",
  "func_id",
  "kind",
  "state",
  "component_id",
  "prototype_id",
  "action_id",
  "action_result",
  "fingerprint",
  "code_hash",
  "about",
  "args",
  "result",
  "failure",
  "finalized",
  "owner",
  "lease_until",
  "cancelled",
  "rev",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof FuncRunTable)[];

/**
 * Writes what changed of some runs, in a number of statements that does not depend on how many they are. Each layer gets
 * a new revision whatever its status: runs may outlive their change set. An end overwrites whatever is there, so that a
 * late result stays with its run.
 */
export async function writeRuns(tx: Tx, changes: RunChanges): Promise<void> {
  await touchLayers(tx, changes.layers);
  const codes = [...changes.codes].map(([hash, code]) => ({ hash, code, updated_at: tx.now }));
  await tx.engine.bulk(tx.db, "func_code", ["hash", "code", "updated_at"], codes, {
    key: ["hash"],
    update: ["updated_at"],
  });
  await tx.engine.bulk(tx.db, "func_run", columns, changes.alive, {
    key: ["id"],
    update: ["state", "rev", "updated_at"],
  });
  await tx.engine.bulk(tx.db, "func_run", columns, changes.ended, {
    key: ["id"],
    update: [
      "state",
      "action_result",
      "fingerprint",
      "result",
      "failure",
      "finalized",
      "owner",
      "lease_until",
      "rev",
      "updated_at",
    ],
  });
  await tx.engine.bulk(tx.db, "func_log", ["run_id", "part", "lines"], changes.logs, {
    key: ["run_id", "part"],
    update: [],
  });
  if (changes.begun.length > 0) {
    await sql`update func_run set lease_until = ${tx.engine.now()} + ${leaseMs}
      where id ${tx.engine.within(changes.begun)}`.execute(tx.db);
  }
  for (const id of changes.seen) tx.changed(runKey(id));
}

/** Prolongs the leases of this process's runs. */
export async function renewRuns(store: Store, runIds: readonly string[]): Promise<void> {
  await store.write((tx) =>
    sql`update func_run set lease_until = ${store.engine.now()} + ${leaseMs}
      where id ${tx.engine.within(runIds)} and owner = ${store.instance} and ${unfinished}`.execute(tx.db),
  );
}

/** Which of these runs somebody asked to end. */
export async function findCancelledRuns(store: Store, runIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from func_run where id ${store.engine.within(runIds)} and cancelled = 1 and ${unfinished}`.execute(
    store.db,
  );
  return rows.map(({ id }) => id);
}

/** Marks a run that has not ended as one to end, and tells whoever runs it; false when it has ended. */
export const askToCancelRun = (store: Store, runId: string): Promise<boolean> =>
  store.write((tx) => askToCancelRunIn(tx, runId));

/** As {@link askToCancelRun}, in a transaction. */
export async function askToCancelRunIn(tx: Tx, runId: string): Promise<boolean> {
  const { rows } = await sql`
    update func_run set cancelled = 1 where id = ${runId} and ${unfinished} returning id`.execute(tx.db);
  if (rows.length > 0) tx.changed(cancelledRunsKey);
  return rows.length > 0;
}

/** Runs ended in one transaction. */
const batchSize = 500;
/** What a run says whose process is gone. */
export const leftBehind = "the server stopped while the function ran";

/**
 * Ends the runs that nobody runs any more, as failed or, where that was asked for, as killed: those whose lease has
 * ended, but for the ones that this process knows to be `alive`. Without these, as at the start, where no other process
 * can have any, all that are not this process's. Returns how many.
 */
export async function endLeftRuns(store: Store, alive?: readonly string[]): Promise<number> {
  const { engine, instance } = store;
  const left =
    alive === undefined && !engine.shared
      ? sql`${unfinished} and owner <> ${instance}`
      : sql`${unfinished} and lease_until <= ${engine.now()} and not (id ${engine.within(alive ?? [])})`;
  for (let ended = 0; ; ) {
    const { rows } = await sql<{ id: string; layer: string }>`
      select id, layer from func_run where ${left} order by id limit ${batchSize}`.execute(store.db);
    if (rows.length === 0) return ended;
    ended += rows.length;
    const ids = rows.map(({ id }) => id);
    await store.write(async (tx) => {
      await touchLayers(
        tx,
        rows.map(({ layer }) => layer),
      );
      await sql`update func_run set state = case cancelled when 1 then 'Killed' else 'Failure' end,
          failure = case cancelled when 1 then null else ${leftBehind} end,
          action_result = case when kind in ('Action', 'Management', 'Debug') then 'Failure' else null end,
          fingerprint = null, finalized = 1, owner = null, lease_until = 0,
          rev = case when rev < ${tx.now} then ${tx.now} else rev + 1 end, updated_at = ${tx.now}
        where id ${engine.within(ids)} and ${left}`.execute(tx.db);
      for (const id of ids) tx.changed(runKey(id));
    });
  }
}
