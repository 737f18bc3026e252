import type { ComponentReview, Review } from "../../src/contract/review.ts";
import type { Patch } from "../domain/overlay.ts";
import { type ComponentSide, namedIn, reviewComponent } from "../domain/review-component.ts";
import { canBeUpgraded } from "../domain/variants.ts";
import { loadPairs, ownRowOf, type Pair, valsOf } from "../store/component-rows.ts";
import { listNames } from "../store/components.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { type Bases, listBereft, listOwnEntities, movesOf, pageOwnRows } from "../store/review.ts";
import { hasRoots } from "../store/roots.ts";
import type { Definition } from "../store/rules.ts";
import { definitionOf, type ShownComponent, showPairs } from "../store/show.ts";
import type { ComponentTable } from "../store/tables.ts";
import { reviewEntity } from "./review-entities.ts";
import { type Rules, rulesFor } from "./rules.ts";
import { findVariants, listViews, type Variant, type VariantCache, type View } from "./variants.ts";

/** Components compared between two turns of the event loop: about 20 ms of work. */
const pageSize = 250;

/** Everything that a change set changes against the head; costs what the change set holds, not what the head does. */
export async function reviewOf(reads: Reads, cache: VariantCache, layer: Layer): Promise<Omit<Review, "at">> {
  const reviewer = await createReviewer(reads, cache, layer);
  const components: ComponentReview[] = [];
  // Components without a row of their own are met once for each that was erased from under them.
  const seen = new Set<string>();
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page = await pageOwnRows(reads, layer, { after, limit: pageSize });
    const erased = [...page.pairs].filter(([, { own }]) => own?.op === "del").map(([id]) => id);
    const bereft = (await listBereft(reads, layer, erased)).filter((id) => !seen.has(id));
    for (const id of bereft) seen.add(id);
    const others = [...(await loadPairs(reads, layer, bereft))].filter(([, { own }]) => own === undefined);
    components.push(...(await reviewer(new Map([...page.pairs, ...others]), page.bases)));
    after = page.next;
    // SQLite answers at once, so without this no socket would be served meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const entities = (await listOwnEntities(reads, layer)).flatMap((pair) => reviewEntity(pair) ?? []);
  return {
    components: inOrder(components),
    entities,
    summary: summaryOf(components),
    pending: (await hasRoots(reads, layer.id)) || (await hasRoots(reads, layer.headId)),
  };
}

const ranks: Readonly<Record<string, number>> = { Added: 0, Modified: 1, Removed: 2 };

/** What was added comes first, then what was modified, then what was removed; each in the order of its making. */
const inOrder = (components: readonly ComponentReview[]): ComponentReview[] =>
  [...components].sort((a, b) => {
    const rank = (ranks[a.diffStatus] ?? 0) - (ranks[b.diffStatus] ?? 0);
    return rank !== 0 ? rank : a.componentId < b.componentId ? -1 : 1;
  });

function summaryOf(components: readonly ComponentReview[]): Review["summary"] {
  const count = (status: string): number =>
    components.filter(({ diffStatus }) => diffStatus === status).length;
  return {
    totalComponents: components.length,
    added: count("Added"),
    modified: count("Modified"),
    removed: count("Removed"),
    attributes: components.reduce((sum, one) => sum + Object.keys(one.attributeDiffs).length, 0),
    headMoved: components.filter(({ headMoved }) => headMoved).length,
  };
}

type Pairs = ReadonlyMap<string, Pair<ComponentTable>>;
type Reviewer = (pairs: Pairs, bases: Bases) => Promise<ComponentReview[]>;

/** What both sides show of some components, before what they name is known. */
interface Found {
  readonly id: string;
  readonly pair: Pair<ComponentTable>;
  readonly head: Definition | undefined;
  readonly own: ShownComponent | undefined;
}

/** Makes the comparison of components, with what is the same for all of them at hand. */
async function createReviewer(reads: Reads, cache: VariantCache, layer: Layer): Promise<Reviewer> {
  const rules = rulesFor(reads, cache);
  const headLayer: Layer = { ...layer, id: layer.headId };
  const [headViews, ownViews] = [await listViews(reads, headLayer), await listViews(reads, layer)];
  const [headVariants, ownVariants] = [variantsIn(headLayer), variantsIn(layer)];

  function variantsIn(where: Layer): (ids: readonly string[]) => Promise<ReadonlyMap<string, Variant>> {
    const known = new Map<string, Variant>();
    return async (ids) => {
      const missing = [...new Set(ids)].filter((id) => !known.has(id));
      if (missing.length > 0) {
        for (const [id, variant] of await findVariants(reads, cache, where, missing)) known.set(id, variant);
      }
      return known;
    };
  }

  async function namesIn(where: Layer, ids: readonly string[], views: readonly View[]): Promise<Namings> {
    const names = await listNames(reads, rules, where, [...new Set(ids)]);
    const viewNames = new Map(views.map(({ id, name }) => [id, name]));
    return {
      exists: (id) => names.has(id),
      componentName: (id) => names.get(id),
      viewName: (id) => viewNames.get(id),
    };
  }

  return async (pairs, bases) => {
    const found = await findBoth(rules, layer, pairs);
    const heads = await headVariants(found.flatMap(({ head }) => head?.variantId ?? []));
    const owns = await ownVariants(found.flatMap(({ own }) => own?.variantId ?? []));
    const others = found.flatMap(({ head, own }) => [
      ...namedIn(head?.settings ?? {}),
      ...namedIn(own?.settings ?? {}),
    ]);
    const headNames = await namesIn(headLayer, others, headViews);
    const ownNames = await namesIn(layer, others, ownViews);
    return found.flatMap(({ id, pair, head, own }) => {
      const review = reviewComponent({
        id,
        head: head && sideOf(head, nameIn(pair), valsOf(pair.head), heads, headNames),
        own: own && sideOf(own, own.name, own.vals, owns, ownNames),
        patch: patchIn(pair),
        ...movesOf(bases.get(id), head?.settings, pair.own?.op),
      });
      return review ?? [];
    });
  };
}

const nameIn = ({ head }: Pair<ComponentTable>): string => head?.name ?? "";

/** What the change set says of a component: nothing where only its values follow from others. */
function patchIn({ own }: Pair<ComponentTable>): Patch | undefined {
  if (own?.op === "del") return undefined;
  return ownRowOf(own)?.settings ?? {};
}

async function findBoth(rules: Rules, layer: Layer, pairs: Pairs): Promise<Found[]> {
  const shown = await showPairs(rules, layer, pairs);
  return [...pairs].map(([id, pair]) => ({
    id,
    pair,
    head: definitionOf(rules, id, { head: pair.head, own: undefined }),
    own: shown.get(id),
  }));
}

type Namings = Pick<ComponentSide, "exists" | "componentName" | "viewName">;

function sideOf(
  { variantId, settings }: Definition,
  name: string,
  vals: ShownComponent["vals"],
  variants: ReadonlyMap<string, Variant>,
  namings: Namings,
): ComponentSide | undefined {
  const variant = variants.get(variantId);
  if (variant === undefined) return undefined;
  const { props, schema } = variant;
  const upgradable = canBeUpgraded(schema, variantId);
  return { ...namings, name, schemaName: schema.name, variantId, upgradable, props, settings, vals };
}
