import type { ActionKind } from "../../src/contract/actions.ts";
import { bindingsFor } from "../domain/bindings.ts";
import type { Binding } from "../domain/functions.ts";
import { listEntities } from "../store/entities.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { entityRules } from "./entity-rules.ts";
import { bindingOf, findFunctions } from "./functions.ts";

/** A component whose actions are looked for. */
export interface ActingComponent {
  readonly id: string;
  readonly schemaId: string;
  readonly variantId: string;
}

/** A binding of an action, which always has a kind. */
export interface ActionBinding extends Binding {
  readonly actionKind: ActionKind;
}

/**
 * The actions at work in components, by component, in ascending order of id; of some kinds only where they are given.
 * Two statements however many components there are, one where their schemas have none.
 */
export async function actionsOf(
  reads: Reads,
  layer: Layer,
  components: readonly ActingComponent[],
  kinds?: readonly ActionKind[],
): Promise<(component: ActingComponent) => readonly ActionBinding[]> {
  const schemaIds = [...new Set(components.map(({ schemaId }) => schemaId))];
  if (schemaIds.length === 0) return () => [];
  const entities = await listEntities(reads, entityRules, layer, { kind: "binding", names: schemaIds });
  const found = entities
    .map((entity) => ({ ...bindingOf(entity), id: entity.id }))
    .filter(
      ({ kind, actionKind }) =>
        kind === "action" && actionKind !== undefined && (kinds === undefined || kinds.includes(actionKind)),
    );
  const functions = await findFunctions(
    reads,
    layer,
    found.map(({ funcId }) => funcId),
  );
  const bindings = found.flatMap((binding): Binding[] => {
    const func = functions.get(binding.funcId);
    return func === undefined ? [] : [{ ...binding, func }];
  });
  return ({ id, schemaId, variantId }) =>
    bindingsFor(bindings, { id: variantId, schemaId }, id).flatMap((binding) =>
      binding.actionKind === undefined ? [] : [{ ...binding, actionKind: binding.actionKind }],
    );
}
