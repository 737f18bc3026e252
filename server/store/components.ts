import { sql } from "kysely";
import { fail } from "../../src/contract/errors.ts";
import type { Json } from "../domain/json.ts";
import { loadPairs } from "./component-rows.ts";
import { edgesFrom } from "./edges.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";
import type { ComponentRules } from "./rules.ts";
import { type ShownComponent, showPairs } from "./show.ts";
import type { ComponentTable } from "./tables.ts";

/** One attribute elsewhere that reads a component: the fragment of a list item that speaks of others. */
export interface Subscriber {
  readonly source: string;
  readonly fromPath: string;
  readonly componentId: string;
  readonly componentName: string;
  /** The stored key of the subscribing attribute; a pointer unless an array is on the way. */
  readonly toKey: string;
  readonly currentValue: Json | undefined;
}

/** The component as the layer shows it. */
export async function findComponent(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
  componentId: string,
): Promise<ShownComponent | undefined> {
  return (await findComponents(reads, rules, layer, [componentId])).get(componentId);
}

/** The component as the layer shows it; throws `componentNotFound`. */
export async function getComponent(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
  componentId: string,
): Promise<ShownComponent> {
  return (await findComponent(reads, rules, layer, componentId)) ?? fail("componentNotFound");
}

/** Those of the components that the layer shows, by id, in one statement. */
export async function findComponents(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
  componentIds: readonly string[],
): Promise<Map<string, ShownComponent>> {
  return showPairs(rules, layer, await loadPairs(reads, layer, componentIds));
}

/**
 * The names of those of the components that the layer shows, by id; what they say and what was computed is read only
 * of rows older than their head rows.
 */
export async function listNames(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
  componentIds: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  if (componentIds.length === 0) return names;
  const layers = layer.id === layer.headId ? sql`${layer.id}` : sql`${layer.headId}, ${layer.id}`;
  const { rows } = await sql<NameRow>`select layer, id, op, edit_rev, base_rev, name from component
    where layer in (${layers}) and id ${reads.engine.within(componentIds)}`.execute(reads.db);
  const heads = new Map(rows.filter((row) => row.layer === layer.headId).map((row) => [row.id, row]));
  const stale: string[] = [];
  for (const [id, head] of heads) names.set(id, head.name ?? "");
  for (const own of rows) {
    if (own.layer === layer.headId) continue;
    const head = heads.get(own.id);
    if (own.op === "del") names.delete(own.id);
    else if (head === undefined ? own.op === "add" : own.base_rev === head.edit_rev)
      names.set(own.id, own.name ?? "");
    else if (head !== undefined) stale.push(own.id);
  }
  for (const [id, one] of await findComponents(reads, rules, layer, stale)) names.set(id, one.name);
  return names;
}

type NameRow = Pick<ComponentTable, "layer" | "id" | "op" | "edit_rev" | "base_rev" | "name">;

/** Every component that the layer shows under exactly this name, in ascending order of id. */
export async function listComponentsNamed(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
  name: string,
): Promise<ShownComponent[]> {
  const layers = layer.id === layer.headId ? sql`${layer.id}` : sql`${layer.headId}, ${layer.id}`;
  // A row of either layer may be the older one, so the names found are only candidates.
  const { rows } = await sql<{ id: string }>`
    select distinct id from component where layer in (${layers}) and name = ${name} and named = 1`.execute(
    reads.db,
  );
  const ids = rows.map((row) => row.id).sort();
  const shown = await findComponents(reads, rules, layer, ids);
  return ids.map((id) => shown.get(id)).filter((one): one is ShownComponent => one?.name === name);
}

/** The component of that name; throws `componentNotFound`, and `duplicateComponentName` when there are several. */
export async function getComponentNamed(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
  name: string,
): Promise<ShownComponent> {
  const [first, ...others] = await listComponentsNamed(reads, rules, layer, name);
  if (first === undefined) return fail("componentNotFound", `no component is named ${JSON.stringify(name)}`);
  if (others.length === 0) return first;
  return fail(
    "duplicateComponentName",
    `${others.length + 1} components are named ${JSON.stringify(name)}: address one by its id`,
  );
}

/** Who subscribes to these components in this layer, with the subscribers' names and last finished values. */
export async function listSubscribers(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
  componentIds: readonly string[],
): Promise<Subscriber[]> {
  const edges = await edgesFrom(reads, layer, componentIds);
  const subscribers = await findComponents(reads, rules, layer, [
    ...new Set(edges.map((edge) => edge.subscriber)),
  ]);
  const found: Subscriber[] = [];
  for (const edge of edges) {
    const one = subscribers.get(edge.subscriber);
    if (one === undefined) continue;
    found.push({
      source: edge.source,
      fromPath: edge.from_path,
      componentId: one.id,
      componentName: one.name,
      toKey: edge.to_path,
      currentValue: one.vals[edge.to_path],
    });
  }
  return found;
}
