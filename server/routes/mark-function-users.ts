import type { BindingDefinition } from "../domain/functions.ts";
import { listVariantIds } from "../read/schema-variants.ts";
import { listSecrets } from "../read/secrets.ts";
import { findVariants, type VariantCache } from "../read/variants.ts";
import { listComponentsOfVariants } from "../store/function-users.ts";
import type { LayerChange } from "../store/layer.ts";
import { findSecretUsers } from "../store/secret-users.ts";

/** Kinds whose functions make values of their components. */
const makesValues: ReadonlySet<string> = new Set(["attribute", "codegen", "qualification"]);

/**
 * Has everything computed again that these bindings, or their functions, have a part in: the components that they
 * reach, and of an authentication function those that use a secret of its schema.
 */
export async function markUsers(
  change: LayerChange,
  cache: VariantCache,
  bindings: readonly BindingDefinition[],
): Promise<void> {
  const variantIds = new Set<string>();
  const schemaIds = new Set<string>();
  for (const { kind, variantId, schemaId, componentId } of bindings) {
    if (!makesValues.has(kind)) continue;
    if (componentId !== undefined) change.roots.add(componentId);
    else if (variantId === null) schemaIds.add(schemaId);
    else variantIds.add(variantId);
  }
  for (const schemaId of schemaIds) {
    for (const id of await listVariantIds(change.tx, change.layer, schemaId)) variantIds.add(id);
  }
  for (const id of await listComponentsOfVariants(change.tx, change.layer, [...variantIds])) {
    change.roots.add(id);
  }
  await markSecretUsers(change, cache, bindings);
}

async function markSecretUsers(
  { tx, layer, roots }: LayerChange,
  cache: VariantCache,
  bindings: readonly BindingDefinition[],
): Promise<void> {
  const variantIds = bindings.flatMap(
    ({ kind, variantId }) => (kind === "authentication" && variantId) || [],
  );
  if (variantIds.length === 0) return;
  const variants = await findVariants(tx, cache, layer, variantIds);
  const names = new Set([...variants.values()].flatMap((variant) => variant.secretDefinition?.name ?? []));
  const secrets = (await listSecrets(tx, layer)).filter(({ definition }) => names.has(definition));
  const users = await findSecretUsers(
    tx,
    layer,
    secrets.map(({ id }) => id),
  );
  for (const id of users.all) roots.add(id);
}
