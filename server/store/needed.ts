import { sql } from "kysely";
import { findComponents } from "./components.ts";
import { edgesFrom } from "./edges.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";
import type { ComponentRules } from "./rules.ts";

/**
 * Those of the components marked for deletion in a change set that another one with a resource reads from: they stay
 * until that one is destroyed. Three statements however many there are, one where nothing is marked.
 */
export async function findNeeded(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from component where layer = ${layer.id} and to_delete = 1`.execute(reads.db);
  const marked = rows.map((row) => row.id);
  const edges = (await edgesFrom(reads, layer, marked)).filter((edge) => edge.subscriber !== edge.source);
  const readerIds = [...new Set(edges.map((edge) => edge.subscriber))];
  const readers = await findComponents(reads, rules, layer, readerIds);
  const needed = new Set<string>();
  for (const { source, subscriber } of edges) {
    const reader = readers.get(subscriber);
    if (reader !== undefined && rules.holdsResource(reader.settings)) needed.add(source);
  }
  return needed;
}
