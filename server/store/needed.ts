import { sql } from "kysely";
import { findComponents } from "./components.ts";
import { edgesFrom } from "./edges.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";
import type { ComponentRules } from "./rules.ts";

/**
 * Those of the components marked for deletion in a change set that stay for now: another one with a resource reads from
 * them, until that one is destroyed, or an action of theirs runs, until it has ended. Four statements however many there
 * are, one where nothing is marked.
 */
export async function findNeeded(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from component where layer = ${layer.id} and to_delete = 1`.execute(reads.db);
  const marked = rows.map((row) => row.id);
  if (marked.length === 0) return new Set();
  const running = await sql<{ id: string }>`
    select component_id as id from action where layer = ${layer.headId}
      and state in ('Dispatched', 'Running') and component_id ${reads.engine.within(marked)}`.execute(
    reads.db,
  );
  const needed = await findNeededAmong(reads, rules, layer, marked);
  return new Set([...needed, ...running.rows.map(({ id }) => id)]);
}

/** Those of the components that another one with a resource reads from. */
export async function findNeededAmong(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
  componentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const edges = (await edgesFrom(reads, layer, componentIds)).filter(
    (edge) => edge.subscriber !== edge.source,
  );
  const readerIds = [...new Set(edges.map((edge) => edge.subscriber))];
  const readers = await findComponents(reads, rules, layer, readerIds);
  const needed = new Set<string>();
  for (const { source, subscriber } of edges) {
    const reader = readers.get(subscriber);
    if (reader !== undefined && rules.holdsResource(reader.settings)) needed.add(source);
  }
  return needed;
}
