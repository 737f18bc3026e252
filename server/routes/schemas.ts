import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { SchemaResponse } from "../../src/contract/schemas.ts";
import { Building } from "../../src/http/building.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { type Context, layerOf } from "../context.ts";
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
    const schema = await getSchema(context, schemaId);
    if (await isBeingMade(context, schema)) return building("Schema data");
    return schemaView(context.server.store, layerOf(context), schema);
  },
  unlock: ({ schemaId }, context) => unlockSchema(schemaWritingOf(context), schemaId),
  variantDefault: async ({ schemaId }, context) => {
    const { store, variants } = context.server;
    const layer = layerOf(context);
    const schema = await getSchema(context, schemaId);
    if (await isBeingMade(context, schema)) return building("Default variant data");
    const id = schema.defaultVariantId;
    const variant = (await findVariants(store, variants, layer, [id])).get(id);
    // Another one has taken its place since the schema was read.
    return variant === undefined ? building("Default variant data") : variantView(store, layer, variant);
  },
  variantGet: async (address, context) => {
    const { store, variants } = context.server;
    const layer = layerOf(context);
    const variant = await getVariantAt(store, variants, layer, address);
    if (await isBeingMade(context, variant.schema)) return building("Schema variant data");
    return variantView(store, layer, variant);
  },
  variantUpdate: ({ body, ...address }, context) => updateVariant(schemaWritingOf(context), address, body),
};

const all = (context: Context): Promise<SchemaResponse[]> =>
  listAllSchemas(context.server.store, layerOf(context), []);

const getSchema = async (context: Context, schemaId: string): Promise<Schema> =>
  (await findSchema(context.server.store, layerOf(context), schemaId)) ?? fail("schemaNotFound");

const isBeingMade = (context: Context, { id }: Schema): Promise<boolean> =>
  isBuilding(context.server.store, { layerId: layerOf(context).id, schemaId: id });

/** Definitions mostly run for less than a second; those that wait for something take longer. */
const times = { retryAfter: 2, estimated: 5 } as const;

const building = (what: string): Building =>
  new Building(`${what} is being made from its code, please retry shortly`, times);
