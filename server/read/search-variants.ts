import { type VariantFacts, variantFacts } from "../domain/search-match.ts";
import { canBeUpgraded } from "../domain/variants.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import type { Indexed } from "./search-rows.ts";
import { findVariants, type Variant, type VariantCache } from "./variants.ts";

/** A variant with what search knows of it. */
export interface SearchedVariant {
  readonly variant: Variant;
  readonly facts: VariantFacts;
}

/** What search knows of variants; what it found out is kept while they stay as they are. */
export class SearchedVariants {
  readonly #known = new Map<string, SearchedVariant>();

  /** The variants of these components as the layer shows them. */
  async load(
    reads: Reads,
    cache: VariantCache,
    layer: Layer,
    components: readonly Indexed[],
  ): Promise<ReadonlyMap<string, SearchedVariant>> {
    const ids = new Set(components.map(({ variantId }) => variantId));
    const found = new Map<string, SearchedVariant>();
    for (const [id, variant] of await findVariants(reads, cache, layer, [...ids])) {
      const { schema, props } = variant;
      const before = this.#known.get(id);
      const upgradable = canBeUpgraded(schema, id);
      const same =
        before?.variant.props === props &&
        before.variant.schema.name === schema.name &&
        before.variant.schema.category === schema.category &&
        before.facts.upgradable === upgradable;
      const facts = same
        ? before.facts
        : variantFacts({ schemaName: schema.name, category: schema.category, upgradable, props });
      const known = { variant, facts };
      this.#known.set(id, known);
      found.set(id, known);
    }
    return found;
  }
}
