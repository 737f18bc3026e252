import { checkVariant } from "../domain/definitions.ts";
import type {
  PropDefinition,
  SchemaDefinition,
  SecretDefinition,
  VariantDefinition,
} from "../domain/props.ts";
import { entityRules } from "../read/entity-rules.ts";
import { getSchemaNamed, listSchemas } from "../read/variants.ts";
import { createEntities, patchEntity } from "../store/entities.ts";
import type { LayerChange } from "../store/layer.ts";
import { schemaEntity, variantFromData } from "./variant-entities.ts";

/** A schema with its one variant, as whoever wrote it describes it. */
export interface SchemaPackage {
  readonly name: string;
  readonly category: string;
  readonly color: string;
  readonly description?: string;
  readonly link?: string;
  readonly domain: readonly PropDefinition[];
  readonly secrets?: readonly PropDefinition[];
  readonly secretDefinition?: SecretDefinition;
  readonly resourceValue?: readonly PropDefinition[];
}

/** A schema that a change set shows. */
export interface InstalledSchema {
  readonly schemaId: string;
  readonly variantId: string;
}

/**
 * Installs a schema and its default variant, locked, with the function that defines it, in the change set; one of that name that is there already is
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
    schemaEntity(schemaId, definition),
    ...variantFromData(tx, { schemaName: schema.name, variantId }, variant),
  ]);
  return { schemaId, variantId };
}

/**
 * Adds a newer variant, locked, to a schema that is installed and makes it the default: components that are there stay
 * on theirs until they are upgraded. Throws `schemaNotFound`, and the refusal of a property that makes no sense.
 */
export async function releaseVariant(change: LayerChange, schema: SchemaPackage): Promise<InstalledSchema> {
  const { tx, layer } = change;
  const { id: schemaId, name: schemaName } = await getSchemaNamed(tx, layer, schema.name);
  const variantId = tx.store.id();
  const variant = checkVariant(variantOf(schemaId, schema));
  await createEntities(change, variantFromData(tx, { schemaName, variantId }, variant));
  const patch = { defaultVariantId: variantId };
  await patchEntity(change, entityRules, { kind: "schema", id: schemaId, patch });
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
  ...(schema.secretDefinition === undefined ? {} : { secretDefinition: schema.secretDefinition }),
  resourceValue: schema.resourceValue ?? [],
});
