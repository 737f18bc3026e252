import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import { findEntity, listEntities } from "../store/entities.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { entityRules } from "./entity-rules.ts";
import { findVariants, type Variant, type VariantCache } from "./variants.ts";

/** A variant as a path names it, each id in any letter case. */
export interface VariantAddress {
  readonly schemaId: string;
  readonly schemaVariantId: string;
}

/**
 * The variant at an address, as the layer shows it. Throws `schemaNotFound`, `variantNotFound`, and
 * `variantNotOfSchema` where both are there.
 */
export async function getVariantAt(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  address: VariantAddress,
): Promise<Variant> {
  const schemaId = address.schemaId.toUpperCase();
  const variantId = address.schemaVariantId.toUpperCase();
  const variant = looksLikeUlid(variantId)
    ? (await findVariants(reads, cache, layer, [variantId])).get(variantId)
    : undefined;
  if (variant?.schemaId === schemaId) return variant;
  const schema = looksLikeUlid(schemaId)
    ? await findEntity(reads, entityRules, layer, "schema", schemaId)
    : undefined;
  if (schema === undefined) {
    return fail("schemaNotFound", "no schema with the id of the path is installed in this change set");
  }
  if (variant === undefined) return fail("variantNotFound");
  return fail(
    "variantNotOfSchema",
    `the variant belongs to the schema ${JSON.stringify(variant.schema.name)}, the path names ${JSON.stringify(schema.name ?? schemaId)}`,
  );
}

/** Ids of all variants of a schema that the layer shows, in ascending order. */
export async function listVariantIds(reads: Reads, layer: Layer, schemaId: string): Promise<string[]> {
  const variants = await listEntities(reads, entityRules, layer, { kind: "variant" });
  return variants.filter(({ body }) => body["schemaId"] === schemaId).map(({ id }) => id);
}
