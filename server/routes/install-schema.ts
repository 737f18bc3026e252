import { checkVariant } from "../domain/definitions.ts";
import type { JsonObject } from "../domain/json.ts";
import type { PropDefinition, SchemaDefinition, VariantDefinition } from "../domain/props.ts";
import { listSchemas } from "../read/variants.ts";
import { createEntities } from "../store/entities.ts";
import type { LayerChange } from "../store/layer.ts";

/** A schema with its one variant, as whoever wrote it describes it. */
export interface SchemaPackage {
  readonly name: string;
  readonly category: string;
  readonly color: string;
  readonly description?: string;
  readonly link?: string;
  readonly domain: readonly PropDefinition[];
  readonly secrets?: readonly PropDefinition[];
  readonly resourceValue?: readonly PropDefinition[];
}

/** A schema that a change set shows. */
export interface InstalledSchema {
  readonly schemaId: string;
  readonly variantId: string;
}

/**
 * Installs a schema and its default variant, locked, in the change set; one of that name that is there already is
 * left as it is. Throws the refusal of a property that makes no sense.
 */
export async function installSchema(change: LayerChange, schema: SchemaPackage): Promise<InstalledSchema> {
  const { tx, layer } = change;
  const wanted = schema.name.toLowerCase();
  const known = (await listSchemas(tx, layer)).find(({ name }) => name.toLowerCase() === wanted);
  if (known !== undefined) return { schemaId: known.id, variantId: known.defaultVariantId };
  const [schemaId, variantId] = [tx.store.id(), tx.store.id()];
  const variant = checkVariant(variantOf(schemaId, schema));
  const definition: SchemaDefinition = {
    name: schema.name,
    category: schema.category,
    description: schema.description ?? null,
    defaultVariantId: variantId,
  };
  await createEntities(change, [
    { kind: "schema", id: schemaId, name: schema.name, body: stored(definition) },
    { kind: "variant", id: variantId, name: schema.name, body: stored(variant) },
  ]);
  return { schemaId, variantId };
}

const variantOf = (schemaId: string, schema: SchemaPackage): VariantDefinition => ({
  schemaId,
  displayName: schema.name,
  category: schema.category,
  color: schema.color,
  description: schema.description ?? null,
  link: schema.link ?? null,
  isLocked: true,
  domain: schema.domain,
  secrets: schema.secrets ?? [],
  resourceValue: schema.resourceValue ?? [],
});

/** The boundary to stored JSON: definitions are JSON but for members that are undefined, which do not arrive. */
const stored = (definition: SchemaDefinition | VariantDefinition): JsonObject =>
  JSON.parse(JSON.stringify(definition));
