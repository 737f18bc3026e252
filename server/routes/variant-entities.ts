import { assetFunction, versionAt } from "../domain/asset-functions.ts";
import type { BuiltDefinition } from "../domain/definition-build.ts";
import { definitionCode } from "../domain/definition-code.ts";
import type { JsonObject } from "../domain/json.ts";
import type { SchemaDefinition, VariantDefinition } from "../domain/props.ts";
import type { Variant } from "../read/variants.ts";
import type { NewEntity } from "../store/entities.ts";
import type { Tx } from "../store/open.ts";
import { functionEntity } from "./bind-function.ts";

/** A schema as it is stored. */
export const schemaEntity = (id: string, schema: SchemaDefinition): NewEntity => ({
  kind: "schema",
  id,
  name: schema.name,
  body: stored(schema),
});

/** A variant as it is stored, by the name of its schema. */
export const variantEntity = (id: string, schemaName: string, variant: VariantDefinition): NewEntity => ({
  kind: "variant",
  id,
  name: schemaName,
  body: stored(variant),
});

/** The members of a variant that its code declares; one that defines no secret has none. */
export const declaredIn = ({
  domain,
  secrets,
  secretDefinition,
  resourceValue,
}: Pick<BuiltDefinition, "domain" | "secrets" | "secretDefinition" | "resourceValue">) => ({
  domain,
  secrets,
  ...(secretDefinition === undefined ? {} : { secretDefinition }),
  resourceValue,
});

/** What of a variant is stored with it. */
export const definitionOf = ({ id: _, schema: __, props: ___, ...definition }: Variant): VariantDefinition =>
  definition;

/** A variant that came as data, with a version and a function that returns the same definition. */
export function variantFromData(
  tx: Tx,
  ids: { readonly schemaName: string; readonly variantId: string },
  variant: Omit<VariantDefinition, "version" | "assetFuncId">,
): NewEntity[] {
  const [version, assetFuncId] = [versionAt(tx.now), tx.store.id()];
  const code = definitionCode(variant);
  const func = assetFunction(ids.schemaName, { code, version, isLocked: variant.isLocked });
  return [
    variantEntity(ids.variantId, ids.schemaName, { ...variant, version, assetFuncId }),
    functionEntity(assetFuncId, func),
  ];
}

/** The boundary to stored JSON: definitions are JSON but for members that are undefined, which do not arrive. */
const stored = (definition: SchemaDefinition | VariantDefinition): JsonObject =>
  JSON.parse(JSON.stringify(definition));
