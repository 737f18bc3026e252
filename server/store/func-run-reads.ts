import { type RawBuilder, sql } from "kysely";
import type { FunctionResult, FunctionRunState } from "../../src/contract/function-runs.ts";
import type { FuncRunTable } from "./function-tables.ts";
import { listedBy, partsOf } from "./head-parts.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";

/** A run's row with its code, and its log as it was kept, part by part. */
export interface StoredRun extends FuncRunTable {
  readonly code: string | null;
  readonly logs: readonly string[];
}

/** The run of a workspace, in two statements; undefined when there is none. */
export async function findStoredRun(
  reads: Reads,
  workspaceId: string,
  runId: string,
): Promise<StoredRun | undefined> {
  const { rows } = await sql<Omit<StoredRun, "logs">>`
    select r.*, c.code from func_run r left join func_code c on c.hash = r.code_hash
    where r.id = ${runId} and r.workspace_id = ${workspaceId}`.execute(reads.db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { rows: parts } = await sql<{ lines: string }>`
    select lines from func_log where run_id = ${runId} order by part`.execute(reads.db);
  return { ...row, logs: parts.map(({ lines }) => lines) };
}

/** The counter that a run's tag is made of; undefined when the workspace has no such run. */
export async function findRunRev(
  reads: Reads,
  workspaceId: string,
  runId: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ rev: number }>`
    select rev from func_run where id = ${runId} and workspace_id = ${workspaceId}`.execute(reads.db);
  return rows[0]?.rev;
}

/** Which runs a list holds. */
export interface RunQuery {
  readonly limit: number;
  /** Only those older than this id. */
  readonly before: string | undefined;
  readonly componentId: string | undefined;
  readonly state: FunctionRunState | undefined;
  /** How it ended, where what an action or a job did counts as well as its function. */
  readonly result: FunctionResult | undefined;
}

/**
 * Runs of a layer, newest first, without code, log, arguments and result; the head has those of applied change sets
 * too.
 */
export async function listRuns(
  reads: Reads,
  layer: Layer,
  { limit, before, componentId, state, result }: RunQuery,
): Promise<ListedRun[]> {
  const isAlive = state === "Created" || state === "Running" || state === "PostProcessing";
  const conditions = [
    ...ofLayer(layer, isAlive || componentId !== undefined),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
    ...(componentId === undefined ? [] : [sql`component_id = ${componentId}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    // Said in full, so that the partial index is used.
    ...(isAlive ? [sql`state in ('Created', 'Running', 'PostProcessing')`] : []),
    ...(result === undefined ? [] : [resultIs[result]]),
    ...(state === "Failure" || state === "Killed" || result === "Failure" ? [failed] : []),
  ];
  const { rows } = await sql<ListedRun>`
    select id, func_id, kind, state, component_id, prototype_id, action_id, action_result, failure, about,
      created_at, updated_at
    from func_run where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}`.execute(
    reads.db,
  );
  return rows;
}

/** The runs that a layer lists; `isNarrow` where another index finds few of them. */
const ofLayer = (layer: Layer, isNarrow: boolean): RawBuilder<unknown>[] =>
  isNarrow && layer.id === layer.headId ? [sql`layer in ${partsOf(layer.headId)}`] : listedBy(layer);

/** Those that the partial index on failed runs has; said as it says it. */
const failed = sql`(state in ('Failure', 'Killed') or action_result = 'Failure')`;

/** An action, a job may have failed though its function has run to its end. */
const resultIs: Readonly<Record<FunctionResult, RawBuilder<unknown>>> = {
  Success: sql`state = 'Success' and coalesce(action_result, 'Success') = 'Success'`,
  Failure: sql`(state = 'Failure' or action_result = 'Failure')`,
};

/** A run as a list shows it. */
export type ListedRun = Pick<
  FuncRunTable,
  | "id"
  | "func_id"
  | "kind"
  | "state"
  | "component_id"
  | "prototype_id"
  | "action_id"
  | "action_result"
  | "failure"
  | "about"
  | "created_at"
  | "updated_at"
>;

/** A function on a component. */
export interface RunPair {
  readonly componentId: string;
  readonly funcId: string;
}

/** The latest run of a function on a component that ended by itself. */
export interface LastRun extends RunPair {
  readonly id: string;
  readonly state: "Success" | "Failure";
  /** Undefined where the same again might end otherwise, as after a time limit. */
  readonly fingerprint: string | undefined;
  /** JSON text. */
  readonly result: string;
  readonly failure: string | undefined;
}

/** How runs of a pair are found again. */
export const pairKey = ({ componentId, funcId }: RunPair): string => `${componentId} ${funcId}`;

/**
 * The last runs of these pairs by `pairKey`, in two statements: the layer's own, or else the head's, to which those of
 * applied change sets belong. What was killed does not count.
 */
export async function findLastRuns(
  reads: Reads,
  layer: Layer,
  pairs: readonly RunPair[],
): Promise<Map<string, LastRun>> {
  if (pairs.length === 0) return new Map();
  const { within } = reads.engine;
  const wanted = new Set(pairs.map(pairKey));
  const { rows: newest } = await sql<NewestRow>`
    select r.component_id, r.func_id, r.layer, max(r.id) as id from func_run r join change_set c on c.id = r.layer
    where r.component_id ${within([...new Set(pairs.map(({ componentId }) => componentId))])}
      and r.func_id ${within([...new Set(pairs.map(({ funcId }) => funcId))])}
      and r.state in ('Success', 'Failure') and ${shownBy(layer)}
    group by r.component_id, r.func_id, r.layer`.execute(reads.db);
  const best = new Map<string, NewestRow>();
  for (const row of newest) {
    const key = pairKey({ componentId: row.component_id, funcId: row.func_id });
    const known = best.get(key);
    if (wanted.has(key) && (known === undefined || isBefore(known, row, layer.id))) best.set(key, row);
  }
  const { rows } = await sql<LastRow>`
    select id, component_id, func_id, state, fingerprint, result, failure from func_run
    where id ${within([...best.values()].map(({ id }) => id))}`.execute(reads.db);
  return new Map(
    rows.map((row) => [pairKey({ componentId: row.component_id, funcId: row.func_id }), lastRun(row)]),
  );
}

/** Whether a layer `c` is one whose runs a layer shows: itself, the head, a change set that became part of the head. */
export const shownBy = ({ id, headId }: Layer) =>
  sql`(c.id in (${id}, ${headId}) or (c.head_id = ${headId} and c.status = 'Applied'))`;

interface NewestRow {
  readonly component_id: string;
  readonly func_id: string;
  readonly layer: string;
  readonly id: string;
}

type LastRow = Pick<FuncRunTable, "id" | "fingerprint" | "result" | "failure"> & {
  readonly component_id: string;
  readonly func_id: string;
  readonly state: "Success" | "Failure";
};

/** Whether `other` counts rather than `one`: the layer's own before all others, then the newest. */
const isBefore = (one: NewestRow, other: NewestRow, layerId: string): boolean =>
  (one.layer === layerId) === (other.layer === layerId) ? one.id < other.id : other.layer === layerId;

const lastRun = (row: LastRow): LastRun => ({
  id: row.id,
  componentId: row.component_id,
  funcId: row.func_id,
  state: row.state,
  fingerprint: row.fingerprint ?? undefined,
  result: row.result,
  failure: row.failure ?? undefined,
});
