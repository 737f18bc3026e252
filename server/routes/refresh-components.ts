import { actionsOf } from "../read/action-bindings.ts";
import { rulesFor } from "../read/rules.ts";
import { changeActions } from "../store/action-changes.ts";
import { isRunning, listActionsOf, queueActions } from "../store/actions.ts";
import { componentsWithResource } from "../store/resources.ts";
import type { Writing } from "./change-component.ts";
import { newAction } from "./queue-actions.ts";

/**
 * Queues a Refresh of every component with a resource that has such a function, unless one waits already; in the head
 * they run at once. Returns how many were queued.
 */
export function refreshComponents({ store, variants, layer, actor }: Writing): Promise<number> {
  return changeActions(store, layer, { kind: "component.refreshed", actor }, async (change) => {
    const { tx } = change;
    let count = 0;
    for await (const components of componentsWithResource(tx, rulesFor(tx, variants), change.layer)) {
      const living = components.filter(({ toDelete }) => !toDelete);
      const bound = await actionsOf(tx, change.layer, living, ["Refresh"]);
      const queued = await listActionsOf(
        tx,
        change.layer,
        living.map(({ id }) => id),
      );
      const waiting = new Set(
        queued
          .filter((action) => !isRunning(action))
          .map(({ componentId, prototypeId }) => `${componentId} ${prototypeId}`),
      );
      const wanted = living.flatMap((component) =>
        bound(component)
          .filter(({ id }) => !waiting.has(`${component.id} ${id}`))
          .map((binding) => newAction(component.id, binding)),
      );
      if (wanted.length > 0) await queueActions(change, wanted);
      count += wanted.length;
    }
    return count;
  });
}
