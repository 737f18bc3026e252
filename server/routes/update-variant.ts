import type { Static } from "typebox";
import type { api } from "../../src/contract/index.ts";
import type { GetSchemaVariantResponse } from "../../src/contract/schemas.ts";
import { versionAt } from "../domain/asset-functions.ts";
import { checkUnlocked } from "../domain/bindings.ts";
import type { BuiltDefinition } from "../domain/definition-build.ts";
import type { StoredFunction } from "../domain/functions.ts";
import { propTree, type VariantDefinition } from "../domain/props.ts";
import { readTexts, type SchemaTexts } from "../domain/schemas.ts";
import { withReplacement } from "../domain/variants.ts";
import { assetFunctionOf } from "../read/asset-functions.ts";
import { entityRules } from "../read/entity-rules.ts";
import { bindingsOfSchemas } from "../read/functions.ts";
import { getVariantAt, type VariantAddress } from "../read/schema-variants.ts";
import { variantView } from "../read/variant-view.ts";
import { getVariant, type Variant, VariantCache } from "../read/variants.ts";
import { whileBuilding } from "../store/building.ts";
import { createEntities, patchEntity } from "../store/entities.ts";
import { removeEntities } from "../store/entity-removal.ts";
import { changeLayer, type Layer, type LayerChange } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { functionEntity } from "./bind-function.ts";
import { carryBindings } from "./carry-bindings.ts";
import { componentsOf, moveComponents } from "./move-components.ts";
import { runDefinition } from "./run-definition.ts";
import { checkWritable, type SchemaWriting } from "./schema-writing.ts";
import { declaredIn, variantEntity } from "./variant-entities.ts";

/** What a request to change a variant carries. */
export type VariantUpdate = Static<(typeof api.schemas.variantUpdate)["body"]>;

/**
 * Makes an unlocked variant anew from code, which is run before anything is written; whoever reads the schema meanwhile
 * is asked to come again. Without components it changes in its place; else a new variant takes its place and the
 * components with it. Throws what {@link getVariantAt} does, `variantLocked` and `definitionFailed`.
 */
export async function updateVariant(
  writing: SchemaWriting,
  address: VariantAddress,
  body: VariantUpdate,
): Promise<GetSchemaVariantResponse> {
  const { store, variants: cache, layer, actor } = writing;
  checkWritable(layer);
  const before = await changeable(store, cache, layer, address);
  const texts = readTexts(body, before);
  const { id: assetFuncId = store.id(), ...asset } = await assetFunctionOf(store, layer, before);
  const func: StoredFunction = { ...asset, id: assetFuncId, code: body.code, isLocked: false };
  const place = { layerId: layer.id, schemaId: before.schemaId };
  return whileBuilding(store, writing.clock, place, async () => {
    const definition = await runDefinition(writing.runs, layer, func);
    const data = { name: texts.displayName };
    const event = { kind: "schema.changed", subject: before.schemaId, data, actor } as const;
    return changeLayer(store, layer, event, async (change) => {
      // A cache of its own: what is rolled back must not stay under a version that comes again.
      const own = new VariantCache();
      const variant = await changeable(change.tx, own, change.layer, address);
      const id = await regenerate(change, own, { variant, texts, func, definition });
      return variantView(change.tx, change.layer, await getVariant(change.tx, own, change.layer, id));
    });
  });
}

async function changeable(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  address: VariantAddress,
): Promise<Variant> {
  const variant = await getVariantAt(reads, cache, layer, address);
  checkUnlocked(variant);
  return variant;
}

interface Anew {
  readonly variant: Variant;
  readonly texts: SchemaTexts;
  readonly func: StoredFunction;
  readonly definition: BuiltDefinition;
}

/** Writes the variant as it is from now on, and gives its id. */
async function regenerate(change: LayerChange, cache: VariantCache, anew: Anew): Promise<string> {
  const { tx, layer } = change;
  const { variant, texts, func, definition } = anew;
  const { schema, id: variantId, schemaId } = variant;
  const componentIds = await componentsOf(change, cache, variantId);
  const newVariantId = componentIds.length === 0 ? variantId : tx.store.id();
  const next: VariantDefinition = {
    schemaId,
    ...texts,
    isLocked: false,
    version: versionAt(tx.now),
    assetFuncId: func.id,
    ...declaredIn(definition),
  };
  const bindings = await bindingsOfSchemas(tx, layer, [schemaId]);
  const { id: _, ...asset } = func;
  await createEntities(change, [
    variantEntity(newVariantId, schema.name, next),
    functionEntity(func.id, asset),
  ]);
  await carryBindings(change, bindings, {
    schemaId,
    variantId,
    newVariantId,
    props: propTree(next, (path) => path),
    copies: definition.copies,
    componentIds: new Set(componentIds),
  });
  await patchEntity(change, entityRules, {
    kind: "schema",
    id: schemaId,
    patch: {
      unlockedVariantId: newVariantId,
      ...(newVariantId === variantId ? {} : { replaced: withReplacement(schema, variantId, newVariantId) }),
      ...(schema.defaultVariantId === variantId
        ? { defaultVariantId: newVariantId, category: texts.category, description: texts.description }
        : {}),
    },
  });
  if (newVariantId !== variantId) {
    // Both are there while the components go over.
    const to = await getVariant(tx, cache, layer, newVariantId);
    await moveComponents(change, cache, { from: variant, to }, componentIds);
    await removeEntities(change, "variant", [variantId]);
  }
  return newVariantId;
}
