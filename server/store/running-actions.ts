import { sql } from "kysely";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";

/** The name of an action of the component that is dispatched or running, in the head or in the layer itself. */
export async function findRunningAction(
  reads: Reads,
  layer: Layer,
  componentId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from action
    where component_id = ${componentId} and layer in (${layer.headId}, ${layer.id}) and op <> 'del'
      and state in ('Dispatched', 'Running') order by id limit 1`.execute(reads.db);
  return rows[0]?.name;
}
