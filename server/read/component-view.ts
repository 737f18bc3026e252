import type { ComponentView } from "../../src/contract/component-shapes.ts";
import { viewOf } from "../domain/component.ts";
import { sourcesOf, viewIdsOf } from "../domain/overlay.ts";
import { secretIdOf } from "../domain/secrets.ts";
import { canBeUpgraded } from "../domain/variants.ts";
import { listNames } from "../store/components.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import type { ShownComponent } from "../store/show.ts";
import { valueIdOf } from "./ids.ts";
import { connectionsOf, relationsOf } from "./management.ts";
import { rulesFor } from "./rules.ts";
import { findSecret } from "./secrets.ts";
import { findViews, getVariant, type VariantCache } from "./variants.ts";

/** Reads at once what a write and its answer take from a component's schema and views, where `cache` holds it. */
export const holdParts = (
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  { variantId, schemaId, settings }: ShownComponent,
): Promise<void> => cache.hold(reads, layer, [variantId, schemaId, ...viewIdsOf(settings)]);

/** The ComponentViewV1 of a component, with what it takes from its schema, the views and the components it reads. */
export async function componentView(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  shown: ShownComponent,
): Promise<ComponentView> {
  const { id, settings, vals, variantId } = shown;
  const variant = await getVariant(reads, cache, layer, variantId);
  const views = await findViews(reads, cache, layer, viewIdsOf(settings));
  const relations = await relationsOf(reads, layer, shown);
  const others = [...sourcesOf(settings).map(({ source }) => source), ...relations.managers];
  const ids = [...new Set([...others, ...relations.managed])];
  const names = await listNames(reads, rulesFor(reads, cache), layer, ids);
  const held = secretIdOf(variant, settings);
  // One that another change set deleted counts as none, as a source that is gone does.
  const secretId = held === undefined ? undefined : (await findSecret(reads, layer, held))?.id;
  return viewOf({
    id,
    schemaId: shown.schemaId,
    schemaVariantId: variantId,
    props: variant.props,
    settings,
    vals,
    canBeUpgraded: canBeUpgraded(variant.schema, variantId),
    connections: connectionsOf(relations, names),
    views,
    ...(secretId === undefined ? {} : { secretId }),
    exists: (componentId) => names.has(componentId),
    idOf: (key) => valueIdOf(id, key),
  });
}
