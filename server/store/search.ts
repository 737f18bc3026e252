import { type RawBuilder, sql } from "kysely";
import { hashOf } from "./component-rows.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";
import { sealOf } from "./search-seal.ts";
import type { LayerOp } from "./tables.ts";

/** What search reads of one component in one layer. */
export interface SearchRow {
  readonly layer: string;
  readonly id: string;
  readonly op: LayerOp;
  readonly hash: string | null;
  readonly edit_rev: number;
  readonly base_rev: number;
  readonly row_rev: number;
  readonly name: string | null;
  /** The layer's own choice, else the head's. */
  readonly variant_id: string | null;
  readonly vals: string | null;
  readonly search_seal: string | null;
}

/** How far a layer's rows have been read: up to this one of those written at `rev`. */
export interface SearchCursor {
  readonly rev: number;
  readonly id: string;
}

/** Before everything. */
export const searchStart: SearchCursor = { rev: -1, id: "" };

/** After everything written at a revision; no id is greater. */
export const searchedTo = (rev: number): SearchCursor => ({ rev, id: "~" });

/** One layer at one moment. */
export interface LayerState {
  readonly graphRev: number;
  /** How many rows it has; undefined for a head that has not moved since they were counted. */
  readonly count: number | undefined;
}

/** What was written since, and the layers as they were when it was read: all of one moment. */
export interface SearchChanges {
  readonly head: LayerState;
  readonly own: LayerState;
  /** In the order in which they were written, the head's first. */
  readonly rows: readonly SearchRow[];
  /** Whether a layer has more than was read. */
  readonly more: boolean;
}

/** Stands for the number of rows of a layer that need not be counted. */
const uncounted = -1;

/** How far a layer and its head have been read. */
export interface SearchedSo {
  readonly head: SearchCursor;
  readonly own: SearchCursor;
  /**
   * The head's graph revision when its rows were counted last, -1 before: they are only removed by what moves it, which
   * is not so in a change set, since an apply takes them away.
   */
  readonly counted: number;
}

/** Rows of a layer read at once: about 15 ms of work. */
const batchSize = 2_000;

/** The graph revisions of a layer and its head, in one query by primary keys. */
export async function searchRevisions(
  reads: Reads,
  layer: Layer,
): Promise<{ readonly head: number; readonly own: number }> {
  const { rows } = await sql<{ head: number; own: number }>`
    select h.graph_rev as head, c.graph_rev as own from change_set c join change_set h on h.id = c.head_id
    where c.id = ${layer.id}`.execute(reads.db);
  return rows[0] ?? { head: 0, own: 0 };
}

/**
 * Reads what was written in a layer and its head after these cursors, in one statement, so that an apply is seen in
 * both or in neither. For the head itself the own cursor does not count.
 */
export async function readSearchChanges(
  reads: Reads,
  layer: Layer,
  after: SearchedSo,
  limit = batchSize,
): Promise<SearchChanges> {
  const isHead = layer.id === layer.headId;
  const layers = isHead ? sql`${layer.id}` : sql`${layer.headId}, ${layer.id}`;
  const heads = writtenIn(layer.headId, after.head, limit, sql`c.variant_id`);
  const owns = writtenIn(
    layer.id,
    after.own,
    limit,
    sql`coalesce(c.variant_id, (select h.variant_id from component h where h.layer = ${layer.headId} and h.id = c.id))`,
  );
  // The first rows are the layers themselves: their revision, and how many rows they have.
  const { rows } = await sql<SearchRow & { readonly kind: number }>`
    select 0 as kind, s.id as layer, '' as id, 'head' as op, null as hash,
      case when s.id = ${layer.headId} and s.graph_rev = ${after.counted} then ${sql.lit(uncounted)}
        else (select count(*) from component c where c.layer = s.id) end as edit_rev,
      0 as base_rev, s.graph_rev as row_rev,
      null as name, null as variant_id, null as vals, null as search_seal
      from change_set s where s.id in (${layers})
    union all select * from (${heads}) a ${isHead ? sql`` : sql`union all select * from (${owns}) b`}`.execute(
    reads.db,
  );
  const stateOf = (id: string): LayerState => {
    const row = rows.find((one) => one.kind === 0 && one.layer === id);
    return { graphRev: row?.row_rev ?? 0, count: row?.edit_rev === uncounted ? undefined : row?.edit_rev };
  };
  const written = rows.filter((row) => row.kind === 1);
  const ofHead = written.filter((row) => row.layer === layer.headId).length;
  const more = ofHead === limit || written.length - ofHead === limit;
  return { head: stateOf(layer.headId), own: stateOf(layer.id), rows: written, more };
}

/** One window over the index of a layer's rows by the revision that wrote them. */
const writtenIn = (
  layerId: string,
  after: SearchCursor,
  limit: number,
  variant: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select 1 as kind, c.layer, c.id, c.op, c.hash, c.edit_rev, c.base_rev, c.row_rev, c.name, ${variant} as variant_id,
    c.vals, c.search_seal from component c
  where c.layer = ${layerId} and (c.row_rev, c.id) > (${after.rev}, ${after.id})
  order by c.row_rev, c.id limit ${limit}`;

/** The ids of all rows of a layer. */
export async function listRowIds(reads: Reads, layerId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from component where layer = ${layerId}`.execute(
    reads.db,
  );
  return new Set(rows.map((row) => row.id));
}

/** Whether a row's values are the ones that were sealed, in the present format. */
export const isSealed = (row: Pick<SearchRow, "vals" | "search_seal">): boolean =>
  row.vals !== null && row.search_seal === sealOf(hashOf(row.vals));
