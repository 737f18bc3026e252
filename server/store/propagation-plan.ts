import { sql } from "kysely";
import { fail } from "../../src/contract/errors.ts";
import type { DefinitionCache } from "./definition-cache.ts";
import { type Readers, readersFrom } from "./edges.ts";
import type { HeadMemory } from "./head-memory.ts";
import { knownReaders } from "./known-readers.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";

/** A component that reads another, and the path it reads. */
export interface Reader {
  readonly subscriber: string;
  readonly from_path: string;
}

/** What one pass of a propagation has to look at, and what the layer was like when it was planned. */
export interface Plan {
  readonly layer: Layer;
  /** The graph's numbers that the pass's reads belong to: the layer's own and the head's. */
  readonly ownGraph: number;
  readonly headGraph: number;
  /** What is known of the head as it is looked at. */
  readonly head: HeadMemory;
  readonly roots: readonly { readonly component: string; readonly mark: string }[];
  /** Who reads what, by the component that is read. */
  readonly edges: ReadonlyMap<string, readonly Reader[]>;
  /** Everything the roots can reach, sources before their readers; components on a circle come last, together. */
  readonly levels: readonly (readonly string[])[];
  /** Components on or behind a circle of subscriptions: computed once each, whether dirty or not. */
  readonly circular: ReadonlySet<string>;
}

/** Plans a pass; undefined when the layer has no roots. Throws `changeSetNotFound`. */
export async function planPropagation(
  reads: Reads,
  cache: DefinitionCache,
  layerId: string,
): Promise<Plan | undefined> {
  const { rows } = await sql<{ workspace_id: string; head_id: string; own: number; head: number }>`
    select c.workspace_id, c.head_id, c.graph_rev as own, h.graph_rev as head
    from change_set c join change_set h on h.id = c.head_id where c.id = ${layerId}`.execute(reads.db);
  const row = rows[0] ?? fail("changeSetNotFound");
  const roots = await reads.db
    .selectFrom("root")
    .select(["component", "mark"])
    .where("layer", "=", layerId)
    .execute();
  if (roots.length === 0) return undefined;
  const layer: Layer = { id: layerId, headId: row.head_id, workspaceId: row.workspace_id };
  const head = cache.head(layer.headId, row.head);
  const ids = roots.map((root) => root.component);
  const edges = await follow(ids, await knownReaders(reads, layer, head));
  return { layer, ownGraph: row.own, headGraph: row.head, head, roots, edges, ...levelsOf(ids, edges) };
}

/** Everyone who reads these components, directly or through others, by source; one statement per level of depth. */
export const downstream = (
  reads: Reads,
  layer: Layer,
  componentIds: readonly string[],
): Promise<Map<string, Reader[]>> => follow(componentIds, (sources) => readersFrom(reads, layer, sources));

async function follow(
  componentIds: readonly string[],
  readersOf: (sources: readonly string[]) => Promise<readonly Readers[]>,
): Promise<Map<string, Reader[]>> {
  const edges = new Map<string, Reader[]>();
  const seen = new Set(componentIds);
  for (let frontier = [...seen]; frontier.length > 0; ) {
    const next: string[] = [];
    for (const { source, from_path, subscribers } of await readersOf(frontier)) {
      const readers = edges.get(source) ?? [];
      edges.set(source, readers);
      for (const subscriber of subscribers) {
        // A component that reads itself is settled within its own computation.
        if (subscriber === source) continue;
        readers.push({ subscriber, from_path });
        if (seen.has(subscriber)) continue;
        seen.add(subscriber);
        next.push(subscriber);
      }
    }
    frontier = next;
  }
  return edges;
}

/** Components in an order in which sources come before their readers. */
export function levelsOf(
  from: readonly string[],
  edges: ReadonlyMap<string, readonly Pick<Reader, "subscriber">[]>,
): Pick<Plan, "levels" | "circular"> {
  const waiting = new Map(from.map((id) => [id, 0]));
  for (const out of edges.values()) {
    for (const { subscriber } of out) waiting.set(subscriber, (waiting.get(subscriber) ?? 0) + 1);
  }
  const levels: string[][] = [];
  let ready = [...waiting].filter(([, count]) => count === 0).map(([id]) => id);
  while (ready.length > 0) {
    levels.push(ready);
    const next: string[] = [];
    for (const id of ready) {
      waiting.delete(id);
      for (const { subscriber } of edges.get(id) ?? []) {
        const left = (waiting.get(subscriber) ?? 0) - 1;
        waiting.set(subscriber, left);
        if (left === 0) next.push(subscriber);
      }
    }
    ready = next;
  }
  const circular = [...waiting.keys()].sort();
  if (circular.length > 0) levels.push(circular);
  return { levels, circular: new Set(circular) };
}
