import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import { clampLimit } from "../../src/contract/page.ts";
import type { GetSchemaResponse, SchemaResponse } from "../../src/contract/schemas.ts";
import { editDistance } from "../../src/lib/near-miss.ts";
import { listEntities } from "../store/entities.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { entityRules } from "./entity-rules.ts";
import { listSchemas, type Schema, schemaOf } from "./variants.ts";

/** The schema of that id, in any letter case, as the layer shows it; undefined when it is not installed there. */
export async function findSchema(reads: Reads, layer: Layer, schemaId: string): Promise<Schema | undefined> {
  const id = schemaId.toUpperCase();
  if (!looksLikeUlid(id)) return undefined;
  const [entity] = await listEntities(reads, entityRules, layer, { kind: "schema", ids: [id] });
  return entity && schemaOf(entity);
}

/** Ids of the variants of a schema that the layer shows, in ascending order. */
export const variantIdsOf = (reads: Reads, layer: Layer, schema: Schema): Promise<string[]> =>
  variantIdsOfAll(reads, layer, [schema]);

/** The same for several schemas, together, in one statement. */
export async function variantIdsOfAll(
  reads: Reads,
  layer: Layer,
  schemas: readonly Schema[],
): Promise<string[]> {
  if (schemas.length === 0) return [];
  // Variants are called by their schema, which never changes its name.
  const names = [...new Set(schemas.map(({ name }) => name))];
  const wanted = new Set<unknown>(schemas.map(({ id }) => id));
  const variants = await listEntities(reads, entityRules, layer, { kind: "variant", names });
  return variants.filter(({ body }) => wanted.has(body["schemaId"])).map(({ id }) => id);
}

/** A schema with the ids of its variants. */
export const schemaView = async (reads: Reads, layer: Layer, schema: Schema): Promise<GetSchemaResponse> => ({
  schemaId: schema.id,
  name: schema.name,
  defaultVariantId: schema.defaultVariantId,
  variantIds: await variantIdsOf(reads, layer, schema),
});

/** The schemas that the layer shows and those of the catalogue that it does not, in ascending order of id. */
export async function listAllSchemas(
  reads: Reads,
  layer: Layer,
  catalogue: readonly SchemaResponse[],
): Promise<SchemaResponse[]> {
  const installed = (await listSchemas(reads, layer)).map(
    ({ id, name, category }): SchemaResponse => ({
      schemaId: id,
      schemaName: name,
      category,
      installed: true,
    }),
  );
  const known = new Set(installed.map(({ schemaId }) => schemaId));
  const others = catalogue.filter(({ schemaId }) => !known.has(schemaId));
  return [...installed, ...others].sort((a, b) => (a.schemaId < b.schemaId ? -1 : 1));
}

/** One page of them. */
export function pageOfSchemas(
  all: readonly SchemaResponse[],
  { limit, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): { readonly schemas: SchemaResponse[]; readonly nextCursor: string | null } {
  const after = cursor?.toUpperCase() ?? "";
  const rest = all.filter(({ schemaId }) => schemaId > after);
  const schemas = rest.slice(0, clampLimit(limit));
  const more = schemas.length < rest.length;
  return { schemas, nextCursor: more ? (schemas.at(-1)?.schemaId ?? null) : null };
}

/** The schema that was asked for by id, else by name in any letter case, an installed one first. Throws `schemaNotFound`. */
export function getSchemaBy(
  all: readonly SchemaResponse[],
  { schemaId, schema }: { readonly schemaId?: string | undefined; readonly schema?: string | undefined },
): SchemaResponse {
  if (schemaId !== undefined) {
    const id = schemaId.toUpperCase();
    return all.find((one) => one.schemaId === id) ?? fail("schemaNotFound");
  }
  if (schema === undefined) {
    return fail("invalidRequest", "query: expected schema or schemaId, found neither");
  }
  const wanted = schema.toLowerCase();
  const called = all.filter(({ schemaName }) => schemaName.toLowerCase() === wanted);
  return (
    called.find(({ installed }) => installed) ??
    called[0] ??
    fail(
      "schemaNotFound",
      `no schema is named ${JSON.stringify(schema.slice(0, 100))}${similar(all, wanted)}`,
    )
  );
}

/** Most names that a message suggests. */
const maximumSuggestions = 5;

/** Names that begin alike, contain the text, or differ in a few letters. */
function similar(all: readonly SchemaResponse[], wanted: string): string {
  if (wanted === "") return "";
  const distance = (name: string): number => {
    const text = name.toLowerCase();
    if (text.startsWith(wanted)) return 0;
    if (text.includes(wanted) || wanted.includes(text)) return 1;
    // A third of the letters may be wrong.
    return wanted.length > 100 ? Number.POSITIVE_INFINITY : editDistance(wanted, text) - wanted.length / 3;
  };
  const near = [...new Set(all.map(({ schemaName }) => schemaName))]
    .map((name) => ({ name, at: distance(name) }))
    .filter(({ at }) => at <= 1)
    .sort((a, b) => a.at - b.at)
    .slice(0, maximumSuggestions);
  return near.length === 0
    ? ""
    : `; similar ones: ${near.map(({ name }) => JSON.stringify(name)).join(", ")}`;
}

/** The schemas of a category, or all of them. Throws `schemaNotFound` for a category that none has. */
export function schemasOfCategory(
  all: readonly SchemaResponse[],
  category: string | null | undefined,
): SchemaResponse[] {
  const found = all.filter((one) => category == null || one.category === category);
  if (found.length > 0 || category == null) return found;
  return fail("schemaNotFound", `no schema is of the category ${JSON.stringify(category.slice(0, 100))}`);
}
