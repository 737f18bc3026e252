import type { Prop } from "../domain/props.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import {
  type LayerState,
  listRowIds,
  readSearchChanges,
  type SearchRow,
  searchedTo,
} from "../store/search.ts";
import { indexRow, type LayerRows, type Shapes } from "./search-rows.ts";
import { findVariants, type VariantCache } from "./variants.ts";

/** The rows in memory of a layer and its head, and the revisions that they are of. */
export interface CaughtUp {
  readonly head: LayerState;
  readonly own: LayerState;
}

/** Rows read into memory between two turns of the event loop: about 5 ms of work. */
const batchSize = 500;
/** Something other than writers is at work when this many attempts in a row find rows that are gone. */
const maximumAttempts = 1_000;

/** Brings the rows of a layer and of its head, as they are kept in memory, up to one moment in the present. */
export class SearchReader {
  readonly #shapes: Shapes;
  /** The properties of variants met so far: they say which values that were copied whole have parts. */
  readonly #props = new Map<string, Prop>();

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  /** For the head itself both are the same rows. */
  async catchUp(
    reads: Reads,
    cache: VariantCache,
    layer: Layer,
    rows: { readonly head: LayerRows; readonly own: LayerRows },
  ): Promise<CaughtUp> {
    const { head, own } = rows;
    for (let attempt = 0; attempt < maximumAttempts; attempt++) {
      const after = { head: head.cursor, own: own.cursor, counted: head.counted };
      const changes = await readSearchChanges(reads, layer, after);
      await this.#take(reads, cache, layer, rows, changes.rows);
      if (changes.more) continue;
      head.cursor = searchedTo(changes.head.graphRev);
      own.cursor = searchedTo(changes.own.graphRev);
      const isHeadWhole = await dropGone(reads, layer.headId, head, changes.head);
      if (isHeadWhole && (own === head || (await dropGone(reads, layer.id, own, changes.own))))
        return changes;
    }
    throw new Error(`the rows of the layer ${layer.id} cannot be read at one moment`);
  }

  async #take(
    reads: Reads,
    cache: VariantCache,
    layer: Layer,
    { head, own }: { readonly head: LayerRows; readonly own: LayerRows },
    rows: readonly SearchRow[],
  ): Promise<void> {
    await this.#loadProps(reads, cache, layer, rows);
    for (let from = 0; from < rows.length; from += batchSize) {
      // SQLite answers at once, so without this no socket and no timer would be served meanwhile.
      if (from > 0) await new Promise((resolve) => setImmediate(resolve));
      for (const row of rows.slice(from, from + batchSize)) {
        const target = row.layer === layer.headId ? head : own;
        target.put(indexRow(this.#shapes, row, this.#props.get(row.variant_id ?? "")));
        target.pass({ rev: row.row_rev, id: row.id });
      }
    }
  }

  async #loadProps(
    reads: Reads,
    cache: VariantCache,
    layer: Layer,
    rows: readonly SearchRow[],
  ): Promise<void> {
    const ids = new Set(rows.map((row) => row.variant_id ?? "").filter((id) => id !== ""));
    const missing = [...ids].filter((id) => !this.#props.has(id));
    if (missing.length === 0) return;
    for (const [id, { props }] of await findVariants(reads, cache, layer, missing))
      this.#props.set(id, props);
  }
}

/**
 * Forgets rows that are gone, and says whether there was nothing to forget. What was written is never missed, so that
 * fewer than there are mean another history: everything is read again.
 */
async function dropGone(
  reads: Reads,
  layerId: string,
  rows: LayerRows,
  { count, graphRev }: LayerState,
): Promise<boolean> {
  if (count === undefined) return true;
  if (rows.size === count) {
    rows.counted = graphRev;
    return true;
  }
  if (rows.size > count) rows.keep(await listRowIds(reads, layerId));
  else rows.clear();
  return false;
}
