import type { Binding, BindingDefinition, FunctionDefinition, StoredFunction } from "../domain/functions.ts";
import type { JsonObject } from "../domain/json.ts";
import { type Entity, listEntities } from "../store/entities.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { entityRules } from "./entity-rules.ts";

/** The functions of these ids that the layer shows. */
export async function findFunctions(
  reads: Reads,
  layer: Layer,
  ids: readonly string[],
): Promise<Map<string, StoredFunction>> {
  if (ids.length === 0) return new Map();
  const entities = await listEntities(reads, entityRules, layer, { kind: "func", ids: [...new Set(ids)] });
  return new Map(entities.map((entity) => [entity.id, functionOf(entity)]));
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
 * The bindings at work in a component of a variant: the variant's own and the schema's overlays, of which an action
 * replaces the variant's of its kind unless it is Manual; those of other components are left out, and one of this
 * component takes the place of another with the same output.
 */
export function bindingsFor(
  bindings: readonly Binding[],
  variant: { readonly id: string; readonly schemaId: string },
  componentId?: string,
): Binding[] {
  const own = bindings.filter(
    (binding) =>
      binding.schemaId === variant.schemaId &&
      (binding.variantId === null || binding.variantId === variant.id) &&
      (binding.componentId === undefined || binding.componentId === componentId),
  );
  const isReplaced = (one: Binding): boolean =>
    own.some(
      (other) =>
        other !== one &&
        ((one.kind === "action" &&
          other.kind === "action" &&
          one.variantId !== null &&
          other.variantId === null &&
          one.actionKind !== "Manual" &&
          one.actionKind === other.actionKind) ||
          (one.kind === "attribute" &&
            other.kind === "attribute" &&
            one.output === other.output &&
            one.componentId === undefined &&
            other.componentId !== undefined)),
    );
  return own.filter((binding) => !isReplaced(binding));
}

/** The function that an entity of kind `func` is. */
export const functionOf = (entity: Entity): StoredFunction => ({
  ...definitionIn<FunctionDefinition>(entity.body),
  id: entity.id,
});

const bindingOf = (entity: Entity): BindingDefinition => definitionIn<BindingDefinition>(entity.body);

// The boundary of stored JSON: only this software writes bodies, each kind in one shape.
const definitionIn = <T>(body: JsonObject): T => body as unknown as T;
