import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import { replacementOf } from "../domain/variants.ts";
import { listEntities } from "../store/entities.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { entityRules } from "./entity-rules.ts";
import { findSchema } from "./schemas.ts";
import { findVariants, type Variant, type VariantCache } from "./variants.ts";

/** A variant as a path names it, each id in any letter case. */
export interface VariantAddress {
  readonly schemaId: string;
  readonly schemaVariantId: string;
}

/**
 * The variant at an address, as the layer shows it. Throws `schemaNotFound`, `variantNotFound`, which names the one that
 * has taken its place, and `variantNotOfSchema` where both are there.
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
  const schema = await findSchema(reads, layer, schemaId);
  if (schema === undefined) {
    return fail("schemaNotFound", "no schema with the id of the path is installed in this change set");
  }
  if (variant === undefined) {
    const now = replacementOf(schema, variantId);
    if (now === undefined) return fail("variantNotFound");
    return fail(
      "variantNotFound",
      `the variant was replaced by ${now} when its schema was made anew: use that id from now on`,
    );
  }
  return fail(
    "variantNotOfSchema",
    `the variant belongs to the schema ${JSON.stringify(variant.schema.name)}, the path names ${JSON.stringify(schema.name)}`,
  );
}

/** Ids of all variants of a schema that the layer shows, in ascending order. */
export async function listVariantIds(reads: Reads, layer: Layer, schemaId: string): Promise<string[]> {
  const variants = await listEntities(reads, entityRules, layer, { kind: "variant" });
  return variants.filter(({ body }) => body["schemaId"] === schemaId).map(({ id }) => id);
}
