import type { Patch } from "../domain/overlay.ts";
import { type ComponentPair, type ComponentSide, namedIn } from "../domain/review-component.ts";
import { canBeUpgraded } from "../domain/variants.ts";
import { loadPairs, ownRowOf, type Pair, valsOf } from "../store/component-rows.ts";
import { listNames } from "../store/components.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { type Bases, movesOf } from "../store/review.ts";
import type { Definition } from "../store/rules.ts";
import { definitionOf, type ShownComponent, showPairs } from "../store/show.ts";
import type { ComponentTable } from "../store/tables.ts";
import { type Rules, rulesFor } from "./rules.ts";
import { findVariants, listViews, type Variant, type VariantCache, type View } from "./variants.ts";

/** One component on both sides, as a review of the change set compares it; without what the head said when it was edited. */
export async function compareOne(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  componentId: string,
): Promise<ComponentPair | undefined> {
  const compare = await createComparer(reads, cache, layer);
  return (await compare(await loadPairs(reads, layer, [componentId]), new Map()))[0];
}

type Pairs = ReadonlyMap<string, Pair<ComponentTable>>;
/** Compares components, given their rows and what the head said when they were edited; those that no side shows too. */
export type Comparer = (pairs: Pairs, bases: Bases) => Promise<ComponentPair[]>;

/** What both sides show of some components, before what they name is known. */
interface Found {
  readonly id: string;
  readonly pair: Pair<ComponentTable>;
  readonly head: Definition | undefined;
  readonly own: ShownComponent | undefined;
}

/** Makes the comparison of components, with what is the same for all of them at hand. */
export async function createComparer(reads: Reads, cache: VariantCache, layer: Layer): Promise<Comparer> {
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
    return found.map(({ id, pair, head, own }) => ({
      id,
      head: head && sideOf(head, nameIn(pair), valsOf(pair.head), heads, headNames),
      own: own && sideOf(own, own.name, own.vals, owns, ownNames),
      patch: patchIn(pair),
      ...movesOf(bases.get(id), head, pair.own?.op),
    }));
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
  const { exists, componentName, viewName } = namings;
  return {
    name,
    schemaName: schema.name,
    variantId,
    upgradable,
    props,
    settings,
    vals,
    exists,
    componentName,
    viewName,
  };
}
