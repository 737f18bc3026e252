import { sql } from "kysely";
import { deleteActionRows, putActionRows } from "./actions.ts";
import type { LayerChange } from "./layer.ts";
import type { Tx } from "./open.ts";
import type { ActionTable } from "./tables.ts";

/** An action that a change set queued for no other reason than its component's values. */
export interface AutoAction {
  readonly componentId: string;
  /** Whether those values ask for it no more: then the change set does not show it. */
  readonly isIdle: boolean;
  readonly row: ActionTable;
}

/** Such actions of components in a change set, those that nobody has held since; in one statement. */
export async function listAutoActions(
  tx: Tx,
  layerId: string,
  componentIds: readonly string[],
): Promise<AutoAction[]> {
  if (componentIds.length === 0) return [];
  const { rows } = await sql<ActionTable>`select * from action where layer = ${layerId}
    and op in ('auto', 'idle') and component_id ${tx.engine.within(componentIds)} order by id`.execute(tx.db);
  return rows.flatMap((row) =>
    row.component_id === null ? [] : { componentId: row.component_id, isIdle: row.op === "idle", row },
  );
}

/** Takes such actions off the queue until the values ask for them again; what is off it already stays so. */
export async function idleActions(change: LayerChange, actions: readonly AutoAction[]): Promise<void> {
  const shown = actions.filter(({ isIdle }) => !isIdle);
  if (shown.length === 0) return;
  await putActionRows(
    change.tx,
    shown.map(({ row }) => ({ ...row, op: "idle", edit_rev: change.layer.graphRev })),
  );
  change.saved();
}

/** Forgets those that are off the queue. */
export const forgetIdleActions = (
  { tx, layer }: LayerChange,
  actions: readonly AutoAction[],
): Promise<void> =>
  deleteActionRows(
    tx,
    layer.id,
    actions.filter(({ isIdle }) => isIdle).map(({ row }) => row.id),
  );
