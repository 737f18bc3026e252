import { sql } from "kysely";
import type { ChangeSetStatus } from "../../src/contract/change-sets.ts";
import { fail } from "../../src/contract/errors.ts";
import { reopenEdited } from "./approvals.ts";
import { type NewEvent, recordEvent } from "./events.ts";
import { holdLayer, lockHeld } from "./held-layers.ts";
import type { Store, Tx } from "./open.ts";
import { leaveRoots } from "./roots.ts";
import { inActive } from "./status.ts";

/** A head or a change set over it; the head's `id` is its `headId`. */
export interface Layer {
  readonly id: string;
  readonly headId: string;
  readonly workspaceId: string;
}

/** A layer whose row this transaction holds, with the numbers of the change being made. */
export interface LockedLayer extends Layer {
  readonly rev: number;
  readonly graphRev: number;
  readonly status: ChangeSetStatus;
}

/**
 * Locks a layer, checks that it is active and numbers the change, in one statement, or none where another writer has
 * locked it for the same commit: the first of its transaction, but for the head's. `graph` 0 leaves the graph's number
 * alone. Throws `changeSetNotFound`, `changeSetNotActive`.
 */
export async function lockLayer(tx: Tx, layerId: string, graph: 0 | 1 = 1): Promise<LockedLayer> {
  const held = lockHeld(tx, layerId, graph);
  if (held !== undefined) return held;
  const { rows } = await sql<LockedRow>`
    update change_set set rev = rev + 1, graph_rev = graph_rev + ${graph}, updated_at = ${tx.now}
    where id = ${layerId} and status ${inActive}
    returning workspace_id, head_id, rev, graph_rev, status`.execute(tx.db);
  const [row] = rows;
  if (row === undefined) return refuse(tx, layerId);
  tx.changed(layerId);
  const layer: LockedLayer = {
    id: layerId,
    headId: row.head_id,
    workspaceId: row.workspace_id,
    rev: row.rev,
    graphRev: row.graph_rev,
    status: row.status,
  };
  holdLayer(tx, layer);
  return layer;
}

/**
 * Gives layers of any status a new revision, heads first and then change sets, each in ascending order of id, which is
 * the order of locks; with an applied change set its head, of which it has become a part.
 */
export async function touchLayers(tx: Tx, layers: readonly string[]): Promise<void> {
  // As often as one of them is applied meanwhile, which each of them is once.
  while (!(await touchedAll(tx, layers))) {}
}

/** False, and nothing done, where a change set was applied between the look at it and the lock of its row. */
async function touchedAll(tx: Tx, layers: readonly string[]): Promise<boolean> {
  if (layers.length === 0) return true;
  const { rows } = await sql<PlacedRow>`
    select id, head_id, status from change_set where id ${tx.engine.within(layers)}`.execute(tx.db);
  const inHead = rows.filter(({ id, head_id, status }) => id === head_id || status === "Applied");
  const heads = new Set(inHead.map(({ head_id }) => head_id));
  const sets = rows.map(({ id }) => id).filter((id) => !heads.has(id));
  const mayMove = inHead.length < rows.length;
  if (mayMove) await sql`savepoint touching`.execute(tx.db);
  const touched: PlacedRow[] = [];
  for (const id of [...[...heads].sort(), ...sets.sort()]) {
    const { rows: now } = await sql<PlacedRow>`
      update change_set set rev = rev + 1 where id = ${id} returning id, head_id, status`.execute(tx.db);
    touched.push(...now);
  }
  const isMissing = touched.some(({ head_id, status }) => status === "Applied" && !heads.has(head_id));
  // The head comes before its change sets: their rows are let go of, to begin with the head.
  if (isMissing) await sql`rollback to touching`.execute(tx.db);
  if (mayMove) await sql`release touching`.execute(tx.db);
  if (isMissing) return false;
  for (const { id } of touched) tx.changed(id);
  return true;
}

interface PlacedRow {
  readonly id: string;
  readonly head_id: string;
  readonly status: ChangeSetStatus;
}

interface LockedRow {
  readonly workspace_id: string;
  readonly head_id: string;
  readonly rev: number;
  readonly graph_rev: number;
  readonly status: ChangeSetStatus;
}

async function refuse(tx: Tx, layerId: string): Promise<never> {
  const row = await tx.db
    .selectFrom("change_set")
    .select(["name", "status"])
    .where("id", "=", layerId)
    .executeTakeFirst();
  if (row === undefined) return fail("changeSetNotFound");
  return fail(
    "changeSetNotActive",
    `the change set "${row.name}" is ${row.status}: changes need an active one`,
  );
}

/** A write in a change set that is under way. */
export interface LayerChange {
  readonly tx: Tx;
  readonly layer: LockedLayer;
  /** Components whose readers must be recomputed; every function that saves adds what it touched. */
  readonly roots: Set<string>;
  /** Says that something was saved: without it the transaction is rolled back and leaves no event. */
  saved(): void;
}

/** What a write is to be remembered as. */
export type LayerEvent = Omit<NewEvent, "workspaceId" | "changeSetId">;

class NothingChanged<T> {
  readonly result: T;
  constructor(result: T) {
    this.result = result;
  }
}

/**
 * One write in a change set: locks it, runs `work`, leaves roots with their propagation and records one event. `work`
 * looks at no roots.
 * A change set whose merge was asked for or decided is open again afterwards, which is an event of its own.
 * Work that saves nothing leaves nothing, not even a new revision. Throws as {@link lockLayer} does, and
 * `headNotEditable` for the head.
 */
export async function changeLayer<T>(
  store: Store,
  layer: Layer,
  event: LayerEvent,
  work: (change: LayerChange) => Promise<T>,
): Promise<T> {
  if (layer.id === layer.headId) fail("headNotEditable");
  try {
    return await store.writeBlind(async (tx) => {
      const locked = await lockLayer(tx, layer.id);
      const roots = new Set<string>();
      let anything = false;
      const saved = (): void => {
        anything = true;
      };
      const result = await work({ tx, layer: locked, roots, saved });
      if (!anything) throw new NothingChanged(result);
      if (roots.size > 0) leaveRoots(tx, layer.id, roots);
      // What was reviewed is not what is there now: the edit takes requests and decisions back.
      if (locked.status !== "Open") await reopenEdited(tx, locked, event.actor);
      recordEvent(tx, { ...event, workspaceId: locked.workspaceId, changeSetId: layer.id });
      return result;
    });
  } catch (signal) {
    // Only the write above throws it, with a result of its own type.
    if (signal instanceof NothingChanged) return signal.result as T;
    throw signal;
  }
}
