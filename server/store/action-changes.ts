import { changeHead } from "./head-changes.ts";
import { changeLayer, type Layer, type LayerChange, type LayerEvent } from "./layer.ts";
import type { Store } from "./open.ts";

/**
 * One write to the actions of a layer, the head included: there it counts at once, in a change set with its apply.
 * Throws as {@link changeLayer} does, but for the head.
 */
export function changeActions<T>(
  store: Store,
  layer: Layer,
  event: LayerEvent,
  work: (change: LayerChange) => Promise<T>,
): Promise<T> {
  if (layer.id !== layer.headId) return changeLayer(store, layer, event, work);
  return changeHead(store, { headId: layer.headId, graph: 0 }, async (change) => {
    const result = await work(change);
    change.events.push(event);
    return result;
  });
}
