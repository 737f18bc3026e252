import { isImported } from "../domain/auto-actions.ts";
import { hasResource } from "../domain/component.ts";
import { type ActionBinding, actionsOf } from "../read/action-bindings.ts";
import { isRunning, listActionsOf, type NewAction, queueActions } from "../store/actions.ts";
import type { Layer, LayerChange } from "../store/layer.ts";
import { findNeededAmong } from "../store/needed.ts";
import type { Reads } from "../store/open.ts";
import type { ComponentRules } from "../store/rules.ts";
import type { ShownComponent } from "../store/show.ts";

/** The action that a binding makes for a component. */
export const newAction = (componentId: string, { id, actionKind, func }: ActionBinding): NewAction => ({
  componentId,
  prototypeId: id,
  kind: actionKind,
  name: func.name,
  description: func.displayName ?? undefined,
});

/**
 * Queues what makes the resources of components that were just created: their Create functions. One that has a resource
 * needs none; one that was given the id of a resource is refreshed instead where it can be, unless it is a copy.
 */
export async function queueCreations(
  change: LayerChange,
  components: readonly ShownComponent[],
  { areCopies = false }: { readonly areCopies?: boolean } = {},
): Promise<void> {
  const { tx, layer } = change;
  const made = components.filter(({ vals }) => !hasResource(vals));
  const bound = await actionsOf(tx, layer, made, ["Create", "Refresh"]);
  const wanted = made.flatMap((component) => {
    const of = (kind: string): ActionBinding[] =>
      bound(component).filter(({ actionKind }) => actionKind === kind);
    const refreshes = !areCopies && isImported(component.vals) ? of("Refresh") : [];
    const chosen = refreshes.length > 0 ? refreshes : of("Create");
    return chosen.map((binding) => newAction(component.id, binding));
  });
  if (wanted.length > 0) await queueActions(change, wanted);
}

/**
 * The Updates that components with resources need: where their schema has exactly one, and none of what brings the
 * resource about or to its end waits already, whatever its state.
 */
export async function updatesOf(
  reads: Reads,
  layer: Layer,
  components: readonly Pick<ShownComponent, "id" | "schemaId" | "variantId">[],
): Promise<NewAction[]> {
  const bound = await actionsOf(reads, layer, components, ["Update"]);
  const able = components.filter((component) => bound(component).length === 1);
  const queued = await listActionsOf(
    reads,
    layer,
    able.map(({ id }) => id),
  );
  const waiting = new Set(
    queued
      .filter((action) => !isRunning(action) && ["Create", "Update", "Destroy"].includes(action.kind))
      .map(({ componentId }) => componentId),
  );
  return able
    .filter(({ id }) => !waiting.has(id))
    .flatMap((component) =>
      bound(component).map((binding) => ({ ...newAction(component.id, binding), isAuto: true })),
    );
}

/**
 * Queues the Destroy of a component that was just marked for deletion, where there is something to destroy: it or one
 * that reads from it has a resource, or the head is about to make it one.
 */
export async function queueDestroy(
  change: LayerChange,
  rules: ComponentRules,
  marked: ShownComponent,
): Promise<void> {
  const { tx, layer } = change;
  const bound = await actionsOf(tx, layer, [marked], ["Destroy"]);
  const destroys = bound(marked);
  if (destroys.length === 0) return;
  const queued = await listActionsOf(tx, layer, [marked.id]);
  const isNeeded =
    hasResource(marked.vals) ||
    queued.some(({ origin }) => origin !== layer.id) ||
    (await findNeededAmong(tx, rules, layer, [marked.id])).size > 0;
  if (!isNeeded) return;
  const waiting = new Set(
    queued.filter((action) => !isRunning(action)).map(({ prototypeId }) => prototypeId),
  );
  const wanted = destroys.filter(({ id }) => !waiting.has(id));
  if (wanted.length === 0) return;
  await queueActions(
    change,
    wanted.map((binding) => newAction(marked.id, binding)),
  );
}
