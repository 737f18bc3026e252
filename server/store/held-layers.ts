import { sql } from "kysely";
import type { LockedLayer } from "./layer.ts";
import type { Tx } from "./open.ts";

/**
 * A layer as the one who wrote in it last left it, of those who share a commit, and how far its numbers are ahead of
 * its row: whoever comes next takes the next numbers without a statement.
 */
export interface HeldLayer {
  readonly layer: LockedLayer;
  readonly revs: number;
  readonly graphs: number;
}

export type HeldLayers = Map<string, HeldLayer>;

/** Takes the next numbers of a layer that is held; undefined where it is not, or where its row has to be looked at. */
export function lockHeld(tx: Tx, layerId: string, graph: 0 | 1): LockedLayer | undefined {
  const held = tx.isBlind ? (tx.held.get(layerId) ?? tx.shared.held.get(layerId)) : undefined;
  if (held === undefined) return undefined;
  const { layer, revs, graphs } = held;
  const next = { ...layer, rev: layer.rev + 1, graphRev: layer.graphRev + graph };
  tx.held.set(layerId, { layer: next, revs: revs + 1, graphs: graphs + graph });
  tx.changed(layerId);
  return next;
}

/** Holds a layer whose row was just locked; only while it is open nothing else than its numbers changes with an edit. */
export function holdLayer(tx: Tx, layer: LockedLayer): void {
  if (layer.status === "Open") tx.held.set(layer.id, { layer, revs: 0, graphs: 0 });
}

/** Writes what the rows of held layers do not have yet. */
export async function settleHeld(tx: Pick<Tx, "db" | "now">, held: HeldLayers): Promise<void> {
  for (const [id, { revs, graphs }] of held) {
    if (revs === 0) continue;
    await sql`update change_set set rev = rev + ${revs}, graph_rev = graph_rev + ${graphs}, updated_at = ${tx.now}
      where id = ${id}`.execute(tx.db);
  }
}
