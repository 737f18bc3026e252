import { sql } from "kysely";
import { findComponents } from "./components.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";
import type { ComponentRules } from "./rules.ts";

/**
 * Ids of the components that the layer shows in a view. It looks at every row that speaks of the view, since nothing
 * asks often who is in one: removing a view does.
 */
export async function membersOfView(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
  viewId: string,
): Promise<string[]> {
  const key = `:view/${viewId}`;
  const { rows } = await sql<{ id: string }>`
    select distinct id from component
    where layer in (${layer.headId}, ${layer.id}) and settings like ${`%"${key}"%`}`.execute(reads.db);
  const ids = rows.map(({ id }) => id);
  const shown = await findComponents(reads, rules, layer, ids);
  return ids.filter((id) => Object.hasOwn(shown.get(id)?.settings ?? {}, key)).sort();
}
