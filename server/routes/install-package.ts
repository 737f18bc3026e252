import { versionAt } from "../domain/asset-functions.ts";
import type { BindingDefinition } from "../domain/functions.ts";
import type { Package, PackageVariant } from "../domain/packages.ts";
import type { SchemaDefinition, VariantDefinition } from "../domain/props.ts";
import { refuse } from "../domain/refusal.ts";
import { type CataloguedSchema, findCataloguedNamed } from "../read/catalogue.ts";
import { entityRules } from "../read/entity-rules.ts";
import { intrinsicId } from "../read/intrinsics.ts";
import { type PackageIds, packageIds } from "../read/package-ids.ts";
import { findSchema } from "../read/schemas.ts";
import { listSchemas, type Schema } from "../read/variants.ts";
import { createEntities, type NewEntity, patchEntity } from "../store/entities.ts";
import type { LayerChange } from "../store/layer.ts";
import { bindingEntity, functionEntity } from "./bind-function.ts";
import type { InstalledSchema } from "./install-schema.ts";
import { schemaEntity, variantEntity } from "./variant-entities.ts";

/**
 * Installs a schema of the catalogue in the change set, under its own id and locked; one that is there is left as it
 * is. All ids are made of the schema's and the package's, so that two change sets that install it bring the same.
 */
export async function installCatalogued(
  change: LayerChange,
  { schemaId, hash, pack }: CataloguedSchema,
): Promise<InstalledSchema> {
  const schemas = await listSchemas(change.tx, change.layer);
  const known = schemas.find(({ id }) => id === schemaId);
  if (known !== undefined) return { schemaId, variantId: known.defaultVariantId };
  const rival = findNamed(schemas, pack.name);
  if (rival !== undefined)
    refuse(
      "invalidRequest",
      `expected no schema named ${JSON.stringify(rival.name)} beside that of the catalogue, found one that was made here (${rival.id})`,
    );
  return writePackage(change, pack, { schemaId, upstream: hash, ids: packageIds({ schemaId, hash }) });
}

/** Installs a package as a schema that is new, locked, with all its variants; its own default is the default. */
export const installPackage = (change: LayerChange, pack: Package): Promise<InstalledSchema> =>
  writePackage(change, pack, { schemaId: change.tx.store.id(), ids: freshIds(change) });

/**
 * Gives a schema that is installed the first variant of a package, as its default and its working copy; its functions
 * come as new ones, locked. A working copy that was there is locked as it is; components stay where they are.
 */
export async function upgradeByPackage(
  change: LayerChange,
  schema: Schema,
  pack: Package,
): Promise<InstalledSchema> {
  const [variant] = pack.variants;
  if (variant === undefined) throw new Error("a package without variants");
  const [ids, first] = [freshIds(change), { ...pack, variants: [variant] }];
  const variantId = ids.variant(0);
  const before = schema.unlockedVariantId;
  if (before != null)
    await patchEntity(change, entityRules, { kind: "variant", id: before, patch: { isLocked: true } });
  await createEntities(change, [
    ...functionEntities(first, ids),
    ...variantEntities(
      change,
      { ...first, name: schema.name },
      { schemaId: schema.id, ids, isLocked: false },
    ),
  ]);
  const patch = {
    defaultVariantId: variantId,
    unlockedVariantId: variantId,
    category: pack.category,
    ...(pack.description === null ? {} : { description: pack.description }),
  };
  await patchEntity(change, entityRules, { kind: "schema", id: schema.id, patch });
  return { schemaId: schema.id, variantId };
}

/**
 * The schema of that name that the change set shows; one that only the catalogue has is installed. Undefined where
 * neither has it.
 */
export async function findOrInstall(change: LayerChange, name: string): Promise<Schema | undefined> {
  const { tx, layer } = change;
  const known = findNamed(await listSchemas(tx, layer), name);
  if (known !== undefined) return known;
  const catalogued = await findCataloguedNamed(tx, name);
  if (catalogued === undefined) return undefined;
  const { schemaId } = await installCatalogued(change, catalogued);
  return findSchema(tx, layer, schemaId);
}

const findNamed = (schemas: readonly Schema[], name: string): Schema | undefined =>
  schemas.find((schema) => schema.name.toLowerCase() === name.toLowerCase());

interface Place {
  readonly schemaId: string;
  readonly ids: PackageIds;
  readonly upstream?: string;
}

async function writePackage(
  change: LayerChange,
  pack: Package,
  { schemaId, ids, upstream }: Place,
): Promise<InstalledSchema> {
  const variantId = ids.variant(pack.defaultVariant);
  const schema: SchemaDefinition = {
    name: pack.name,
    category: pack.category,
    description: pack.description,
    defaultVariantId: variantId,
    ...(upstream === undefined ? {} : { upstream }),
  };
  await createEntities(change, [
    schemaEntity(schemaId, schema),
    ...functionEntities(pack, ids),
    ...variantEntities(change, pack, { schemaId, ids, isLocked: true }),
  ]);
  return { schemaId, variantId };
}

const functionEntities = ({ functions, variants }: Package, ids: PackageIds): NewEntity[] => {
  const used = new Set(
    variants.flatMap(({ assetFunc, bindings }) => [assetFunc, ...bindings.map(({ func }) => func)]),
  );
  return functions
    .filter(({ kind, key }) => kind !== "Intrinsic" && used.has(key))
    .map(({ key, ...func }) => functionEntity(ids.func(key), func));
};

function variantEntities(
  { tx }: LayerChange,
  pack: Package,
  { schemaId, ids, isLocked }: Place & { readonly isLocked: boolean },
): NewEntity[] {
  const idOfFunction = (key: string): string => {
    const func = pack.functions.find((one) => one.key === key);
    return func?.kind === "Intrinsic" ? intrinsicId(func.name) : ids.func(key);
  };
  const version = versionAt(tx.now);
  return pack.variants.flatMap((variant, index) => [
    variantEntity(ids.variant(index), pack.name, {
      ...variantOf(variant, { schemaId, category: pack.category }),
      isLocked,
      version,
      assetFuncId: ids.func(variant.assetFunc),
    }),
    ...variant.bindings.map(({ func, ...binding }, position) => {
      const bound: BindingDefinition = {
        ...binding,
        schemaId,
        variantId: ids.variant(index),
        funcId: idOfFunction(func),
      };
      return bindingEntity(ids.binding(index, position), bound);
    }),
  ]);
}

/** A variant of a package as its schema has it. */
export const variantOf = (
  { bindings: _, assetFunc: __, ...declared }: PackageVariant,
  schema: { readonly schemaId: string; readonly category: string },
): VariantDefinition => ({ ...declared, ...schema, isLocked: true });

/** New ids, the same for the same part at every call. */
function freshIds({ tx }: LayerChange): PackageIds {
  const made = new Map<string, string>();
  const idFor = (part: string): string => {
    const id = made.get(part) ?? tx.store.id();
    made.set(part, id);
    return id;
  };
  return {
    variant: (index) => idFor(`variant ${index}`),
    func: (key) => idFor(`func ${key}`),
    binding: (index, position) => idFor(`binding ${index} ${position}`),
  };
}
