import { makesOther } from "../domain/auto-actions.ts";
import { isMarked } from "../domain/overlay.ts";
import { holdsResource } from "../read/rules.ts";
import type { FollowUp } from "../store/propagation-commit.ts";
import { settleUpdates } from "./settle-updates.ts";

/**
 * Queues the Updates that follow from what components read: of those with a resource that is made of other values than
 * a moment ago, and than in the head; takes back those of which nothing is left. Costs next to nothing where no
 * component has a resource.
 */
export const queueDerivedUpdates: FollowUp = async (tx, layer, written, dropped) => {
  const holders = written
    .filter(({ definition: { settings } }) => holdsResource(settings) && !isMarked(settings))
    .map(({ definition, vals }) => ({ ...definition, vals: JSON.parse(vals) }));
  if (holders.length === 0 && dropped.length === 0) return;
  // The propagation itself moves the layer's revision.
  const change = { tx, layer, roots: new Set<string>(), saved: () => {} };
  await settleUpdates(change, holders, ({ vals }, { shown }) => makesOther(shown, vals), dropped);
};
