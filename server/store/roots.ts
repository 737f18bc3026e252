import { sql } from "kysely";
import type { Reads, Tx } from "./open.ts";
import { inActive } from "./status.ts";

/** What a worker watches to hear of new work. */
export const jobsKey = "jobs";
/** Kind of the job that works off a layer's roots; its key is `propagate:<layer>`. */
export const propagateKind = "propagate";

/** Marks components as "recompute it and everyone that reads it", in ascending order, all with one fresh mark. */
export async function addRoots(tx: Tx, layerId: string, componentIds: Iterable<string>): Promise<void> {
  const mark = tx.store.id();
  const rows = [...new Set(componentIds)].sort().map((component) => ({ layer: layerId, component, mark }));
  await tx.engine.bulk(tx.db, "root", rootColumns, rows, markedAnew);
}
const rootColumns = ["layer", "component", "mark"] as const;
const markedAnew = { key: ["layer", "component"], update: ["mark"] } as const;

/** Asks for a propagation of this layer; asking twice counts, so that a finish can tell whether more came. */
export async function wantPropagation(tx: Tx, layerId: string): Promise<void> {
  await sql`insert into job(key, kind, wanted, owner, lease_until)
    values (${`${propagateKind}:${layerId}`}, ${propagateKind}, 1, null, 0)
    on conflict(key) do update set wanted = job.wanted + 1`.execute(tx.db);
  tx.changed(jobsKey);
}

/** Whether values of this layer are still to be computed. */
export async function hasRoots(reads: Reads, layerId: string): Promise<boolean> {
  const rows = await reads.db
    .selectFrom("root")
    .select("mark")
    .where("layer", "=", layerId)
    .limit(1)
    .execute();
  return rows.length > 0;
}

/**
 * The head moved on these components: marks, in every other active change set, its own rows of them, its own
 * subscribers to them, and those of them that subscribe to a component it has a row of. Returns the layers marked.
 */
export async function markOthers(
  tx: Tx,
  move: { readonly headId: string; readonly by: string; readonly touched: readonly string[] },
): Promise<string[]> {
  if (move.touched.length === 0) return [];
  const ids = tx.engine.within(move.touched);
  const others = sql`(select id from change_set where head_id = ${move.headId} and status ${inActive} and id <> ${move.headId} and id <> ${move.by})`;
  const { rows } = await sql<{ layer: string; id: string }>`
    select layer, id from component where id ${ids} and layer in ${others}
    union select s.layer, s.subscriber from sub s
      where s.source ${ids} and s.from_path is not null and s.layer in ${others}
    union select r.layer, s.subscriber from sub s join component r on r.id = s.source
      where s.layer = ${move.headId} and s.subscriber ${ids} and s.from_path is not null
        and r.layer in ${others}`.execute(tx.db);
  const byLayer = new Map<string, string[]>();
  for (const { layer, id } of rows) {
    const known = byLayer.get(layer);
    if (known === undefined) byLayer.set(layer, [id]);
    else known.push(id);
  }
  const layers = [...byLayer.keys()].sort();
  for (const layer of layers) {
    await sql`update change_set set rev = rev + 1 where id = ${layer}`.execute(tx.db);
    tx.changed(layer);
  }
  for (const layer of layers) await addRoots(tx, layer, byLayer.get(layer) ?? []);
  for (const layer of layers) await wantPropagation(tx, layer);
  return layers;
}
