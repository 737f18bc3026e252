import { type ShippedFunction, shippedBinding, shippedFunction } from "../catalogue/shipped.ts";
import type { BindingDefinition } from "../domain/functions.ts";
import { entityRules } from "../read/entity-rules.ts";
import { getSchemaNamed, type VariantCache } from "../read/variants.ts";
import { bindingEntity, functionEntity } from "../routes/bind-function.ts";
import { markUsers } from "../routes/mark-function-users.ts";
import { createEntities, listEntities } from "../store/entities.ts";
import type { LayerChange } from "../store/layer.ts";

/** Gives all variants of a schema functions, locked; its components are computed with them. */
export async function giveFunctions(
  change: LayerChange,
  cache: VariantCache,
  schemaName: string,
  functions: readonly ShippedFunction[],
): Promise<void> {
  const { tx, layer } = change;
  const { id: schemaId } = await getSchemaNamed(tx, layer, schemaName);
  const variants = await listEntities(tx, entityRules, layer, { kind: "variant" });
  const variantIds = variants.filter(({ body }) => body["schemaId"] === schemaId).map(({ id }) => id);
  const bound: BindingDefinition[] = [];
  for (const one of functions) {
    const funcId = tx.store.id();
    const { key: _, ...func } = shippedFunction(one);
    const { func: __, ...binding } = shippedBinding(one);
    const bindings = variantIds.map((variantId) => ({ ...binding, schemaId, variantId, funcId }));
    await createEntities(change, [
      functionEntity(funcId, func),
      ...bindings.map((each) => bindingEntity(tx.store.id(), each)),
    ]);
    bound.push(...bindings);
  }
  await markUsers(change, cache, bound);
}
