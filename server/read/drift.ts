import type { DriftedComponent } from "../../src/contract/drift.ts";
import { driftOf } from "../domain/drift.ts";
import { findComponents } from "../store/components.ts";
import { listDrifted } from "../store/drift.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { rulesFor } from "./rules.ts";
import { findVariants, type VariantCache } from "./variants.ts";

/**
 * The components of a head whose last Refresh found the resource otherwise than the model, with what still differs, in
 * ascending order of id; costs what has drifted, not what there is.
 */
export async function listDrift(
  reads: Reads,
  cache: VariantCache,
  { headId, workspaceId }: Layer,
): Promise<DriftedComponent[]> {
  const head: Layer = { id: headId, headId, workspaceId };
  const ids = await listDrifted(reads, headId);
  if (ids.length === 0) return [];
  const components = await findComponents(reads, rulesFor(reads, cache), head, ids);
  const variantIds = [...new Set([...components.values()].map(({ variantId }) => variantId))];
  const variants = await findVariants(reads, cache, head, variantIds);
  return ids.flatMap((id) => {
    const component = components.get(id);
    const variant = component && variants.get(component.variantId);
    if (component === undefined || variant === undefined) return [];
    const attributes = driftOf(variant.props, component.vals);
    if (attributes.length === 0) return [];
    const { name: componentName } = component;
    return [{ componentId: id, componentName, schemaName: variant.schema.name, attributes: [...attributes] }];
  });
}
