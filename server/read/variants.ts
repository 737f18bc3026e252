import { fail } from "../../src/contract/errors.ts";
import type { Binding } from "../domain/functions.ts";
import type { JsonObject } from "../domain/json.ts";
import { type Prop, propTree, type SchemaDefinition, type VariantDefinition } from "../domain/props.ts";
import { isJudged } from "../domain/validations.ts";
import type { Shared } from "../store/engine.ts";
import { type Entity, listEntities } from "../store/entities.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { entityRules } from "./entity-rules.ts";
import { bindingsOfSchemas } from "./functions.ts";
import { idOf } from "./ids.ts";
import { KeptEntities, showsCommitted } from "./kept-entities.ts";

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

/** Schemas, variants and views that were met before, with what is made of them. */
export class VariantCache {
  readonly #kept: KeptEntities;
  readonly #schemaIds: Map<string, string>;
  readonly #formats: Map<string, boolean>;
  /** What was read, undefined for what is not there; only of a cache that holds it. */
  readonly #held: Map<string, Entity | undefined> | undefined;
  /** What was made of them; only of a cache that holds it. */
  readonly variants: Map<string, Variant> | undefined;
  /** Bindings by schema; only of a cache that holds what it read. */
  readonly #bindings: Map<string, readonly Binding[]> | undefined;
  /** Caches that hold, by what entities say and by layer. */
  readonly #holding = new WeakMap<object, Map<string, VariantCache>>();
  static readonly #limit = 10_000;

  constructor(shared?: VariantCache) {
    this.#kept = shared === undefined ? new KeptEntities() : shared.#kept;
    this.#schemaIds = shared === undefined ? new Map() : shared.#schemaIds;
    this.#formats = shared === undefined ? new Map() : shared.#formats;
    this.#held = shared && new Map();
    this.variants = shared && new Map();
    this.#bindings = shared && new Map();
  }

  /**
   * The same cache for transactions in one layer that share a commit, none of which changes a schema, variant, view or
   * binding that it has looked at: each of them is looked at once, until another transaction has changed any.
   */
  holding({ entities }: Shared, layer: Layer): VariantCache {
    const layers = this.#holding.get(entities) ?? new Map<string, VariantCache>();
    this.#holding.set(entities, layers);
    const known = layers.get(layer.id) ?? new VariantCache(this);
    layers.set(layer.id, known);
    return known;
  }

  /** Looks at these in one statement, for later; nothing where the cache holds nothing. */
  async hold(reads: Reads, layer: Layer, ids: readonly string[]): Promise<void> {
    if (this.#held !== undefined) await this.entities(reads, layer, ids);
  }

  /** Those of these schemas, variants and views that the layer shows, in no order. */
  async entities(reads: Reads, layer: Layer, ids: readonly string[]): Promise<Entity[]> {
    const held = this.#held;
    if (held === undefined) return this.#kept.find(reads, layer, ids);
    const missing = ids.filter((id) => !held.has(id));
    const found = missing.length === 0 ? [] : await this.#kept.find(reads, layer, missing);
    for (const id of missing) held.set(id, undefined);
    for (const entity of found) held.set(entity.id, entity);
    return ids.flatMap((id) => held.get(id) ?? []);
  }

  /** Every binding of these schemas that the layer shows. */
  async bindings(reads: Reads, layer: Layer, schemaIds: readonly string[]): Promise<readonly Binding[]> {
    const held = this.#bindings;
    if (held === undefined) return bindingsOfSchemas(reads, layer, schemaIds);
    const missing = schemaIds.filter((id) => !held.has(id));
    const found = missing.length === 0 ? [] : await bindingsOfSchemas(reads, layer, missing);
    for (const id of missing)
      held.set(
        id,
        found.filter(({ schemaId }) => schemaId === id),
      );
    return schemaIds.flatMap((id) => held.get(id) ?? []);
  }

  /** The schema of a variant that was met before; a variant never goes over to another. */
  schemaIdOf(variantId: string): string | undefined {
    return this.#schemaIds.get(variantId);
  }

  /** Whether values of a variant are judged by formats; undefined where that is not known, or may yet change. */
  hasFormats(variantId: string): boolean | undefined {
    return this.#formats.get(variantId);
  }

  /** Remembers of which schema a variant is, and of a locked one, which stays as it is, whether it has formats. */
  note(reads: Reads, { id, schemaId, isLocked, props }: Variant): void {
    if (this.#schemaIds.size >= VariantCache.#limit) {
      this.#schemaIds.clear();
      this.#formats.clear();
    }
    this.#schemaIds.set(id, schemaId);
    if (isLocked && showsCommitted(reads)) this.#formats.set(id, isJudged(props));
  }
}

/** Those of these variants that the layer shows, with their schemas, in one statement where they were met before. */
export async function findVariants(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  variantIds: readonly string[],
): Promise<Map<string, Variant>> {
  const held = variantIds.flatMap((id) => cache.variants?.get(id) ?? []);
  if (held.length === variantIds.length) return new Map(held.map((variant) => [variant.id, variant]));
  const expected = new Set(variantIds.flatMap((id) => cache.schemaIdOf(id) ?? []));
  const entities = await cache.entities(reads, layer, [...variantIds, ...expected]);
  const variants = entities.filter(({ kind }) => kind === "variant");
  const missing = new Set(variants.map((entity) => variantIn(entity).schemaId));
  for (const id of expected) missing.delete(id);
  if (missing.size > 0) entities.push(...(await cache.entities(reads, layer, [...missing])));
  const schemas = new Map(entities.map((entity) => [entity.id, entity]));
  const found = new Map<string, Variant>();
  for (const entity of variants) {
    const schema = schemas.get(variantIn(entity).schemaId);
    if (schema === undefined) continue;
    const variant = variantOf(entity, schema);
    cache.note(reads, variant);
    cache.variants?.set(entity.id, variant);
    found.set(entity.id, variant);
  }
  return found;
}

/** Those of these variants whose values are judged by formats; looked up only where that is not known for good. */
export async function withFormats(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  variantIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const unknown = variantIds.filter((id) => cache.hasFormats(id) === undefined);
  const found = await findVariants(reads, cache, layer, unknown);
  return new Set(
    variantIds.filter((id) => {
      const variant = found.get(id);
      return variant === undefined ? cache.hasFormats(id) === true : isJudged(variant.props);
    }),
  );
}

/** What was made of a version of a variant, with the version of its schema that it was made with. */
const made = new WeakMap<Entity, { readonly variant: Variant; readonly schema: Entity }>();

/** The variant of these two; its tree of properties is made once for each of its versions. */
function variantOf(entity: Entity, schema: Entity): Variant {
  const before = made.get(entity);
  if (before?.schema === schema) return before.variant;
  const definition = variantIn(entity);
  const props = before?.variant.props ?? propTree(definition, (path) => idOf(`${entity.id} ${path}`));
  const variant: Variant = { ...definition, id: entity.id, schema: schemaOf(schema), props };
  made.set(entity, { variant, schema });
  return variant;
}

const variantIn = ({ body }: Entity): VariantDefinition => definitionIn<VariantDefinition>(body);

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
