import { looksLikeUlid } from "../../src/contract/ids.ts";

import type { FoundFunction } from "../domain/attribute-sources.ts";
import type { Binding, BindingDefinition, FunctionDefinition, StoredFunction } from "../domain/functions.ts";
import { isIntrinsic, isTransforming } from "../domain/intrinsics.ts";
import type { JsonObject } from "../domain/json.ts";
import { type Entity, listEntities } from "../store/entities.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { entityRules } from "./entity-rules.ts";
import { findIntrinsic, intrinsicNameOf } from "./intrinsics.ts";

export { bindingsFor } from "../domain/bindings.ts";

/** The functions of these ids that the layer shows, and those of every workspace. */
export async function findFunctions(
  reads: Reads,
  layer: Layer,
  ids: readonly string[],
): Promise<Map<string, StoredFunction>> {
  if (ids.length === 0) return new Map();
  const everywhere = ids.flatMap((id) => findIntrinsic(id) ?? []);
  const entities = await listEntities(reads, entityRules, layer, { kind: "func", ids: [...new Set(ids)] });
  return new Map([...everywhere, ...entities.map(functionOf)].map((func) => [func.id, func]));
}

/** The function of that id, of the layer or of every workspace; undefined when there is none, or it is no id. */
export async function findFunction(
  reads: Reads,
  layer: Layer,
  funcId: string,
): Promise<StoredFunction | undefined> {
  if (!looksLikeUlid(funcId)) return undefined;
  return findIntrinsic(funcId) ?? (await findFunctions(reads, layer, [funcId])).get(funcId);
}

/** Every binding of a function that the layer shows, in all schemas, in ascending order of id; one statement. */
export async function bindingsOfFunction(
  reads: Reads,
  layer: Layer,
  func: StoredFunction,
): Promise<Binding[]> {
  const entities = await listEntities(reads, entityRules, layer, { kind: "binding" });
  return entities.flatMap((entity) => {
    const binding = bindingOf(entity);
    return binding.funcId === func.id ? [{ ...binding, id: entity.id, func }] : [];
  });
}

/**
 * Every binding of these schemas that the layer shows, of their variants, overlays and components alike, in ascending
 * order of id; two statements. One whose function is gone is left out.
 */
export async function bindingsOfSchemas(
  reads: Reads,
  layer: Layer,
  schemaIds: readonly string[],
): Promise<Binding[]> {
  const entities = await listEntities(reads, entityRules, layer, { kind: "binding", names: schemaIds });
  const found = entities.map((entity) => ({ ...bindingOf(entity), id: entity.id }));
  const functions = await findFunctions(
    reads,
    layer,
    found.map(({ funcId }) => funcId),
  );
  return found.flatMap((binding) => {
    const func = functions.get(binding.funcId);
    return func === undefined ? [] : [{ ...binding, func }];
  });
}

/**
 * Finds the functions that subscriptions name, by id, or by the name of a transformation or of a function that every
 * workspace has; two statements for all of them, none without any.
 */
export async function lookUpTransformations(
  reads: Reads,
  layer: Layer,
  references: readonly string[],
): Promise<(reference: string) => FoundFunction | undefined> {
  if (references.length === 0) return () => undefined;
  const ids = references.filter(looksLikeUlid).map((reference) => reference.toUpperCase());
  const byId = await findFunctions(reads, layer, ids);
  const named = (await listEntities(reads, entityRules, layer, { kind: "func", names: references }))
    .map(functionOf)
    .filter(({ isTransformation }) => isTransformation);
  return (reference) => {
    const known = intrinsicNameOf(reference.toUpperCase()) ?? reference;
    if (isIntrinsic(known)) return isTransforming(known) ? { func: known } : "unfit";
    const found = byId.get(reference.toUpperCase());
    if (found !== undefined) return found.isTransformation ? { func: found.id } : "unfit";
    const [first, second] = named.filter(({ name }) => name === reference);
    return first && (second === undefined ? { func: first.id } : "ambiguous");
  };
}

/** The function that an entity of kind `func` is. */
export function functionOf(entity: Entity): StoredFunction {
  const body = definitionIn<FunctionDefinition>(entity.body);
  // A patch that clears a member takes it away.
  const { displayName = null, description = null, link = null } = body;
  return { ...body, displayName, description, link, id: entity.id };
}

/** What an entity of kind `binding` says. */
export function bindingOf(entity: Entity): BindingDefinition {
  const body = definitionIn<BindingDefinition>(entity.body);
  // A patch over it takes away what is null.
  return { ...body, variantId: body.variantId ?? null };
}

// The boundary of stored JSON: only this software writes bodies, each kind in one shape.
const definitionIn = <T>(body: JsonObject): T => body as unknown as T;
