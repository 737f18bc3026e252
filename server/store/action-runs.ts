import { sql } from "kysely";
import type { ActionState } from "../../src/contract/actions.ts";
import type { FunctionRunState } from "../../src/contract/function-runs.ts";
import { type QueuedAction, queuedActionOf } from "./actions.ts";
import type { HeadChange } from "./head-changes.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";
import type { ActionTable } from "./tables.ts";

/** An action of a head, with the head and the name of the change set that queued it. */
export interface HeadAction extends QueuedAction {
  readonly head: Layer;
  readonly originName: string;
}

/** The action of that id where it is a head's; one that only a change set has does not run. */
export async function findHeadAction(reads: Reads, actionId: string): Promise<HeadAction | undefined> {
  const { rows } = await sql<
    ActionTable & { readonly workspace_id: string; readonly origin_name: string | null }
  >`
    select a.*, h.workspace_id, (select o.name from change_set o where o.id = a.origin) as origin_name
    from action a join change_set h on h.id = a.layer and h.head_id = h.id
    where a.id = ${actionId}`.execute(reads.db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const head = { id: row.layer, headId: row.layer, workspaceId: row.workspace_id };
  return { ...queuedActionOf(row), head, originName: row.origin_name ?? "" };
}

/** From which state, and which run of it, an action of the head goes to which. */
export interface ActionMove {
  readonly from: ActionState;
  readonly to: ActionState;
  /** The run that it must have, where it runs. */
  readonly of?: string;
  /** The run that it has from then on; without, it keeps what it has. */
  readonly funcRunId?: string | null;
}

/** Moves an action of the head; false, and nothing done, when it is not where the move begins. */
export async function moveAction(change: HeadChange, actionId: string, move: ActionMove): Promise<boolean> {
  const { tx, layer } = change;
  const run = move.funcRunId === undefined ? sql`` : sql`, func_run_id = ${move.funcRunId}`;
  const { rows } = await sql`update action set state = ${move.to} ${run}
    where layer = ${layer.id} and id = ${actionId} and state = ${move.from} ${ofRun(move.of)}
    returning id`.execute(tx.db);
  if (rows.length > 0) change.saved();
  return rows.length > 0;
}

/** Takes an action that ran off the head's queue; false when it is no longer this run that it is at. */
export async function finishAction(change: HeadChange, actionId: string, runId: string): Promise<boolean> {
  const { tx, layer } = change;
  const { rows } = await sql`delete from action
    where layer = ${layer.id} and id = ${actionId} and state = 'Running' ${ofRun(runId)}
    returning id`.execute(tx.db);
  if (rows.length > 0) change.saved();
  return rows.length > 0;
}

const ofRun = (runId: string | undefined) => (runId === undefined ? sql`` : sql`and func_run_id = ${runId}`);

/** How far the run of an action came, as the database knows it; `result` is what the run shows. */
export interface KnownRun {
  readonly state: FunctionRunState;
  readonly result: unknown;
}

/** The run of that id; undefined when none was recorded. */
export async function findKnownRun(reads: Reads, runId: string): Promise<KnownRun | undefined> {
  const { rows } = await sql<{ state: FunctionRunState; result: string }>`
    select state, result from func_run where id = ${runId}`.execute(reads.db);
  const [row] = rows;
  return row && { state: row.state, result: JSON.parse(row.result) };
}
