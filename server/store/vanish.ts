import { findComponents } from "./components.ts";
import { edgesTo } from "./edges.ts";
import { type HeadChange, removeFromHead } from "./head-changes.ts";
import { findNeededAmong } from "./needed.ts";
import type { ComponentRules } from "./rules.ts";

/**
 * Removes a component of the head that was marked for deletion and has nothing left to destroy, and those that it was
 * the last one to need; none of which an action runs. Returns their ids.
 */
export async function vanishAround(
  change: HeadChange,
  rules: ComponentRules,
  componentId: string,
): Promise<string[]> {
  const { tx, layer: head } = change;
  const sources = (await edgesTo(tx, head, [componentId])).map(({ source }) => source);
  const candidates = await findComponents(tx, rules, head, [...new Set([componentId, ...sources])]);
  const done = [...candidates.values()].filter(({ settings }) => rules.vanishes(settings));
  if (done.length === 0) return [];
  const ids = done.map(({ id }) => id);
  const needed = await findNeededAmong(tx, rules, head, ids);
  const busy = await tx.db
    .selectFrom("action")
    .select("component_id")
    .where("layer", "=", head.id)
    .where("component_id", "in", ids)
    .where("state", "in", ["Dispatched", "Running"])
    .execute();
  const kept = new Set([...needed, ...busy.map((row) => row.component_id)]);
  const gone = ids.filter((id) => !kept.has(id));
  await removeFromHead(change, gone);
  return gone;
}
