import { sql } from "kysely";
import type { ActionKind, ActionState } from "../../src/contract/actions.ts";
import { fail } from "../../src/contract/errors.ts";
import type { Layer, LayerChange } from "./layer.ts";
import type { Reads, Tx } from "./open.ts";
import type { ActionTable } from "./tables.ts";

/** One queued operation on a component, as a layer shows it. */
export interface QueuedAction {
  readonly id: string;
  /** Undefined for one that belongs to no component. */
  readonly componentId: string | undefined;
  readonly prototypeId: string;
  readonly kind: ActionKind;
  readonly name: string;
  readonly description: string | undefined;
  readonly state: ActionState;
  /** The change set that queued it; stays when it moves to the head. */
  readonly origin: string;
  /** Its latest run. */
  readonly funcRunId: string | undefined;
}

/** An action to queue: it waits, unless it is given another state. */
export type NewAction = Pick<QueuedAction, "componentId" | "prototypeId" | "kind" | "name" | "description"> &
  Partial<Pick<QueuedAction, "state">> & {
    /** Whether only the values of its component ask for it: in a change set it goes when they do no more. */
    readonly isAuto?: boolean;
  };

/** Whether somebody works on it: what a change set wants of it counts for nothing meanwhile. */
export const isRunning = ({ state }: { readonly state: ActionState }): boolean =>
  state === "Dispatched" || state === "Running";

/**
 * Actions that the layer shows, in ascending order of id, in one statement: a change set shows the head's with its own
 * over them. Those of components that it does not show are left out.
 */
export async function listActions(reads: Reads, layer: Layer): Promise<QueuedAction[]> {
  const inHead = sql`select 1 from component c where c.layer = ${layer.headId} and c.id = a.component_id`;
  const own = sql`select c.op from component c where c.layer = ${layer.id} and c.id = a.component_id`;
  const layers = layer.id === layer.headId ? sql`${layer.id}` : sql`${layer.headId}, ${layer.id}`;
  const { rows } = await sql<
    ActionTable & { readonly in_head: number | null; readonly own_op: string | null }
  >`
    select a.*, (${inHead}) as in_head, (${own}) as own_op from action a
    where a.layer in (${layers}) order by a.id`.execute(reads.db);
  const visible = rows.filter(
    ({ component_id, in_head, own_op }) =>
      component_id === null || own_op === "add" || (in_head !== null && own_op !== "del"),
  );
  const isHead = ({ layer: rowLayer }: ActionTable): boolean => rowLayer === layer.headId;
  const shown = overlay(
    visible.filter(isHead),
    visible.filter((row) => !isHead(row)),
  );
  return shown.map(queuedActionOf);
}

/** Actions of components that the layer shows, in ascending order of id; those of one that it does not show included. */
export async function listActionsOf(
  reads: Reads,
  layer: Layer,
  componentIds: readonly string[],
): Promise<QueuedAction[]> {
  if (componentIds.length === 0) return [];
  const rows = await rowsWhere(reads, layer, sql`component_id ${reads.engine.within(componentIds)}`);
  return rows.map(queuedActionOf);
}

/** Queues actions in the layer; those of a change set run only after its apply. Returns their ids in the same order. */
export async function queueActions(change: LayerChange, actions: readonly NewAction[]): Promise<string[]> {
  const { tx, layer } = change;
  const rows = actions.map(
    (action): ActionTable => ({
      layer: layer.id,
      id: tx.store.id(),
      op: layer.id === layer.headId ? "head" : action.isAuto === true ? "auto" : "add",
      edit_rev: layer.graphRev,
      base_rev: 0,
      component_id: action.componentId ?? null,
      prototype_id: action.prototypeId,
      kind: action.kind,
      name: action.name,
      description: action.description ?? null,
      state: action.state ?? "Pending",
      origin: layer.id,
      func_run_id: null,
    }),
  );
  await putActionRows(tx, rows);
  if (rows.length > 0) change.saved();
  return rows.map(({ id }) => id);
}

/**
 * Gives a waiting action another state in the layer, which makes it somebody's own; again changes nothing. Undefined
 * when the layer does not show it. Throws `actionRunning`.
 */
export async function setActionState(
  change: LayerChange,
  actionId: string,
  state: ActionState,
): Promise<QueuedAction | undefined> {
  const shown = await findForWrite(change, actionId);
  if (shown === undefined || shown.state === state) return shown && queuedActionOf(shown);
  const row = overHead(change, shown, shown.op === "auto" ? { state, op: "add" } : { state });
  await putActionRows(change.tx, [row]);
  change.saved();
  return queuedActionOf(row);
}

/** Takes a waiting action off the queue of the layer; undefined when the layer does not show it. Throws `actionRunning`. */
export async function removeAction(change: LayerChange, actionId: string): Promise<QueuedAction | undefined> {
  const shown = await findForWrite(change, actionId);
  if (shown === undefined) return undefined;
  await removeRows(change, [shown]);
  return queuedActionOf(shown);
}

