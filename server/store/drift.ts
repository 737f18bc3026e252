import { sql } from "kysely";
import type { Reads, Tx } from "./open.ts";

/** A component of a head whose resource was another than the model when it was last looked at. */
export interface DriftTable {
  layer: string;
  component: string;
}

/** Notes whether a Refresh found something else than the model says. */
export async function noteDrift(
  tx: Tx,
  headId: string,
  { componentId, drifts }: { readonly componentId: string; readonly drifts: boolean },
): Promise<void> {
  if (drifts) {
    await tx.engine.bulk(
      tx.db,
      "drift",
      ["layer", "component"],
      [{ layer: headId, component: componentId }],
      { key: ["layer", "component"], update: [] },
    );
  } else {
    await sql`delete from drift where layer = ${headId} and component = ${componentId}`.execute(tx.db);
  }
}

/** Ids of the head's components that were noted, ascending. */
export async function listDrifted(reads: Reads, headId: string): Promise<string[]> {
  const { rows } = await sql<{ component: string }>`
    select component from drift where layer = ${headId} order by component`.execute(reads.db);
  return rows.map(({ component }) => component);
}
