import { asciiLower } from "../domain/search-text.ts";
import { loadPairs } from "../store/component-rows.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { showPairs } from "../store/show.ts";
import { rulesFor } from "./rules.ts";
import type { Indexed, Shapes } from "./search-rows.ts";
import { findVariants, type VariantCache } from "./variants.ts";

/** Components merged between two turns of the event loop. */
const batchSize = 250;

/**
 * Merges components again whose row is older than the head's, as lists do: settings show at once, what is read from
 * others keeps the last finished value. The answer gives any other component as it is, undefined for one that is gone.
 */
export async function mendStale(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  shapes: Shapes,
  ids: readonly string[],
): Promise<(one: Indexed) => Indexed | undefined> {
  const stale = new Set(ids);
  const mended = new Map<string, Indexed>();
  const rules = rulesFor(reads, cache);
  for (let from = 0; from < ids.length; from += batchSize) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve));
    const pairs = await loadPairs(reads, layer, ids.slice(from, from + batchSize));
    const shown = await showPairs(rules, layer, pairs);
    const variantIds = [...new Set([...shown.values()].map((one) => one.variantId))];
    const variants = await findVariants(reads, cache, layer, variantIds);
    for (const { id, name, variantId, diff, vals } of shown.values()) {
      const indexed = shapes.index(variants.get(variantId)?.props, vals);
      mended.set(id, { id, name, lowerName: asciiLower(name), variantId, diff, ...indexed });
    }
  }
  return (one) => (stale.has(one.id) ? mended.get(one.id) : one);
}
