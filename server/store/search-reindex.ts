import { sql } from "kysely";
import type { ChangeSetStatus } from "../../src/contract/change-sets.ts";
import { fail } from "../../src/contract/errors.ts";
import {
  componentRow,
  hashOf,
  loadPairs,
  ownRowOf,
  type Pair,
  putRows,
  takesHeadName,
  valsOf,
} from "./component-rows.ts";
import type { Layer } from "./layer.ts";
import type { Reads, Store, Tx } from "./open.ts";
import { addRoots, markOthers, wantPropagation } from "./roots.ts";
import type { ComponentRules, PreparedRules } from "./rules.ts";
import { isSealed } from "./search.ts";
import { definitionOf, lastFinished } from "./show.ts";
import { isActive } from "./status.ts";
import type { ComponentTable } from "./tables.ts";

/** What a reindexing went through: layers that hold components, and components in them. */
export interface Reindexed {
  readonly layers: number;
  readonly components: number;
}

/** Components looked at between two turns of the event loop, and mended in one transaction. */
const batchSize = 500;

/**
 * Goes through the components of every layer, or of one workspace's, and computes those anew whose values search
 * cannot read: from what is set, and from what was read of others last. Where that makes a difference, a propagation
 * follows. What is sound stays untouched. Throws `workspaceNotFound`.
 */
export async function reindexSearch(
  store: Store,
  rulesOf: (reads: Reads) => ComponentRules,
  workspaceId?: string,
): Promise<Reindexed> {
  const gone = { layers: 0, components: 0 };
  for (const layer of await listLayers(store, workspaceId)) {
    let found = 0;
    for (let after = "", full = true; full; ) {
      const { rows } = await sql<Pick<ComponentTable, "id" | "op" | "vals" | "search_seal">>`
        select id, op, vals, search_seal from component where layer = ${layer.id} and id > ${after}
        order by id limit ${batchSize}`.execute(store.db);
      const present = rows.filter((row) => row.op !== "del");
      const broken = present.filter((row) => !isSealed(row)).map((row) => row.id);
      if (broken.length > 0) await mendLayer(store, rulesOf, layer, broken);
      found += present.length;
      after = rows.at(-1)?.id ?? "";
      full = rows.length === batchSize;
      await new Promise((resolve) => setImmediate(resolve));
    }
    gone.components += found;
    if (found > 0) gone.layers += 1;
  }
  return gone;
}

/** Heads first: what change sets show rests on them. */
async function listLayers(store: Store, workspaceId: string | undefined): Promise<Layer[]> {
  if (workspaceId !== undefined) {
    const { rows } = await sql`select id from workspace where id = ${workspaceId}`.execute(store.db);
    if (rows.length === 0) fail("workspaceNotFound");
  }
  const some = workspaceId === undefined ? sql`` : sql`where workspace_id = ${workspaceId}`;
  const { rows } = await sql<{ id: string; head_id: string; workspace_id: string }>`
    select id, head_id, workspace_id from change_set ${some}
    order by case when id = head_id then 0 else 1 end, id`.execute(store.db);
  return rows.map((row) => ({ id: row.id, headId: row.head_id, workspaceId: row.workspace_id }));
}

async function mendLayer(
  store: Store,
  rulesOf: (reads: Reads) => ComponentRules,
  layer: Layer,
  ids: readonly string[],
): Promise<void> {
  await store.write(async (tx) => {
    const { graphRev, status } = await lockAny(tx, layer.id);
    const rules = rulesOf(tx);
    const pairs = [...(await loadPairs(tx, layer, ids))];
    const variantIds = pairs.map(([, { head, own }]) => own?.variant_id ?? head?.variant_id ?? "");
    const prepared = await rules.prepare(
      layer,
      [...new Set(variantIds)].filter((id) => id !== ""),
    );
    const mended: ComponentTable[] = [];
    const changed: string[] = [];
    for (const [id, pair] of pairs) {
      const before = layer.id === layer.headId ? pair.head : pair.own;
      const row = before && mendRow({ rules, prepared, layer, graphRev }, id, before, pair);
      if (row === undefined) continue;
      mended.push(row);
      if (row.hash !== before?.hash) changed.push(id);
    }
    await putRows(tx, mended);
    if (changed.length === 0) return;
    if (layer.id === layer.headId) {
      await markOthers(tx, { headId: layer.id, by: layer.id, touched: changed });
    }
    if (!isActive(status)) return;
    await addRoots(tx, layer.id, changed);
    await wantPropagation(tx, layer.id);
  });
}

/** As `lockLayer`, whatever the status: what was abandoned can still be read. */
async function lockAny(
  tx: Tx,
  layerId: string,
): Promise<{ readonly graphRev: number; readonly status: ChangeSetStatus }> {
  const { rows } = await sql<{ graphRev: number; status: ChangeSetStatus }>`
    update change_set set rev = rev + 1, graph_rev = graph_rev + 1 where id = ${layerId}
    returning graph_rev as "graphRev", status`.execute(tx.db);
  tx.changed(layerId);
  return rows[0] ?? fail("changeSetNotFound");
}

interface Mending {
  readonly rules: ComponentRules;
  readonly prepared: PreparedRules;
  readonly layer: Layer;
  readonly graphRev: number;
}

/** The row as it should be; undefined for one that is sound, and for one that the layer does not show. */
function mendRow(
  { rules, prepared, layer, graphRev }: Mending,
  id: string,
  before: ComponentTable,
  pair: Pair<ComponentTable>,
): ComponentTable | undefined {
  if (before.op === "del" || isSealed(before)) return undefined;
  const definition = definitionOf(rules, id, pair);
  if (definition === undefined) return undefined;
  const readable = { head: readableOf(pair.head), own: readableOf(pair.own) };
  const last = valsOf(readable.own ?? readable.head);
  const vals = prepared.compute(definition, lastFinished(rules, definition, readable), last);
  const text = JSON.stringify(vals);
  const isHead = layer.id === layer.headId;
  const differs = hashOf(text) !== before.hash;
  const rendered = prepared.render(definition, vals);
  const own = ownRowOf(before)?.settings ?? null;
  return componentRow(definition, text, rendered, {
    layer: layer.id,
    op: before.op,
    // Only a change of the head's values concerns the rows above it.
    editRev: isHead && differs ? graphRev : before.edit_rev,
    rowRev: graphRev,
    baseRev: isHead ? 0 : (pair.head?.edit_rev ?? 0),
    settings: before.settings,
    named: !takesHeadName(rules, definition, own, pair.head, rendered.name),
    variantId: before.variant_id,
  });
}

/** What may still be read of a row whose values are damaged: nothing, where they are not what they were. */
const readableOf = (row: ComponentTable | undefined): { readonly vals: string | null } | undefined =>
  row === undefined || (row.vals !== null && hashOf(row.vals) === row.hash) ? row : { vals: null };
