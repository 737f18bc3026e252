import { makesAnother, makesOther } from "../domain/auto-actions.ts";
import { isMarked } from "../domain/overlay.ts";
import { holdsResource } from "../read/rules.ts";
import type { FollowUp } from "../store/propagation-commit.ts";
import { type Past, settleUpdates, type Valued } from "./settle-updates.ts";

/**
 * Queues the Updates that follow from what components read: of those with a resource that is made of other values than
 * a moment ago, and than in the head; what is new has to have had a value first. Takes back those of which nothing is
 * left. Costs next to nothing where no component has a resource.
 */
export const queueDerivedUpdates: FollowUp = async (tx, layer, written, dropped) => {
  const holders = written
    .filter(({ definition: { settings } }) => holdsResource(settings) && !isMarked(settings))
    .map(({ definition, vals }) => ({ ...definition, vals: JSON.parse(vals) }));
  if (holders.length === 0 && dropped.length === 0) return;
  // The propagation itself moves the layer's revision.
  const change = { tx, layer, roots: new Set<string>(), saved: () => {} };
  const asks = ({ vals }: Valued, { shown, head }: Past): boolean =>
    head === undefined ? makesAnother(shown, vals) : makesOther(shown, vals);
  await settleUpdates(change, holders, asks, dropped);
};
