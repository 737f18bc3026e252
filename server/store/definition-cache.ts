import type { OwnRow } from "../domain/overlay.ts";
import type { Stamp } from "./definitions.ts";

/** Settings as one row stores them. */
export type StoredSettings = OwnRow["settings"];

/** What is known of a row, with its revision. */
type Revision = Pick<Stamp, "edit_rev">;

/** Parsed settings by layer, component and `edit_rev`; what a revision says never changes, so any process may keep it. */
export interface DefinitionCache {
  /** Undefined when it is not kept. */
  find(layerId: string, componentId: string, row: Revision): StoredSettings | undefined;
  put(layerId: string, componentId: string, editRev: number, settings: StoredSettings): void;
  /** The stamps of a head's rows at this number of its graph, to be looked up and added to; undefined has no row. */
  head(headId: string, graph: number): Map<string, Stamp | undefined>;
}

/** Settings kept, with their templates: about 20,000 × 3 KB = 60 MB. */
const cacheLimit = 20_000;
/** Stamps kept of one head before it is begun anew, and heads kept at once: about 4 × 20,000 × 300 bytes = 24 MB. */
const stampLimit = 20_000;
const headLimit = 4;

export function createDefinitionCache(limit = cacheLimit): DefinitionCache {
  const kept = new Map<string, StoredSettings>();
  const heads = new Map<
    string,
    { readonly graph: number; readonly stamps: Map<string, Stamp | undefined> }
  >();
  // The stamps of a head are the same objects while its graph stands, and found faster than what is written out.
  const found = new WeakMap<Revision, StoredSettings>();
  const keyOf = (layerId: string, componentId: string, editRev: number): string =>
    `${layerId} ${componentId} ${editRev}`;
  return {
    find: (layerId, componentId, row) => {
      const known = found.get(row);
      if (known !== undefined) return known;
      const settings = kept.get(keyOf(layerId, componentId, row.edit_rev));
      if (settings !== undefined) found.set(row, settings);
      return settings;
    },
    put: (layerId, componentId, editRev, settings) => {
      if (kept.size >= limit) {
        // The oldest quarter goes at once, so that making room costs next to nothing per entry.
        for (const key of [...kept.keys()].slice(0, Math.ceil(limit / 4))) kept.delete(key);
      }
      kept.set(keyOf(layerId, componentId, editRev), settings);
    },
    head: (headId, graph) => {
      const known = heads.get(headId);
      if (known?.graph === graph && known.stamps.size < stampLimit) return known.stamps;
      heads.delete(headId);
      // The one that was begun first goes.
      for (const oldest of [...heads.keys()].slice(0, Math.max(0, heads.size - headLimit + 1)))
        heads.delete(oldest);
      const stamps = new Map<string, Stamp | undefined>();
      heads.set(headId, { graph, stamps });
      return stamps;
    },
  };
}
