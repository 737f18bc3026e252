import { sql } from "kysely";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";

/**
 * Ids of the components that the head or the layer has in one of these variants, in ascending order, in one statement;
 * whether the layer shows them, and in that variant, is not looked at.
 */
export async function listComponentsOfVariants(
  reads: Reads,
  layer: Layer,
  variantIds: readonly string[],
): Promise<string[]> {
  if (variantIds.length === 0) return [];
  const layers = layer.id === layer.headId ? sql`${layer.id}` : sql`${layer.headId}, ${layer.id}`;
  const { rows } = await sql<{ id: string }>`
    select distinct id from component
    where layer in (${layers}) and variant_id ${reads.engine.within(variantIds)} order by id`.execute(
    reads.db,
  );
  return rows.map(({ id }) => id);
}

/** Ids of the components that read something through a transformation function, in the head or the layer, in one statement. */
export async function listThroughFunction(reads: Reads, layer: Layer, funcId: string): Promise<string[]> {
  const layers = layer.id === layer.headId ? sql`${layer.id}` : sql`${layer.headId}, ${layer.id}`;
  const { rows } = await sql<{ subscriber: string }>`
    select distinct subscriber from sub
    where func = ${funcId} and layer in (${layers}) order by subscriber`.execute(reads.db);
  return rows.map(({ subscriber }) => subscriber);
}
