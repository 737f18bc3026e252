import { sql } from "kysely";
import { fail } from "../../src/contract/errors.ts";
import type { JobKind, JobState } from "../../src/contract/jobs.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { askToCancelRunIn } from "./func-runs.ts";
import type { FuncJobTable } from "./function-tables.ts";
import { listedBy } from "./head-parts.ts";
import { type Layer, touchLayers } from "./layer.ts";
import type { Reads, Store, Tx } from "./open.ts";
import { wantJobIn } from "./roots.ts";

/** Kind of the background job that does a management or debug job; its key is `function-job:<id>`. */
export const functionJobKind = "function-job";

/** A management or debug job. */
export interface FunctionJob {
  readonly id: string;
  readonly workspaceId: string;
  readonly layerId: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly componentId: string;
  readonly prototypeId: string | undefined;
  readonly funcRunId: string | undefined;
  /** What was asked for. */
  readonly request: JsonObject;
  /** What its function returned, once it has; undefined before. */
  readonly result: Json | undefined;
  readonly failure: string | undefined;
  readonly actor: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NewFunctionJob {
  readonly kind: JobKind;
  readonly componentId: string;
  readonly prototypeId?: string;
  readonly request: JsonObject;
  readonly actor: string;
}

/**
 * Keeps a new job of a layer that the transaction has numbered, and asks for it to be done. Throws `managementRunning`
 * where the same function already runs for the component.
 */
export async function createFunctionJob(tx: Tx, layer: Layer, job: NewFunctionJob): Promise<string> {
  const id = tx.store.id();
  const { rows } = await sql<{ id: string }>`
    insert into func_job(id, workspace_id, layer, kind, state, component_id, prototype_id, func_run_id, request,
      result, failure, actor, cancelled, rev, created_at, updated_at)
    values (${id}, ${layer.workspaceId}, ${layer.id}, ${job.kind}, 'Pending', ${job.componentId},
      ${job.prototypeId ?? null}, null, ${JSON.stringify(job.request)}, null, null, ${job.actor}, 0, 1,
      ${tx.now}, ${tx.now})
    on conflict do nothing returning id`.execute(tx.db);
  if (rows.length === 0) return fail("managementRunning");
  await wantJobIn(tx, functionJobKind, id);
  return id;
}

/** The job of that id in the layer. */
export async function findFunctionJob(
  reads: Reads,
  jobId: string,
  layerId?: string,
): Promise<FunctionJob | undefined> {
  const inLayer = layerId === undefined ? sql`` : sql`and layer = ${layerId}`;
  const { rows } = await sql<FuncJobTable>`
    select * from func_job where id = ${jobId} ${inLayer}`.execute(reads.db);
  return rows[0] && jobOf(rows[0]);
}

/** Which jobs to list: at most `limit`, older than `cursor`. */
export interface FunctionJobFilter {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly componentId: string | undefined;
  readonly kind: JobKind | undefined;
  readonly state: JobState | undefined;
}

/** Jobs of a layer, the newest first; the head has those of applied change sets too. */
export async function listFunctionJobs(
  reads: Reads,
  layer: Layer,
  { limit, cursor, componentId, kind, state }: FunctionJobFilter,
): Promise<FunctionJob[]> {
  const conditions = [
    ...listedBy(layer),
    ...(cursor === undefined ? [] : [sql`id < ${cursor}`]),
    ...(componentId === undefined ? [] : [sql`component_id = ${componentId}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
  ];
  const { rows } = await sql<FuncJobTable>`
    select * from func_job where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}`.execute(
    reads.db,
  );
  return rows.map(jobOf);
}

/** What a move of a job says beside its state; what is absent stays. */
export interface JobMove {
  readonly from: readonly JobState[];
  readonly to: JobState;
  readonly funcRunId?: string;
  readonly result?: Json;
  readonly failure?: string;
}

/** Moves a job in a transaction that has numbered its layer; false, and nothing done, where it is in no such state. */
export async function moveFunctionJobIn(tx: Tx, jobId: string, move: JobMove): Promise<boolean> {
  const { from, to, funcRunId = null, failure = null } = move;
  const result = move.result === undefined ? null : JSON.stringify(move.result);
  const { rows } = await sql<{ id: string }>`
    update func_job set state = ${to}, rev = rev + 1, updated_at = ${tx.now},
      func_run_id = coalesce(${funcRunId}, func_run_id), result = coalesce(${result}, result),
      failure = coalesce(${failure}, failure)
    where id = ${jobId} and state ${tx.engine.within(from)} returning id`.execute(tx.db);
  return rows.length > 0;
}

/** The same in a transaction of its own: lists of the layer count as changed. */
export const moveFunctionJob = (
  store: Store,
  job: { readonly id: string; readonly layerId: string },
  move: JobMove,
): Promise<boolean> =>
  store.write(async (tx) => {
    // The layer's row first, as everywhere; jobs of a change set that is no longer active still end.
    await touchLayers(tx, [job.layerId]);
    return moveFunctionJobIn(tx, job.id, move);
  });

/**
 * Ends the management jobs of a layer that is no longer active from this transaction on, which has locked it, and their
 * runs: what they would do could go nowhere.
 */
export async function endManagementJobs(tx: Tx, layerId: string, failure: string): Promise<void> {
  const { rows } = await sql<{ func_run_id: string | null }>`
    update func_job set state = 'Failure', failure = ${failure}, rev = rev + 1, updated_at = ${tx.now}
    where layer = ${layerId} and kind = 'management' and state in ('Pending', 'Executing', 'Operating')
    returning func_run_id`.execute(tx.db);
  for (const { func_run_id } of rows) if (func_run_id !== null) await askToCancelRunIn(tx, func_run_id);
}

/** Forgets jobs that ended before `before`; returns how many went. */
export const forgetFunctionJobs = (store: Store, before: number): Promise<number> =>
  store.write(async (tx) => {
    const { rows } = await sql<{ layer: string }>`
      delete from func_job where state in ('Success', 'Failure') and updated_at < ${before}
      returning layer`.execute(tx.db);
    // Lists of jobs read otherwise; none of these rows is locked by whoever still works.
    await touchLayers(
      tx,
      rows.map(({ layer }) => layer),
    );
    return rows.length;
  });

const jobOf = (row: FuncJobTable): FunctionJob => ({
  id: row.id,
  workspaceId: row.workspace_id,
  layerId: row.layer,
  kind: row.kind,
  state: row.state,
  componentId: row.component_id,
  prototypeId: row.prototype_id ?? undefined,
  funcRunId: row.func_run_id ?? undefined,
  request: JSON.parse(row.request),
  result: row.result === null ? undefined : JSON.parse(row.result),
  failure: row.failure ?? undefined,
  actor: row.actor,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
