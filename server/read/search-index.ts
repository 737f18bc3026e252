import { type Shown, show } from "../domain/pages.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { searchRevisions } from "../store/search.ts";
import { mendStale } from "./search-mend.ts";
import { SearchReader } from "./search-reader.ts";
import { type Indexed, type IndexedRow, LayerRows, Shapes } from "./search-rows.ts";
import { type SearchedVariant, SearchedVariants } from "./search-variants.ts";
import type { VariantCache } from "./variants.ts";

/** What a layer shows at one moment, ready to be searched; never changed. */
export interface SearchView {
  /** Graph revisions of that moment. */
  readonly head: number;
  readonly own: number;
  /** In ascending order of id. */
  readonly components: readonly Indexed[];
  readonly variants: ReadonlyMap<string, SearchedVariant>;
  /** Components whose values are not what was sealed: with one of them nothing can be searched. */
  readonly broken: readonly string[];
}

/** Bytes that all that is kept may take, about: 100,000 components with 1 kB of values each are some 240 MB. */
const defaultLimit = 256 * 1024 * 1024;
/** Change sets of one head whose rows are kept. */
const maximumSets = 50;

/**
 * The values of components in memory, brought up to date by revision before every search, so that it is never behind
 * what is committed, whichever process wrote it. Kept per head, with the rows of the change sets over it.
 */
export class SearchIndex {
  readonly #limit: number;
  /** The one used last comes last. */
  readonly #families = new Map<string, Family>();

  constructor(limit = defaultLimit) {
    this.#limit = limit;
  }

  /** What the layer shows: nothing that was committed before the call is missing. */
  async view(reads: Reads, cache: VariantCache, layer: Layer): Promise<SearchView> {
    const family = last(this.#families, layer.headId, () => new Family());
    const view = await family.view(reads, cache, layer);
    let weight = [...this.#families.values()].reduce((sum, one) => sum + one.weight, 0);
    for (const [headId, one] of this.#families) {
      if (weight <= this.#limit || one === family) break;
      weight -= one.weight;
      this.#families.delete(headId);
    }
    return view;
  }
}

/** One head and the change sets over it. */
class Family {
  readonly #head = new LayerRows();
  /** The one used last comes last. */
  readonly #sets = new Map<string, LayerRows>();
  readonly #views = new Map<string, SearchView>();
  readonly #shapes = new Shapes();
  readonly #reader = new SearchReader(this.#shapes);
  readonly #variants = new SearchedVariants();
  /** One reads at a time. */
  #reading: Promise<unknown> = Promise.resolve();

  /** Bytes, about. */
  get weight(): number {
    return [...this.#sets.values()].reduce((sum, rows) => sum + rows.weight, this.#head.weight);
  }

  async view(reads: Reads, cache: VariantCache, layer: Layer): Promise<SearchView> {
    const now = await searchRevisions(reads, layer);
    const upToDate = (): SearchView | undefined => {
      const known = this.#views.get(layer.id);
      return known !== undefined && known.head >= now.head && known.own >= now.own ? known : undefined;
    };
    const known = upToDate();
    if (known !== undefined) return known;
    const reading = this.#reading.then(() => upToDate() ?? this.#refresh(reads, cache, layer));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #refresh(reads: Reads, cache: VariantCache, layer: Layer): Promise<SearchView> {
    const rows = { head: this.#head, own: this.#rowsOf(layer) };
    const { head, own } = await this.#reader.catchUp(reads, cache, layer, rows);
    const merged = merge(rows.head, rows.own);
    const { broken, stale } = merged;
    const mended = await mendStale(reads, cache, layer, this.#shapes, broken.length === 0 ? stale : []);
    const components =
      stale.length === 0 ? merged.components : merged.components.flatMap((one) => mended(one) ?? []);
    const variants = await this.#variants.load(reads, cache, layer, components);
    const view = { head: head.graphRev, own: own.graphRev, components, variants, broken };
    this.#views.set(layer.id, view);
    this.#tidy();
    return view;
  }

  #rowsOf(layer: Layer): LayerRows {
    return layer.id === layer.headId ? this.#head : last(this.#sets, layer.id, () => new LayerRows());
  }

  #tidy(): void {
    for (const id of this.#sets.keys()) {
      if (this.#sets.size <= maximumSets) break;
      this.#sets.delete(id);
      this.#views.delete(id);
    }
    const rows = [...this.#sets.values()].reduce((sum, one) => sum + one.size, this.#head.size);
    // Most of them are of values that have changed since.
    if (this.#shapes.size > 2 * rows + maximumSets) this.#shapes.clear();
  }
}

/** What two layers show together, those that must be merged again as they were; all by the rules of lists. */
interface MergedRows {
  readonly components: readonly Indexed[];
  readonly stale: readonly string[];
  readonly broken: readonly string[];
}

function merge(head: LayerRows, own: LayerRows): MergedRows {
  const broken: string[] = [];
  const stale: string[] = [];
  if (own === head || own.size === 0) {
    for (const row of head.sorted()) if (!row.sealed) broken.push(row.id);
    return { components: head.sorted(), stale, broken };
  }
  const note = (one: Shown<IndexedRow>): Indexed => {
    if (one.stale) stale.push(one.id);
    if (!one.row.sealed || (one.stale && one.head?.sealed === false)) broken.push(one.id);
    return one.own === undefined ? one.row : { ...one.row, diff: one.diff };
  };
  const components: Indexed[] = [];
  const add = (id: string, headRow: IndexedRow | undefined, ownRow: IndexedRow | undefined): void => {
    const one = show(id, headRow, ownRow);
    if (one !== undefined) components.push(note(one));
  };
  const owns = own.sorted();
  let next = 0;
  for (const row of head.sorted()) {
    for (let one = owns[next]; one !== undefined && one.id < row.id; one = owns[++next])
      add(one.id, undefined, one);
    if (owns[next]?.id === row.id) add(row.id, row, owns[next++]);
    else {
      if (!row.sealed) broken.push(row.id);
      components.push(row);
    }
  }
  for (let one = owns[next]; one !== undefined; one = owns[++next]) add(one.id, undefined, one);
  return { components, stale, broken };
}

/** The member under a key, made when it is missing; it becomes the last one. */
function last<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key) ?? make();
  map.delete(key);
  map.set(key, found);
  return found;
}
