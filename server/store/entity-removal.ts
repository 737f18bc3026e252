import { sql } from "kysely";
import { dropEntityRows, putEntityRows } from "./entities.ts";
import type { LayerChange } from "./layer.ts";

/** Removes an entity that the change set shows: one that only it has goes, one of the head's is hidden. */
export const removeEntity = (change: LayerChange, kind: string, id: string): Promise<void> =>
  removeEntities(change, kind, [id]);

/** The same for several of a kind, in three statements. */
export async function removeEntities(
  change: LayerChange,
  kind: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { tx, layer } = change;
  const { rows } = await sql<{ id: string; edit_rev: number }>`
    select id, edit_rev from entity
    where layer = ${layer.headId} and kind = ${kind} and id ${tx.engine.within(ids)}`.execute(tx.db);
  const inHead = new Set(rows.map(({ id }) => id));
  const gone = ids.filter((id) => !inHead.has(id));
  await dropEntityRows(tx, layer.id, { kind, ids: gone });
  const tombstone = {
    layer: layer.id,
    kind,
    op: "del",
    edit_rev: layer.graphRev,
    name: null,
    body: null,
  } as const;
  await putEntityRows(
    tx,
    rows.map(({ id, edit_rev }) => ({ ...tombstone, id, base_rev: edit_rev })),
  );
  change.saved();
}
