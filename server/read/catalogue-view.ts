import type { GetSchemaResponse, GetSchemaVariantResponse } from "../../src/contract/schemas.ts";
import { propTree, type VariantDefinition } from "../domain/props.ts";
import type { CataloguedSchema } from "./catalogue.ts";
import type { PackagedDefinition } from "./catalogue-definitions.ts";
import { idOf } from "./ids.ts";
import { packageIds } from "./package-ids.ts";
import { plainVariantView } from "./variant-view.ts";
import type { Variant } from "./variants.ts";

/** The id that the default variant of a schema of the catalogue has, before it is installed and afterwards. */
export const cataloguedVariantId = (schema: CataloguedSchema): string =>
  packageIds(schema).variant(schema.pack.defaultVariant);

/** A schema of the catalogue as it is shown where it is not installed. */
export const cataloguedSchemaView = (schema: CataloguedSchema): GetSchemaResponse => ({
  schemaId: schema.schemaId,
  name: schema.pack.name,
  defaultVariantId: cataloguedVariantId(schema),
  variantIds: [cataloguedVariantId(schema)],
});

/** The code that defines its default variant. */
export function packagedDefinition({ pack, hash }: CataloguedSchema): PackagedDefinition {
  const key = pack.variants[pack.defaultVariant]?.assetFunc;
  const func = pack.functions.find((one) => one.key === key);
  return { hash, code: func?.code ?? "", handler: func?.handler ?? "main" };
}

/** Its default variant, with the properties that installing brings; it lists no functions. */
export function cataloguedVariantView(schema: CataloguedSchema): GetSchemaVariantResponse {
  const { schemaId, hash, pack } = schema;
  const packaged = pack.variants[pack.defaultVariant];
  if (packaged === undefined) throw new Error(`the package of ${pack.name} has no default variant`);
  const { bindings: _, assetFunc, ...described } = packaged;
  const { name, category, description } = pack;
  const id = cataloguedVariantId(schema);
  const declared: VariantDefinition = {
    ...described,
    schemaId,
    category,
    isLocked: true,
  };
  const variant: Variant = {
    ...declared,
    id,
    assetFuncId: packageIds(schema).func(assetFunc),
    schema: { id: schemaId, name, category, description, defaultVariantId: id, upstream: hash },
    props: propTree(declared, (path) => idOf(`${id} ${path}`)),
  };
  return { ...plainVariantView(variant), variantFuncIds: [], variantFuncs: [] };
}
