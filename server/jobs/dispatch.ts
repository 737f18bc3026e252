import { dispatchable } from "../domain/dispatch.ts";
import { actionsInOrder } from "../read/action-list.ts";
import { dispatchActions, findMarked } from "../store/dispatch.ts";
import { changeHead } from "../store/head-changes.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads, Store } from "../store/open.ts";
import { downstream } from "../store/propagation-plan.ts";
import { listRoots } from "../store/roots.ts";
import type { JobHandler } from "./handlers.ts";

/** Lets the actions of a head begin for which nothing is left to wait; each is then a job of its own. */
export const dispatchJob =
  (store: Store): JobHandler =>
  async (headId) => {
    await changeHead(store, { headId, graph: 0 }, async (change) => {
      const { tx, layer: head } = change;
      const ids = await findDispatchable(tx, head);
      if (ids.length === 0) return;
      await dispatchActions(tx, head, ids);
      change.saved();
    });
  };

/** Ids of the head's actions that may begin now. */
async function findDispatchable(reads: Reads, head: Layer): Promise<string[]> {
  const { actions, blockers } = await actionsInOrder(reads, head);
  const waiting = actions.filter(({ state }) => state === "Pending");
  if (waiting.length === 0) return [];
  const components = [...new Set(waiting.flatMap(({ componentId }) => componentId ?? []))];
  return dispatchable(actions, {
    blockers,
    computing: await computedBehind(reads, head),
    marked: await findMarked(reads, head.id, components),
  });
}

/** The components whose values may still change: the head's roots and all that read from them. */
async function computedBehind(reads: Reads, head: Layer): Promise<ReadonlySet<string>> {
  const from = await listRoots(reads, head.id);
  const readers = [...(await downstream(reads, head, from)).values()].flat();
  return new Set([...from, ...readers.map(({ subscriber }) => subscriber)]);
}
