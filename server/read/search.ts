import { fail } from "../../src/contract/errors.ts";
import { compileSearch, countTests } from "../domain/search-match.ts";
import type { SearchQuery } from "../domain/search-query.ts";
import { asciiLower } from "../domain/search-text.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import type { SearchIndex, SearchView } from "./search-index.ts";
import type { VariantCache } from "./variants.ts";

/** What is looked for: all of it must fit. */
export interface SearchWanted {
  readonly query: SearchQuery;
  /** In any ASCII letter case. */
  readonly schemaName?: string | undefined;
  readonly category?: string | undefined;
  readonly upgradable?: boolean | undefined;
}

/** One component that was found. */
export interface SearchHit {
  readonly id: string;
  readonly name: string;
  readonly schemaName: string;
}

/** What searching needs besides the store. */
export interface SearchTools {
  readonly variants: VariantCache;
  readonly search: SearchIndex;
}

/** Tests of components between two turns of the event loop: about 10 ms of work. */
const batchSize = 100_000;

/** The components that fit, in ascending order of id. Throws `searchIndexInvalid`. */
export async function searchComponents(
  reads: Reads,
  { variants, search }: SearchTools,
  layer: Layer,
  wanted: SearchWanted,
): Promise<SearchHit[]> {
  const view = await search.view(reads, variants, layer);
  refuseBroken(view);
  const match = compileSearch(wanted.query);
  const allowed = allowedVariants(view, wanted);
  const batch = Math.max(1, Math.floor(batchSize / (1 + countTests(wanted.query))));
  const hits: SearchHit[] = [];
  const { components } = view;
  for (let from = 0; from < components.length; from += batch) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve));
    const to = Math.min(from + batch, components.length);
    for (let index = from; index < to; index++) {
      const component = components[index];
      if (component === undefined) continue;
      const { id, name, variantId } = component;
      const known = allowed.get(variantId);
      if (known !== undefined && match(component, known.facts)) {
        hits.push({ id, name, schemaName: known.variant.schema.name });
      }
    }
  }
  return hits;
}

/** The variants whose components may be found. */
function allowedVariants(view: SearchView, wanted: SearchWanted): SearchView["variants"] {
  const { category, upgradable } = wanted;
  const schemaName = wanted.schemaName === undefined ? undefined : asciiLower(wanted.schemaName);
  if (schemaName === undefined && category === undefined && upgradable === undefined) return view.variants;
  return new Map(
    [...view.variants].filter(
      ([, { variant, facts }]) =>
        (schemaName === undefined || facts.lowerSchema === schemaName) &&
        (category === undefined || variant.schema.category === category) &&
        (upgradable === undefined || facts.upgradable === upgradable),
    ),
  );
}

function refuseBroken({ broken }: SearchView): void {
  const [first, ...others] = broken;
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  fail(
    "searchIndexInvalid",
    `the search index of the change set is missing or invalid at component ${first}${more}; the operator mends it with svc server reindex`,
  );
}
