import { sql } from "kysely";
import type { Reads } from "./open.ts";
import type { Committed } from "./propagation-commit.ts";
import { layerStamps, type Stamp, stampOf, stampsIn, stampsText } from "./stamps.ts";

/** Rows of a change set that are known all together: reading as many takes about 10 ms on SQLite. */
const fewRows = 2_000;

/**
 * The stamps of a change set's rows, known from one pass to the next while they are few. A row bears the number of the
 * write that it was written with (`row_rev`), so that only those written since are read; that others are gone shows in
 * how many there are.
 */
export class OwnStamps {
  readonly #layerId: string;
  readonly #limit: number;
  /** Everything written up to this number of the layer's graph is known. */
  #graph = -1;
  #stamps = new Map<string, Stamp>();

  constructor(layerId: string, limit = fewRows) {
    this.#layerId = layerId;
    this.#limit = limit;
  }

  /** Those of these components, and perhaps more, at `graph` or later: the layer's number as it was before. */
  async find(reads: Reads, graph: number, ids: readonly string[]): Promise<ReadonlyMap<string, Stamp>> {
    let found = await this.#catchUp(reads, graph);
    if (found === "gone") found = await this.#catchUp(reads, graph);
    return found === "known" ? this.#stamps : layerStamps(reads, this.#layerId, ids);
  }

  /** Takes over what a pass wrote, where nothing else was written since it caught up. */
  wrote({ graph, written, dropped }: Committed): void {
    if (this.#graph !== graph - 1) return;
    for (const row of written) this.#stamps.set(row.id, stampOf(row));
    for (const id of dropped) this.#stamps.delete(id);
    this.#graph = graph;
    if (this.#stamps.size > this.#limit) this.#forget();
  }

  async #catchUp(reads: Reads, graph: number): Promise<"known" | "gone" | "many"> {
    const [layer, known, limit] = [this.#layerId, this.#graph, this.#limit];
    const { rows } = await sql<{ readonly count: number; readonly stamps: string | null }>`
      select count, case when count <= ${limit} then
        (select ${stampsText} from component where layer = ${layer} and row_rev > ${known}) end as stamps
      from (select count(*) as count from
        (select 1 from component where layer = ${layer} limit ${limit + 1}) few) counted`.execute(reads.db);
    const { count = 0, stamps = null } = rows[0] ?? {};
    for (const [id, stamp] of stampsIn(stamps)) this.#stamps.set(id, stamp);
    this.#graph = graph;
    // Where they are too many, none was read and their count is cut off: it tells nothing.
    if (count <= limit && count === this.#stamps.size) return "known";
    this.#forget();
    return count > limit ? "many" : "gone";
  }

  #forget(): void {
    this.#graph = -1;
    this.#stamps = new Map();
  }
}
