import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import { bindingsToDetach } from "../domain/bindings.ts";
import type { BindingDefinition, BindingKind, FunctionDefinition } from "../domain/functions.ts";
import type { JsonObject } from "../domain/json.ts";
import { type BindingRequest, planBinding } from "../domain/plan-binding.ts";
import { refuse } from "../domain/refusal.ts";
import { bindingsOfSchemas } from "../read/functions.ts";
import { rulesFor } from "../read/rules.ts";
import { getVariantAt, type VariantAddress } from "../read/schema-variants.ts";
import type { Variant, VariantCache } from "../read/variants.ts";
import { removeActionsOfPrototypes } from "../store/actions.ts";
import { findComponents } from "../store/components.ts";
import { createEntities, type NewEntity } from "../store/entities.ts";
import { removeEntities } from "../store/entity-removal.ts";
import { changeLayer, type LayerChange } from "../store/layer.ts";
import type { Writing } from "./change-component.ts";
import { markUsers } from "./mark-function-users.ts";

/** A function that was made and put to work. */
export interface BoundFunction {
  readonly funcId: string;
  /** The id of its binding. */
  readonly prototypeId: string;
}

/** Makes a function and binds it, where {@link planBinding} says; the components that it reaches are computed again. */
export function bindFunction(
  writing: Writing,
  address: VariantAddress,
  request: BindingRequest,
): Promise<BoundFunction> {
  const funcId = writing.store.id();
  const { name, kind } = request;
  const event = {
    kind: "function.bound",
    subject: funcId,
    data: { name, kind },
    actor: writing.actor,
  } as const;
  return changeLayer(writing.store, writing.layer, event, async (change) => {
    const { tx, layer } = change;
    const variant = await getVariantAt(tx, writing.variants, layer, address);
    const asked = await withComponent(change, writing.variants, variant, request);
    const bindings = await bindingsOfSchemas(tx, layer, [variant.schemaId]);
    const { func, binding, replaced } = planBinding(variant, bindings, asked);
    await removeEntities(
      change,
      "binding",
      replaced.map(({ id }) => id),
    );
    const prototypeId = tx.store.id();
    const bound: BindingDefinition = { ...binding, funcId };
    await createEntities(change, [functionEntity(funcId, func), bindingEntity(prototypeId, bound)]);
    await markUsers(change, writing.variants, [bound]);
    return { funcId, prototypeId };
  });
}

/** The request with the id of a component that is there and has the variant; throws `componentNotFound`. */
async function withComponent(
  { tx, layer }: LayerChange,
  cache: VariantCache,
  variant: Variant,
  request: BindingRequest,
): Promise<BindingRequest> {
  const { attribute } = request;
  if (attribute?.componentId === undefined) return request;
  const componentId = attribute.componentId.toUpperCase();
  const found = looksLikeUlid(componentId)
    ? (await findComponents(tx, rulesFor(tx, cache), layer, [componentId])).get(componentId)
    : undefined;
  if (found === undefined)
    return fail("componentNotFound", "componentId: no such component in this change set");
  if (found.variantId !== variant.id) {
    refuse(
      "invalidRequest",
      `componentId: expected a component of the variant of the path, found ${JSON.stringify(found.name)} of another one (${found.variantId})`,
    );
  }
  return { ...request, attribute: { ...attribute, componentId } };
}

/**
 * Takes a function's bindings of a kind from a variant, its overlays and component-level ones included; the function
 * stays. Actions that are queued for them are dropped.
 */
export function detachFunction(
  writing: Writing,
  address: VariantAddress,
  { kind, funcId: given }: { readonly kind: BindingKind; readonly funcId: string },
): Promise<void> {
  const funcId = given.toUpperCase();
  const event = { kind: "function.detached", subject: funcId, data: { kind }, actor: writing.actor } as const;
  return changeLayer(writing.store, writing.layer, event, async (change) => {
    const { tx, layer } = change;
    const variant = await getVariantAt(tx, writing.variants, layer, address);
    const bindings = await bindingsOfSchemas(tx, layer, [variant.schemaId]);
    const bound = bindingsToDetach(bindings, variant, { kind, funcId });
    const ids = bound.map(({ id }) => id);
    await removeEntities(change, "binding", ids);
    if (kind === "action") await removeActionsOfPrototypes(change, ids);
    await markUsers(change, writing.variants, bound);
  });
}

/** A function as it is stored. */
export const functionEntity = (id: string, func: FunctionDefinition): NewEntity => ({
  kind: "func",
  id,
  name: func.name,
  body: stored(func),
});

/** A binding as it is stored, by the id of its schema. */
export const bindingEntity = (id: string, binding: BindingDefinition): NewEntity => ({
  kind: "binding",
  id,
  name: binding.schemaId,
  body: stored(binding),
});

/** The boundary to stored JSON: definitions are JSON but for members that are undefined, which do not arrive. */
const stored = (definition: FunctionDefinition | BindingDefinition): JsonObject =>
  JSON.parse(JSON.stringify(definition));
