import { putEntityRows } from "./entities.ts";
import type { LayerChange } from "./layer.ts";

/** Removes an entity that the change set shows: one that only it has goes, one of the head's is hidden. */
export async function removeEntity(change: LayerChange, kind: string, id: string): Promise<void> {
  const { tx, layer } = change;
  const head = await tx.db
    .selectFrom("entity")
    .select("edit_rev")
    .where("layer", "=", layer.headId)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .executeTakeFirst();
  if (head === undefined) {
    await tx.db
      .deleteFrom("entity")
      .where("layer", "=", layer.id)
      .where("kind", "=", kind)
      .where("id", "=", id)
      .execute();
  } else {
    const tombstone = { layer: layer.id, kind, id, op: "del", name: null, body: null } as const;
    await putEntityRows(tx, [{ ...tombstone, edit_rev: layer.graphRev, base_rev: head.edit_rev }]);
  }
  change.saved();
}
