import type { Static } from "typebox";
import type { api } from "../../src/contract/index.ts";
import type { GetSchemaResponse } from "../../src/contract/schemas.ts";
import { assetFunction, versionAt } from "../domain/asset-functions.ts";
import type { SchemaDefinition, VariantDefinition } from "../domain/props.ts";
import { checkNameFree, readTexts } from "../domain/schemas.ts";
import { listSchemas } from "../read/variants.ts";
import { createEntities } from "../store/entities.ts";
import { changeLayer } from "../store/layer.ts";
import { functionEntity } from "./bind-function.ts";
import { copyBindings } from "./copy-bindings.ts";
import { runDefinition } from "./run-definition.ts";
import { checkWritable, type SchemaWriting } from "./schema-writing.ts";
import { declaredIn, schemaEntity, variantEntity } from "./variant-entities.ts";

/** What a request to create a schema carries. */
export type NewSchema = Static<(typeof api.schemas.create)["body"]>;

/**
 * Creates a schema and its default variant, unlocked, from code that is run before anything is written. Throws
 * `definitionFailed`, and refuses a name that another schema has.
 */
export async function createSchema(writing: SchemaWriting, body: NewSchema): Promise<GetSchemaResponse> {
  const { store, layer, actor } = writing;
  const { displayName: name, ...texts } = readTexts(body);
  checkWritable(layer);
  checkNameFree(name, await listSchemas(store, layer));
  const [schemaId, variantId, assetFuncId] = [store.id(), store.id(), store.id()];
  const version = versionAt(store.clock.now());
  const func = assetFunction(name, { code: body.code, version, isLocked: false });
  const definition = await runDefinition(writing.runs, layer, { ...func, id: assetFuncId });
  const schema: SchemaDefinition = {
    name,
    category: texts.category,
    description: texts.description,
    defaultVariantId: variantId,
    unlockedVariantId: variantId,
  };
  const variant: VariantDefinition = {
    schemaId,
    displayName: name,
    ...texts,
    isLocked: false,
    version,
    assetFuncId,
    ...declaredIn(definition),
  };
  const event = { kind: "schema.created", subject: schemaId, data: { name }, actor } as const;
  return changeLayer(store, layer, event, async (change) => {
    // Another write may have made one while the code ran.
    checkNameFree(name, await listSchemas(change.tx, change.layer));
    await createEntities(change, [
      schemaEntity(schemaId, schema),
      variantEntity(variantId, name, variant),
      functionEntity(assetFuncId, func),
      ...copyBindings(change.tx, { schemaId, variantId }, definition.copies),
    ]);
    return { schemaId, name, defaultVariantId: variantId, variantIds: [variantId] };
  });
}
