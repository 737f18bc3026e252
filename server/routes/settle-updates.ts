import { makesOther } from "../domain/auto-actions.ts";
import type { Vals } from "../domain/values.ts";
import { queueActions } from "../store/actions.ts";
import { forgetIdleActions, idleActions, listAutoActions } from "../store/auto-actions.ts";
import { loadPairs, valsOf } from "../store/component-rows.ts";
import type { LayerChange } from "../store/layer.ts";
import type { ShownComponent } from "../store/show.ts";
import { updatesOf } from "./queue-actions.ts";

/** A component with a resource as a change set shows it from now on. */
export type Valued = Pick<ShownComponent, "id" | "schemaId" | "variantId"> & { readonly vals: Vals };

/** A component's values before a write, as the layer and as the head show them; undefined where it shows none. */
export interface Past {
  readonly shown: Vals;
  readonly head: Vals | undefined;
}

/**
 * Queues the Updates of components with resources whose values make something else of the resource than the head's do,
 * where `asks` says that the write calls for one, or where one was taken off the queue before; takes off those that
 * were queued so of components that make nothing else, and of `dropped`, which show the head's values.
 */
export async function settleUpdates(
  change: LayerChange,
  components: readonly Valued[],
  asks: (component: Valued, past: Past) => boolean,
  dropped: readonly string[] = [],
): Promise<void> {
  const { tx, layer } = change;
  const ids = components.map(({ id }) => id);
  const queued = await listAutoActions(tx, layer.id, [...ids, ...dropped]);
  const pairs = await loadPairs(tx, layer, ids);
  const gone = new Set(dropped);
  const idle = new Set(queued.filter(({ isIdle }) => isIdle).map(({ componentId }) => componentId));
  const changed: Valued[] = [];
  for (const component of components) {
    const { head, own } = pairs.get(component.id) ?? {};
    const past: Past = { shown: valsOf(own ?? head), head: head && valsOf(head) };
    if (past.head !== undefined && !makesOther(past.head, component.vals)) gone.add(component.id);
    else if (idle.has(component.id) || asks(component, past)) changed.push(component);
  }
  await idleActions(
    change,
    queued.filter(({ componentId, row }) => gone.has(componentId) && row.state === "Pending"),
  );
  if (changed.length === 0) return;
  const wanted = await updatesOf(tx, layer, changed);
  const again = new Set(changed.map(({ id }) => id));
  await forgetIdleActions(
    change,
    queued.filter(({ componentId }) => again.has(componentId)),
  );
  if (wanted.length > 0) await queueActions(change, wanted);
}

/** Takes the Update off the queue that values of a component asked for which have just gone, where nothing is left. */
export async function takeBackUpdates(change: LayerChange, componentId: string): Promise<void> {
  const { tx, layer } = change;
  const queued = await listAutoActions(tx, layer.id, [componentId]);
  if (queued.length === 0) return;
  const { head, own } = (await loadPairs(tx, layer, [componentId])).get(componentId) ?? {};
  if (head === undefined || makesOther(valsOf(head), valsOf(own ?? head))) return;
  await idleActions(
    change,
    queued.filter(({ row }) => row.state === "Pending"),
  );
}
