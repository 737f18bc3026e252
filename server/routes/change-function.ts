import type { Static } from "typebox";
import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import { checkUnlocked } from "../domain/bindings.ts";
import { defineFunction, describeFunction } from "../domain/function-definitions.ts";
import { checkChangeable, unlockingFor } from "../domain/function-locks.ts";
import type { StoredFunction } from "../domain/functions.ts";
import { refuse } from "../domain/refusal.ts";
import { entityRules } from "../read/entity-rules.ts";
import { bindingsOfFunction, bindingsOfSchemas, findFunction } from "../read/functions.ts";
import { findVariants } from "../read/variants.ts";
import { createEntities, patchEntity } from "../store/entities.ts";
import { listThroughFunction } from "../store/function-users.ts";
import { changeLayer, type LayerChange } from "../store/layer.ts";
import { functionEntity } from "./bind-function.ts";
import type { Writing } from "./change-component.ts";
import { markUsers } from "./mark-function-users.ts";

/** What a request to make a transformation carries. */
export type NewTransformation = Static<(typeof api.functions.createTransformation)["body"]>;
/** What a request to change a function carries. */
export type FunctionUpdate = Static<(typeof api.functions.update)["body"]>;

/** Makes a function that subscriptions may pass through; answers with its id. */
export function createTransformation(writing: Writing, body: NewTransformation): Promise<string> {
  const funcId = writing.store.id();
  const data = { name: body.name, kind: "transformation" };
  const event = { kind: "function.created", subject: funcId, data, actor: writing.actor } as const;
  return changeLayer(writing.store, writing.layer, event, async (change) => {
    const func = defineFunction("Attribute", body, {
      arguments: [{ name: "input", kind: "Any" }],
      isTransformation: true,
    });
    await createEntities(change, [functionEntity(funcId, func)]);
    return funcId;
  });
}

/**
 * Replaces a function's code and what describes it; what it had a part in is computed again. Throws
 * `functionNotFound`, `functionLocked`.
 */
export function updateFunction(writing: Writing, funcId: string, body: FunctionUpdate): Promise<void> {
  const event = { kind: "function.changed", subject: funcId, actor: writing.actor } as const;
  return changeLayer(writing.store, writing.layer, event, async (change) => {
    const { tx, layer } = change;
    const func = await getFunction(change, funcId);
    const bindings = await bindingsOfFunction(tx, layer, func);
    checkChangeable(func, bindings);
    const { code, displayName, description } = describeFunction(body);
    const isDescribedSo = displayName === func.displayName && description === func.description;
    if (code === func.code && isDescribedSo) return;
    await patchEntity(change, entityRules, {
      kind: "func",
      id: func.id,
      patch: { code, displayName, description },
    });
    if (code === func.code) return;
    await markUsers(change, writing.variants, bindings);
    if (!func.isTransformation) return;
    for (const id of await listThroughFunction(tx, layer, func.id)) change.roots.add(id);
  });
}

/**
 * The id of a function that may be changed for an unlocked variant: itself where it is unlocked, else the variant's
 * copy, which is made once. Throws `functionNotFound`, `variantLocked`.
 */
export function unlockFunction(writing: Writing, funcId: string, schemaVariantId: string): Promise<string> {
  const event = { kind: "function.unlocked", subject: funcId, actor: writing.actor } as const;
  return changeLayer(writing.store, writing.layer, event, async (change) => {
    const { tx, layer } = change;
    const func = await getFunction(change, funcId);
    const variantId = schemaVariantId.toUpperCase();
    const variant = (await findVariants(tx, writing.variants, layer, [variantId])).get(variantId);
    if (variant === undefined) {
      return refuse(
        "invalidRequest",
        "schemaVariantId: expected a variant of this change set, found no such one",
      );
    }
    checkUnlocked(variant);
    const unlocking = unlockingFor(func, variantId, {
      ofSchema: await bindingsOfSchemas(tx, layer, [variant.schemaId]),
      ofFunction: await bindingsOfFunction(tx, layer, func),
    });
    if (unlocking.does === "nothing") return unlocking.funcId;
    if (unlocking.does === "unlock") {
      await patchEntity(change, entityRules, { kind: "func", id: func.id, patch: { isLocked: false } });
      return func.id;
    }
    const { id: _, ...definition } = func;
    const copyId = tx.store.id();
    await createEntities(change, [functionEntity(copyId, { ...definition, isLocked: false })]);
    for (const { id } of unlocking.bindings) {
      await patchEntity(change, entityRules, { kind: "binding", id, patch: { funcId: copyId } });
    }
    return copyId;
  });
}

async function getFunction({ tx, layer }: LayerChange, funcId: string): Promise<StoredFunction> {
  return (await findFunction(tx, layer, funcId)) ?? fail("functionNotFound");
}
