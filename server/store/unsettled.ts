import type { Vals } from "../domain/values.ts";
import { readAmong } from "./edges.ts";
import type { LayerChange } from "./layer.ts";
import type { ComponentRules, Definition } from "./rules.ts";

/**
 * Marks those of the components that were just written of which something is left to compute: their own values, or
 * those of their readers. Where writers come at the same time that is all of them, because another one may be about to
 * say that something reads them.
 */
export async function markUnsettled(
  { tx, layer, roots }: LayerChange,
  rules: ComponentRules,
  written: readonly (Definition & { readonly vals: Vals })[],
): Promise<void> {
  const settled = new Set<string>();
  if (tx.engine.isSerial) {
    const isFinal = await rules.finality(layer, written);
    for (const one of written) if (isFinal(one, one.vals)) settled.add(one.id);
    for (const id of await readAmong(tx, layer, [...settled])) settled.delete(id);
  }
  for (const { id } of written) if (!settled.has(id)) roots.add(id);
}
