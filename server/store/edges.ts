import { sql } from "kysely";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";

/** One subscription as a layer sees it: the subscriber's setting at `to_path` reads `from_path` of the source. */
export interface Edge {
  readonly source: string;
  readonly subscriber: string;
  readonly to_path: string;
  readonly from_path: string;
  readonly func: string | null;
}

/** Every subscription to one of the sources, in one statement: the layer's own, and the head's that it does not hide. */
export async function edgesFrom(reads: Reads, layer: Layer, sources: readonly string[]): Promise<Edge[]> {
  if (sources.length === 0) return [];
  const ids = reads.engine.within(sources);
  const own = sql`select source, subscriber, to_path, from_path, func from sub where layer = ${layer.id} and source ${ids}`;
  if (layer.id === layer.headId) return (await sql<Edge>`${own}`.execute(reads.db)).rows;
  // A scalar subquery, because PostgreSQL turns `not exists` into a loop over the whole layer.
  const { rows } = await sql<Edge>`${own}
    union all select s.source, s.subscriber, s.to_path, s.from_path, s.func from sub s
    where s.layer = ${layer.headId} and s.source ${ids}
      and (select 1 from sub o where o.layer = ${layer.id} and o.subscriber = s.subscriber
        and o.to_path = s.to_path) is null`.execute(reads.db);
  return rows;
}
