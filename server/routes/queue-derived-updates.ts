import { makesOther } from "../domain/auto-actions.ts";
import { isMarked } from "../domain/overlay.ts";
import { holdsResource } from "../read/rules.ts";
import { queueActions } from "../store/actions.ts";
import { loadPairs, valsOf } from "../store/component-rows.ts";
import type { FollowUp } from "../store/propagation-commit.ts";
import { updatesOf } from "./queue-actions.ts";

/**
 * Queues the Updates that follow from what components read: of those with a resource that is made of other values than
 * a moment ago, and than in the head. Costs nothing where none of them has a resource.
 */
export const queueDerivedUpdates: FollowUp = async (tx, layer, written) => {
  const holders = written.filter(
    ({ definition: { settings } }) => holdsResource(settings) && !isMarked(settings),
  );
  if (holders.length === 0) return;
  const pairs = await loadPairs(
    tx,
    layer,
    holders.map(({ definition }) => definition.id),
  );
  const changed = holders.filter(({ definition, vals }) => {
    const { head, own } = pairs.get(definition.id) ?? {};
    const after = JSON.parse(vals);
    return makesOther(valsOf(own ?? head), after) && (head === undefined || makesOther(valsOf(head), after));
  });
  const wanted = await updatesOf(
    tx,
    layer,
    changed.map(({ definition }) => definition),
  );
  // The propagation itself moves the layer's revision.
  if (wanted.length > 0) await queueActions({ tx, layer, roots: new Set(), saved: () => {} }, wanted);
};
