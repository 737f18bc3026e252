import { fail } from "../../src/contract/errors.ts";
import type { JsonObject } from "../domain/json.ts";
import { type Prop, propTree, type SchemaDefinition, type VariantDefinition } from "../domain/props.ts";
import { type Entity, listEntities } from "../store/entities.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { entityRules } from "./entity-rules.ts";
import { idOf } from "./ids.ts";

/** A schema with its id. */
export interface Schema extends SchemaDefinition {
  readonly id: string;
}

/** A variant with its id, its whole tree of properties and its schema. */
export interface Variant extends VariantDefinition {
  readonly id: string;
  readonly schema: Schema;
  readonly props: Prop;
}

/** What components are made of besides themselves. */
const parts = ["variant", "schema", "view"];

/** Property trees by variant and version: what they are made of never changes under one version. */
export class VariantCache {
  readonly #trees: Map<string, { readonly definition: VariantDefinition; readonly props: Prop }>;
  readonly #schemaIds: Map<string, string>;
  /** What was read, undefined for what is not there; only of a cache that holds it. */
  readonly #held: Map<string, Entity | undefined> | undefined;
  /** A tree of 200 properties takes about 100 kB, so at most some 50 MB. */
  static readonly #limit = 500;

  constructor(shared?: VariantCache) {
    this.#trees = shared === undefined ? new Map() : shared.#trees;
    this.#schemaIds = shared === undefined ? new Map() : shared.#schemaIds;
    this.#held = shared && new Map();
  }

  /**
   * The same cache for one transaction in one layer that changes no schema, variant or view: each of them is read once.
   */
  holding(): VariantCache {
    return new VariantCache(this);
  }

  /** Reads these in one statement, for later; nothing where the cache holds nothing. */
  async hold(reads: Reads, layer: Layer, ids: readonly string[]): Promise<void> {
    if (this.#held !== undefined) await this.entities(reads, layer, ids);
  }

  /** Those of these schemas, variants and views that the layer shows, in one statement or none. */
  async entities(reads: Reads, layer: Layer, ids: readonly string[]): Promise<Entity[]> {
    const held = this.#held;
    const missing = held === undefined ? ids : ids.filter((id) => !held.has(id));
    const found =
      missing.length === 0
        ? []
        : await listEntities(reads, entityRules, layer, { kind: parts, ids: [...new Set(missing)] });
    if (held === undefined) return found;
    for (const id of missing) held.set(id, undefined);
    for (const entity of found) held.set(entity.id, entity);
    return ids.flatMap((id) => held.get(id) ?? []);
  }

  get(layer: Layer, entity: Entity): { readonly definition: VariantDefinition; readonly props: Prop } {
    // A version of the head's alone ends in `.0` and means the same in every change set.
    const where = entity.version.endsWith(".0") ? layer.headId : layer.id;
    const key = `${where} ${entity.id} ${entity.version}`;
    const known = this.#trees.get(key);
    if (known !== undefined) return known;
    const definition = definitionIn<VariantDefinition>(entity.body);
    const made = { definition, props: propTree(definition, (path) => idOf(`${entity.id} ${path}`)) };
    if (this.#trees.size >= VariantCache.#limit) this.#trees.clear();
    this.#trees.set(key, made);
    if (this.#schemaIds.size >= VariantCache.#limit) this.#schemaIds.clear();
    this.#schemaIds.set(entity.id, definition.schemaId);
    return made;
  }

  /** The schema of a variant that was met before; a variant never goes over to another. */
  schemaIdOf(variantId: string): string | undefined {
    return this.#schemaIds.get(variantId);
  }
}

/** Those of these variants that the layer shows, with their schemas, in one statement where they were met before, else two. */
export async function findVariants(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  variantIds: readonly string[],
): Promise<Map<string, Variant>> {
  const expected = new Set(variantIds.flatMap((id) => cache.schemaIdOf(id) ?? []));
  const entities = await cache.entities(reads, layer, [...variantIds, ...expected]);
  const loaded = entities
    .filter(({ kind }) => kind === "variant")
    .map((entity) => ({ id: entity.id, ...cache.get(layer, entity) }));
  const missing = new Set(loaded.map(({ definition }) => definition.schemaId));
  for (const id of expected) missing.delete(id);
  const schemas = entities.filter(({ kind }) => kind === "schema");
  if (missing.size > 0) {
    schemas.push(...(await cache.entities(reads, layer, [...missing])));
  }
  const byId = new Map(schemas.map((entity) => [entity.id, schemaOf(entity)]));
  const found = new Map<string, Variant>();
  for (const { id, definition, props } of loaded) {
    const schema = byId.get(definition.schemaId);
    if (schema !== undefined) found.set(id, { ...definition, id, schema, props });
  }
  return found;
}

/** One variant; throws when the layer does not show it, which its components rule out. */
export async function getVariant(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  variantId: string,
): Promise<Variant> {
  const found = (await findVariants(reads, cache, layer, [variantId])).get(variantId);
  if (found === undefined) throw new Error(`no variant ${variantId} in the layer ${layer.id}`);
  return found;
}

/** Every schema of the layer, in ascending order of id. */
export async function listSchemas(reads: Reads, layer: Layer): Promise<Schema[]> {
  return (await listEntities(reads, entityRules, layer, { kind: "schema" })).map(schemaOf);
}

/** The schema of that name, in any letter case; throws `schemaNotFound`. */
export async function getSchemaNamed(reads: Reads, layer: Layer, name: string): Promise<Schema> {
  const wanted = name.toLowerCase();
  const found = (await listSchemas(reads, layer)).find((schema) => schema.name.toLowerCase() === wanted);
  return found ?? fail("schemaNotFound", `no schema is named ${JSON.stringify(name.slice(0, 100))}`);
}

/** A view as the layer shows it; which components are in it stands with the components. */
export interface View {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
}

/** Every view of the layer, in ascending order of id. */
export async function listViews(reads: Reads, layer: Layer): Promise<View[]> {
  return (await listEntities(reads, entityRules, layer, { kind: "view" })).map(viewOfEntity);
}

/** Those of the views that the layer shows, in ascending order of id. */
export async function findViews(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  viewIds: ReadonlySet<string>,
): Promise<View[]> {
  const entities = await cache.entities(reads, layer, [...viewIds].sort());
  return entities.filter(({ kind }) => kind === "view").map(viewOfEntity);
}

function viewOfEntity(entity: Entity): View {
  const body = definitionIn<{ isDefault?: boolean }>(entity.body);
  return {
    id: entity.id,
    name: entity.name ?? "",
    isDefault: body.isDefault === true,
  };
}

/** The schema that an entity of kind `schema` is. */
export const schemaOf = (entity: Entity): Schema => ({
  ...definitionIn<SchemaDefinition>(entity.body),
  id: entity.id,
});

// The boundary of stored JSON: only this software writes bodies, each kind in one shape.
const definitionIn = <T>(body: JsonObject): T => body as unknown as T;
