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

/** One component that manages another, as a layer sees it; whether both are still there is not looked at. */
export interface Management {
  readonly manager: string;
  readonly managed: string;
}

/** Every subscription to one of the sources, in one statement: the layer's own, and the head's that it does not hide. */
export const edgesFrom = (reads: Reads, layer: Layer, sources: readonly string[]): Promise<Edge[]> =>
  rowsFrom<Edge>(reads, layer, sources, {
    columns: "source, subscriber, to_path, from_path, func",
    kind: "from_path is not null",
  });

/** Every subscription of one of the subscribers, in one statement: the layer's own, and the head's that it does not hide. */
export const edgesTo = (reads: Reads, layer: Layer, subscribers: readonly string[]): Promise<Edge[]> =>
  rowsFrom<Edge>(reads, layer, subscribers, {
    columns: "source, subscriber, to_path, from_path, func",
    kind: "from_path is not null",
    by: "subscriber",
  });

/** Everything that one of the managers manages, in one statement, in no order. */
export const managedBy = (reads: Reads, layer: Layer, managers: readonly string[]): Promise<Management[]> =>
  rowsFrom<Management>(reads, layer, managers, {
    columns: "source as manager, subscriber as managed",
    kind: "from_path is null",
  });

async function rowsFrom<Row>(
  reads: Reads,
  layer: Layer,
  ids: readonly string[],
  {
    columns,
    kind,
    by = "source",
  }: { readonly columns: string; readonly kind: string; readonly by?: "source" | "subscriber" },
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const of = (layerId: string) =>
    sql`select ${sql.raw(columns)} from sub s
      where s.layer = ${layerId} and s.${sql.raw(by)} ${reads.engine.within(ids)} and s.${sql.raw(kind)}`;
  const own = of(layer.id);
  if (layer.id === layer.headId) return (await sql<Row>`${own}`.execute(reads.db)).rows;
  // A scalar subquery, because PostgreSQL turns `not exists` into a loop over the whole layer.
  const { rows } = await sql<Row>`${own}
    union all ${of(layer.headId)}
      and (select 1 from sub o where o.layer = ${layer.id} and o.subscriber = s.subscriber
        and o.to_path = s.to_path) is null`.execute(reads.db);
  return rows;
}
