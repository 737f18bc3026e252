import { sql } from "kysely";
import { findComponents } from "./components.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";
import type { ComponentRules } from "./rules.ts";
import type { ShownComponent } from "./show.ts";

/** Components read at a time: bounds memory. */
const batchSize = 1_000;

/** The components of a layer that have a resource, some at a time, in ascending order of id. */
export async function* componentsWithResource(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
): AsyncGenerator<readonly ShownComponent[]> {
  const layers = layer.id === layer.headId ? sql`${layer.id}` : sql`${layer.headId}, ${layer.id}`;
  for (let after = ""; ; ) {
    // Finds a few too many, such as one whose description quotes the key: each is looked at.
    const { rows } = await sql<{ id: string }>`select distinct id from component
      where layer in (${layers}) and id > ${after} and settings like '%"/resource/payload"%'
      order by id limit ${batchSize}`.execute(reads.db);
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const found = await findComponents(reads, rules, layer, ids);
    yield [...found.values()].filter(({ settings }) => rules.holdsResource(settings));
    after = ids.at(-1) ?? "";
  }
}
