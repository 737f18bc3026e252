import { fail } from "../../src/contract/errors.ts";
import type { UnlockedSchemaResponse } from "../../src/contract/schemas.ts";
import { assetFunction, versionAt } from "../domain/asset-functions.ts";
import { assetFunctionOf } from "../read/asset-functions.ts";
import { findCatalogued } from "../read/catalogue.ts";
import { entityRules } from "../read/entity-rules.ts";
import { bindingsOfSchemas } from "../read/functions.ts";
import { findSchema } from "../read/schemas.ts";
import { variantView } from "../read/variant-view.ts";
import { findVariants, getVariant, type Schema, type Variant, VariantCache } from "../read/variants.ts";
import { createEntities, type NewEntity, patchEntity } from "../store/entities.ts";
import { changeLayer, type LayerChange } from "../store/layer.ts";
import { bindingEntity, functionEntity } from "./bind-function.ts";
import { installCatalogued } from "./install-package.ts";
import type { SchemaWriting } from "./schema-writing.ts";
import { definitionOf, variantEntity } from "./variant-entities.ts";

/**
 * The unlocked variant of a schema; where there is none, a copy of the default is made, with a definition of its own and
 * the same functions. Components stay where they are. What only the catalogue has is installed first; refuses a schema
 * that nobody has.
 */
export async function unlockSchema(
  writing: SchemaWriting,
  schemaId: string,
): Promise<UnlockedSchemaResponse> {
  const { store, layer, actor } = writing;
  const event = { kind: "schema.unlocked", subject: schemaId.toUpperCase(), actor } as const;
  return changeLayer(store, layer, event, async (change) => {
    const schema =
      (await findSchema(change.tx, change.layer, schemaId)) ?? (await installed(change, schemaId));
    // A cache of its own: what is rolled back must not stay under a version that comes again.
    const variant = await unlockedVariant(change, new VariantCache(), schema);
    return {
      schemaId: schema.id,
      unlockedVariantId: variant.id,
      unlockedVariant: await variantView(change.tx, change.layer, variant),
    };
  });
}

/** A schema of the catalogue, installed for it. */
async function installed(change: LayerChange, schemaId: string): Promise<Schema> {
  const found = await findCatalogued(change.tx, schemaId);
  if (found !== undefined) await installCatalogued(change, found);
  return (
    (await findSchema(change.tx, change.layer, schemaId)) ??
    fail("invalidRequest", "schemaId: expected the id of a schema, found one that no schema has")
  );
}

async function unlockedVariant(change: LayerChange, cache: VariantCache, schema: Schema): Promise<Variant> {
  const { tx, layer } = change;
  const { unlockedVariantId, defaultVariantId } = schema;
  const ids = [defaultVariantId, ...(unlockedVariantId == null ? [] : [unlockedVariantId])];
  const found = await findVariants(tx, cache, layer, ids);
  const unlocked = unlockedVariantId == null ? undefined : found.get(unlockedVariantId);
  if (unlocked !== undefined) return unlocked;
  const source = found.get(defaultVariantId);
  if (source === undefined) throw new Error(`the schema ${schema.id} has no default variant`);
  const variantId = tx.store.id();
  await createEntities(change, await copyOf(change, source, variantId));
  const patch = { unlockedVariantId: variantId };
  await patchEntity(change, entityRules, { kind: "schema", id: schema.id, patch });
  return getVariant(tx, cache, layer, variantId);
}

/** An unlocked copy of a variant: its definition is cloned, its functions are bound again as they are. */
async function copyOf({ tx, layer }: LayerChange, source: Variant, variantId: string): Promise<NewEntity[]> {
  const { schema } = source;
  const [version, assetFuncId] = [versionAt(tx.now), tx.store.id()];
  const { id: _, name: __, ...asset } = await assetFunctionOf(tx, layer, source);
  const { name } = assetFunction(schema.name, { code: asset.code, version, isLocked: false });
  const bindings = await bindingsOfSchemas(tx, layer, [schema.id]);
  return [
    variantEntity(variantId, schema.name, {
      ...definitionOf(source),
      isLocked: false,
      version,
      assetFuncId,
    }),
    functionEntity(assetFuncId, { ...asset, name, isLocked: false }),
    ...bindings
      .filter((binding) => binding.variantId === source.id)
      .map(({ id: _id, func: _func, ...binding }) => bindingEntity(tx.store.id(), { ...binding, variantId })),
  ];
}
