import { sql } from "kysely";
import { deleteActionRows, isAdded, isRunning, overlay, putActionRows } from "./actions.ts";
import type { Layer, LockedLayer } from "./layer.ts";
import type { Tx } from "./open.ts";
import type { ActionTable } from "./tables.ts";

/** What the apply did to components, as far as actions are concerned. */
export interface AppliedComponents {
  /** Removed from the head. */
  readonly deleted: readonly string[];
  /** Kept in the head until their Destroy has run. */
  readonly marked: readonly string[];
}

/**
 * Moves the actions of a change set to the head, after its components: what it showed is what the head has then. Those
 * of removed components go, those of marked ones too but for their Destroy; what runs already is left alone. Returns
 * how many arrived.
 */
export async function applyActions(
  tx: Tx,
  head: LockedLayer,
  own: Layer,
  { deleted, marked }: AppliedComponents,
): Promise<number> {
  if (deleted.length > 0) {
    const gone = tx.engine.within(deleted);
    await sql`delete from action where layer = ${head.id} and component_id ${gone}`.execute(tx.db);
    await sql`delete from drift where layer = ${head.id} and component ${gone}`.execute(tx.db);
  }
  const arrived = await moveActions(tx, head, own);
  if (marked.length > 0) {
    await sql`delete from action where layer = ${head.id} and component_id ${tx.engine.within(marked)}
      and kind <> 'Destroy' and state not in ('Dispatched', 'Running')`.execute(tx.db);
  }
  return arrived;
}

async function moveActions(tx: Tx, head: LockedLayer, own: Layer): Promise<number> {
  const { rows: owns } = await sql<ActionTable>`select * from action where layer = ${own.id}`.execute(tx.db);
  if (owns.length === 0) return 0;
  const componentIds = [...new Set(owns.flatMap((row) => row.component_id ?? []))];
  const present = await sql<{ id: string }>`
    select id from component where layer = ${head.id} and id ${tx.engine.within(componentIds)}`.execute(
    tx.db,
  );
  const there = new Set(present.rows.map(({ id }) => id));
  const ids = owns.map(({ id }) => id);
  const { rows: heads } = await sql<ActionTable>`
    select * from action where layer = ${head.id}
      and (id ${tx.engine.within(ids)} or component_id ${tx.engine.within(componentIds)})`.execute(tx.db);
  const after = overlay(
    heads,
    owns.filter((row) => row.component_id === null || there.has(row.component_id)),
  );
  const kept = new Set(after.map(({ id }) => id));
  await deleteActionRows(
    tx,
    head.id,
    heads.filter((row) => !kept.has(row.id) && !isRunning(row)).map((row) => row.id),
  );
  const moved = after.filter((row) => row.layer === own.id);
  const at = { layer: head.id, op: "head", edit_rev: head.graphRev, base_rev: 0 } as const;
  await putActionRows(
    tx,
    moved.map((row) => ({ ...row, ...at })),
  );
  await sql`delete from action where layer = ${own.id}`.execute(tx.db);
  return moved.filter(isAdded).length;
}
