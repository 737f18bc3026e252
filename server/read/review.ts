import type { ComponentReview, DroppedEdits, Review } from "../../src/contract/review.ts";
import { reviewPair } from "../domain/review-component.ts";
import { orphanedAttributes } from "../domain/review-dropped.ts";
import { loadPairs, ownRowOf, type Pair } from "../store/component-rows.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { listBereft, listOwnEntities, pageOwnRows } from "../store/review.ts";
import { hasRoots } from "../store/roots.ts";
import type { ComponentTable } from "../store/tables.ts";
import { reviewEntities } from "./review-entities.ts";
import { createComparer } from "./review-pairs.ts";
import type { VariantCache } from "./variants.ts";

/** Components compared between two turns of the event loop: about 20 ms of work. */
const pageSize = 250;

/** Everything that a change set changes against the head; costs what the change set holds, not what the head does. */
export async function reviewOf(reads: Reads, cache: VariantCache, layer: Layer): Promise<Omit<Review, "at">> {
  const compare = await createComparer(reads, cache, layer);
  const components: ComponentReview[] = [];
  const dropped: DroppedEdits[] = [];
  // Components without a row of their own are met once for each that was erased from under them.
  const seen = new Set<string>();
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page = await pageOwnRows(reads, layer, { after, limit: pageSize });
    const erased = [...page.pairs].filter(([, { own }]) => own?.op === "del").map(([id]) => id);
    const bereft = (await listBereft(reads, layer, erased)).filter((id) => !seen.has(id));
    for (const id of bereft) seen.add(id);
    const others = [...(await loadPairs(reads, layer, bereft))].filter(([, { own }]) => own === undefined);
    for (const pair of await compare(new Map([...page.pairs, ...others]), page.bases)) {
      const one = reviewPair(pair);
      if (one.review !== undefined) components.push(one.review);
      if (one.dropped !== undefined) dropped.push(one.dropped);
    }
    dropped.push(...[...page.pairs.values()].flatMap((pair) => orphanOf(pair) ?? []));
    after = page.next;
    // SQLite answers at once, so without this no socket would be served meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const entities = await reviewEntities(reads, layer, await listOwnEntities(reads, layer));
  return {
    components: inOrder(components),
    entities,
    dropped,
    summary: summaryOf(components, dropped),
    pending: (await hasRoots(reads, layer.id)) || (await hasRoots(reads, layer.headId)),
  };
}

/** What was edited of a component that the head has removed. */
function orphanOf({ head, own }: Pair<ComponentTable>): DroppedEdits | undefined {
  if (head !== undefined || own?.op !== "edit") return undefined;
  const attributes = orphanedAttributes(ownRowOf(own)?.settings ?? {}, own.variant_id !== null);
  return (
    attributes && {
      componentId: own.id,
      componentName: own.name ?? "",
      componentRemoved: true,
      attributes: attributes.map(({ pointer }) => pointer),
    }
  );
}

const ranks: Readonly<Record<string, number>> = { Added: 0, Modified: 1, Removed: 2 };

/** What was added comes first, then what was modified, then what was removed; each in the order of its making. */
const inOrder = (components: readonly ComponentReview[]): ComponentReview[] =>
  [...components].sort((a, b) => {
    const rank = (ranks[a.diffStatus] ?? 0) - (ranks[b.diffStatus] ?? 0);
    return rank !== 0 ? rank : a.componentId < b.componentId ? -1 : 1;
  });

function summaryOf(
  components: readonly ComponentReview[],
  dropped: readonly DroppedEdits[],
): Review["summary"] {
  const count = (status: string): number =>
    components.filter(({ diffStatus }) => diffStatus === status).length;
  return {
    totalComponents: components.length,
    added: count("Added"),
    modified: count("Modified"),
    removed: count("Removed"),
    attributes: components.reduce((sum, one) => sum + Object.keys(one.attributeDiffs).length, 0),
    headMoved: new Set(
      [...components.filter(({ headMoved }) => headMoved), ...dropped].map((one) => one.componentId),
    ).size,
  };
}
