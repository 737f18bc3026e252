import { upgradePatch } from "../domain/variants.ts";
import { rulesFor } from "../read/rules.ts";
import type { Variant, VariantCache } from "../read/variants.ts";
import { editComponents } from "../store/component-writes.ts";
import { findComponents } from "../store/components.ts";
import { listComponentsOfVariants } from "../store/function-users.ts";
import type { LayerChange } from "../store/layer.ts";

/** Components read and written at a time: bounds memory, not the transaction (1,000 × about 4 KB × 2 layers = 8 MB). */
const batch = 1_000;

/** Ids of the components that the change set shows in a variant, in ascending order. */
export async function componentsOf(
  { tx, layer }: LayerChange,
  cache: VariantCache,
  variantId: string,
): Promise<string[]> {
  const rules = rulesFor(tx, cache);
  const found: string[] = [];
  for (const ids of batches(await listComponentsOfVariants(tx, layer, [variantId]))) {
    const shown = await findComponents(tx, rules, layer, ids);
    found.push(...ids.filter((id) => shown.get(id)?.variantId === variantId));
  }
  return found;
}

/** Moves components from one variant to another with what is set where both have it; a few statements for each thousand. */
export async function moveComponents(
  change: LayerChange,
  cache: VariantCache,
  { from, to }: { readonly from: Variant; readonly to: Variant },
  componentIds: readonly string[],
): Promise<void> {
  const rules = rulesFor(change.tx, cache);
  for (const ids of batches(componentIds)) {
    await editComponents(change, rules, ids, ({ settings }) => ({
      patch: upgradePatch(from.props, to.props, settings),
      variantId: to.id,
    }));
  }
}

const batches = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / batch) }, (_, index) =>
    ids.slice(index * batch, (index + 1) * batch),
  );
