import type { ComponentView } from "../../src/contract/components.ts";
import { viewOf } from "../domain/component.ts";
import { sourcesOf, viewIdsOf } from "../domain/overlay.ts";
import { findComponents } from "../store/components.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import type { ShownComponent } from "../store/show.ts";
import { idOf } from "./ids.ts";
import { rulesFor } from "./rules.ts";
import { getVariant, listViews, type VariantCache } from "./variants.ts";

/** The ComponentViewV1 of a component, with what it takes from its schema, the views and the components it reads. */
export async function componentView(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  shown: ShownComponent,
): Promise<ComponentView> {
  const variant = await getVariant(reads, cache, layer, shown.variantId);
  const inViews = viewIdsOf(shown.settings);
  const views = (await listViews(reads, layer)).filter((view) => inViews.has(view.id));
  const sourceIds = [...new Set(sourcesOf(shown.settings).map(({ source }) => source))];
  const sources = await findComponents(reads, rulesFor(reads, cache), layer, sourceIds);
  return viewOf({
    id: shown.id,
    schemaId: shown.schemaId,
    schemaVariantId: shown.variantId,
    props: variant.props,
    settings: shown.settings,
    vals: shown.vals,
    canBeUpgraded: variant.schema.defaultVariantId !== shown.variantId,
    connections: [],
    views,
    exists: (componentId) => sources.has(componentId),
    idOf,
  });
}
