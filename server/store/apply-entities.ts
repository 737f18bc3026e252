import { sql } from "kysely";
import type { JsonObject } from "../domain/json.ts";
import { bodyOf, dropEntityRows, putEntityRows } from "./entities.ts";
import type { Layer, LockedLayer } from "./layer.ts";
import type { Tx } from "./open.ts";
import type { ApplyRules } from "./rules.ts";
import type { EntityTable } from "./tables.ts";

/**
 * Moves a change set's entities to the head, as the rules settle them there; an edit of one that the head lost is dropped. Gives the ids of the secrets
 * that may hold something else than before.
 */
export async function applyEntities(
  tx: Tx,
  rules: ApplyRules,
  head: LockedLayer,
  own: Layer,
): Promise<string[]> {
  const patches = await tx.db.selectFrom("entity").selectAll().where("layer", "=", own.id).execute();
  if (patches.length === 0) return [];
  const ids = patches.map((patch) => patch.id);
  const { rows } = await sql<EntityTable>`
    select * from entity where layer = ${head.id} and id ${tx.engine.within(ids)}`.execute(tx.db);
  const heads = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
  const puts: EntityTable[] = [];
  const met = new Map<string, EntityTable>();
  const metBy = ({ kind, id }: EntityTable): { readonly met?: JsonObject } => {
    const found = met.get(`${kind} ${id}`);
    return found === undefined ? {} : { met: bodyOf(found) };
  };
  for (const patch of patches) {
    const before = heads.get(`${patch.kind} ${patch.id}`);
    if (patch.op === "del") {
      await dropEntityRows(tx, head.id, { kind: patch.kind, ids: [patch.id] });
    } else if (patch.op === "add" || before !== undefined) {
      if (patch.op === "add" && before !== undefined) met.set(`${patch.kind} ${patch.id}`, before);
      const body =
        patch.op === "add" || before === undefined
          ? patch.body
          : JSON.stringify(rules.mergeBody(bodyOf(before), bodyOf(patch)));
      puts.push({
        ...patch,
        layer: head.id,
        op: "head",
        edit_rev: head.graphRev,
        base_rev: 0,
        name: patch.name ?? before?.name ?? null,
        body,
      });
    }
  }
  const settled = rules.settle(
    puts.map((row) => ({ kind: row.kind, id: row.id, body: bodyOf(row), ...metBy(row) })),
    tx.now,
  );
  await putEntityRows(
    tx,
    puts.map((row, index) => ({ ...row, body: JSON.stringify(settled[index]) })),
  );
  await dropEntityRows(tx, own.id);
  return patches.filter(({ kind, op }) => kind === "secret" && op === "edit").map(({ id }) => id);
}