/** Takes the actions of components off the queue of the layer, those of some kinds only where they are given. */
export async function removeActionsOf(
  change: LayerChange,
  componentIds: readonly string[],
  kinds?: readonly ActionKind[],
): Promise<void> {
  if (componentIds.length === 0) return;
  const { tx, layer } = change;
  const found = await rowsWhere(tx, layer, sql`component_id ${tx.engine.within(componentIds)}`);
  const removed = found.filter((row) => !isRunning(row) && (kinds === undefined || kinds.includes(row.kind)));
  await removeRows(change, removed);
}

/** Takes the waiting actions of prototypes off the queue of the layer. */
export async function removeActionsOfPrototypes(
  change: LayerChange,
  prototypeIds: readonly string[],
): Promise<void> {
  if (prototypeIds.length === 0) return;
  const { tx, layer } = change;
  const found = await rowsWhere(tx, layer, sql`prototype_id ${tx.engine.within(prototypeIds)}`);
  await removeRows(
    change,
    found.filter((row) => !isRunning(row)),
  );
}

async function findForWrite({ tx, layer }: LayerChange, actionId: string): Promise<ActionTable | undefined> {
  const [shown] = await rowsWhere(tx, layer, sql`id = ${actionId}`);
  if (shown !== undefined && isRunning(shown)) {
    fail("actionRunning", `the action "${shown.name}" is ${shown.state}: wait until it has ended`);
  }
  return shown;
}

async function rowsWhere(
  reads: Reads,
  layer: Layer,
  condition: ReturnType<typeof sql>,
): Promise<readonly ActionTable[]> {
  const { rows } = await sql<ActionTable>`
    select * from action where layer in (${layer.headId}, ${layer.id}) and ${condition} order by id`.execute(
    reads.db,
  );
  const isHead = (row: ActionTable): boolean => row.layer === layer.headId;
  return overlay(
    rows.filter(isHead),
    rows.filter((row) => !isHead(row)),
  );
}

/** A head row changed where the layer is the head, else the layer's own row with the change. */
const overHead = (
  { layer }: LayerChange,
  row: ActionTable,
  changed: Partial<Pick<ActionTable, "state" | "op">>,
): ActionTable => {
  const isOwn = row.layer === layer.id;
  const base = { ...row, ...changed, layer: layer.id, edit_rev: layer.graphRev };
  return isOwn ? base : { ...base, op: changed.op ?? "edit", base_rev: row.edit_rev };
};

async function removeRows(change: LayerChange, rows: readonly ActionTable[]): Promise<void> {
  if (rows.length === 0) return;
  const { tx, layer } = change;
  const gone = rows.filter((row) => isAdded(row) || layer.id === layer.headId).map((row) => row.id);
  await deleteActionRows(tx, layer.id, gone);
  const hidden = rows.filter((row) => !gone.includes(row.id));
  await putActionRows(
    tx,
    hidden.map((row) => overHead(change, row, { op: "del" })),
  );
  change.saved();
}

/**
 * What a change set shows of actions: an edit changes the state of one that the head still has; one that runs is shown
 * as it is; one that the head has waiting already is not shown twice.
 */
export function overlay(heads: readonly ActionTable[], owns: readonly ActionTable[]): ActionTable[] {
  const own = new Map(owns.map((row) => [row.id, row]));
  const shown = heads.flatMap((head) => {
    const mine = own.get(head.id);
    if (mine === undefined || isRunning(head)) return [head];
    const { layer, op, state, base_rev } = mine;
    return op === "del" ? [] : [{ ...head, layer, op, state, base_rev }];
  });
  const waiting = new Set(shown.filter((row) => !isRunning(row)).map(targetOf));
  const added = owns.filter((row) => isAdded(row) && !waiting.has(targetOf(row)));
  return [...shown, ...added].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether a row is an action of its own, rather than something that is said of the head's. */
export const isAdded = ({ op }: Pick<ActionTable, "op">): boolean => op === "add" || op === "auto";

/** What an action would do: the same prototype on the same component waits once. */
const targetOf = ({ component_id, prototype_id }: ActionTable): string =>
  `${component_id ?? ""} ${prototype_id}`;

const columns = [
  "layer",
  "id",
  "op",
  "edit_rev",
  "base_rev",
  "component_id",
  "prototype_id",
  "kind",
  "name",
  "description",
  "state",
  "origin",
  "func_run_id",
] as const satisfies readonly (keyof ActionTable)[];

/** Inserts or replaces action rows. */
export const putActionRows = (tx: Tx, rows: readonly ActionTable[]): Promise<void> =>
  tx.engine.bulk(tx.db, "action", columns, rows, {
    key: ["layer", "id"],
    update: columns.filter((column) => column !== "layer" && column !== "id"),
  });

/** Deletes action rows of a layer. */
export async function deleteActionRows(tx: Tx, layerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from action where layer = ${layerId} and id ${tx.engine.within(ids)}`.execute(tx.db);
}

/** The action that a row is. */
export const queuedActionOf = (row: ActionTable): QueuedAction => ({
  id: row.id,
  componentId: row.component_id ?? undefined,
  prototypeId: row.prototype_id,
  kind: row.kind,
  name: row.name,
  description: row.description ?? undefined,
  state: row.state,
  origin: row.origin,
  funcRunId: row.func_run_id ?? undefined,
});
