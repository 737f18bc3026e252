import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { SchemaResponse } from "../../src/contract/schemas.ts";
import { Building } from "../../src/http/building.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { type Context, layerOf } from "../context.ts";
import { type CataloguedSchema, catalogueResponses, findCatalogued } from "../read/catalogue.ts";
import { definitionHasRun } from "../read/catalogue-definitions.ts";
import {
  cataloguedSchemaView,
  cataloguedVariantId,
  cataloguedVariantView,
  packagedDefinition,
} from "../read/catalogue-view.ts";
import { getVariantAt } from "../read/schema-variants.ts";
import {
  findSchema,
  getSchemaBy,
  listAllSchemas,
  pageOfSchemas,
  schemasOfCategory,
  schemaView,
} from "../read/schemas.ts";
import { variantView } from "../read/variant-view.ts";
import { findVariants, type Schema } from "../read/variants.ts";
import { isBuilding } from "../store/building.ts";
import { createSchema } from "./create-schema.ts";
import { schemaWritingOf } from "./schema-writing.ts";
import { unlockSchema } from "./unlock-schema.ts";
import { updateVariant } from "./update-variant.ts";

/** Handlers of the rows in `src/contract/schemas.ts`. */
export const schemaHandlers: GroupHandlers<typeof api.schemas, Context> = {
  list: async ({ query }, context) => pageOfSchemas(await all(context), query),
  create: ({ body }, context) => createSchema(schemaWritingOf(context), body),
  find: async ({ query }, context) => getSchemaBy(await all(context), query),
  search: async ({ body }, context) => ({ schemas: schemasOfCategory(await all(context), body.category) }),
  get: async ({ schemaId }, context) => {
    const { store } = context.server;
    const schema = await findSchema(store, layerOf(context), schemaId);
    if (schema === undefined) return ofCatalogue(context, schemaId, "Schema data", cataloguedSchemaView);
    if (await isBeingMade(context, schema)) return building("Schema data");
    return schemaView(store, layerOf(context), schema);
  },
  unlock: ({ schemaId }, context) => unlockSchema(schemaWritingOf(context), schemaId),
  variantDefault: async ({ schemaId }, context) => {
    const { store, variants } = context.server;
    const layer = layerOf(context);
    const what = "Default variant data";
    const schema = await findSchema(store, layer, schemaId);
    if (schema === undefined) return ofCatalogue(context, schemaId, what, cataloguedVariantView);
    if (await isBeingMade(context, schema)) return building(what);
    const id = schema.defaultVariantId;
    const variant = (await findVariants(store, variants, layer, [id])).get(id);
    // Another one has taken its place since the schema was read.
    return variant === undefined ? building(what) : variantView(store, layer, variant);
  },
  variantGet: async (address, context) => {
    const { store, variants } = context.server;
    const layer = layerOf(context);
    const what = "Schema variant data";
    const schema = await findSchema(store, layer, address.schemaId);
    if (schema === undefined) {
      return ofCatalogue(context, address.schemaId, what, (found) => {
        if (cataloguedVariantId(found) !== address.schemaVariantId.toUpperCase()) fail("variantNotFound");
        return cataloguedVariantView(found);
      });
    }
    if (await isBeingMade(context, schema)) return building(what);
    return variantView(store, layer, await getVariantAt(store, variants, layer, address));
  },
  variantUpdate: ({ body, ...address }, context) => updateVariant(schemaWritingOf(context), address, body),
};

const all = async (context: Context): Promise<SchemaResponse[]> => {
  const { store } = context.server;
  return listAllSchemas(store, layerOf(context), await catalogueResponses(store));
};

/** What is shown of a schema that only the catalogue has, once its definition has run; throws `schemaNotFound`. */
async function ofCatalogue<Shown>(
  { server: { store, sandbox, clock, log } }: Context,
  schemaId: string,
  what: string,
  show: (schema: CataloguedSchema) => Shown,
): Promise<Shown | Building> {
  const found = (await findCatalogued(store, schemaId)) ?? fail("schemaNotFound");
  const complain = (reason: string): void =>
    log.warn("the code of a schema of the catalogue defines none", { resource: found.pack.name, reason });
  const hasRun = await definitionHasRun(sandbox, clock, packagedDefinition(found), complain);
  return hasRun ? show(found) : building(what);
}

const isBeingMade = (context: Context, { id }: Schema): Promise<boolean> =>
  isBuilding(context.server.store, { layerId: layerOf(context).id, schemaId: id });

/** Definitions mostly run for less than a second; those that wait for something take longer. */
const times = { retryAfter: 2, estimated: 5 } as const;

const building = (what: string): Building =>
  new Building(`${what} is being made from its code, please retry shortly`, times);
