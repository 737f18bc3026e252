import type { OwnRow } from "../domain/overlay.ts";

/** Settings as one row stores them. */
export type StoredSettings = OwnRow["settings"];

/** Parsed settings by layer, component and `edit_rev`; what a revision says never changes, so any process may keep it. */
export interface DefinitionCache {
  /** Undefined when it is not kept. */
  find(layerId: string, componentId: string, editRev: number): StoredSettings | undefined;
  put(layerId: string, componentId: string, editRev: number, settings: StoredSettings): void;
}

/** Settings kept: about 20,000 × 2 KB = 40 MB. */
const cacheLimit = 20_000;

export function createDefinitionCache(limit = cacheLimit): DefinitionCache {
  const kept = new Map<string, StoredSettings>();
  const keyOf = (layerId: string, componentId: string, editRev: number): string =>
    `${layerId} ${componentId} ${editRev}`;
  return {
    find: (layerId, componentId, editRev) => kept.get(keyOf(layerId, componentId, editRev)),
    put: (layerId, componentId, editRev, settings) => {
      if (kept.size >= limit) {
        // The oldest quarter goes at once, so that making room costs next to nothing per entry.
        for (const key of [...kept.keys()].slice(0, Math.ceil(limit / 4))) kept.delete(key);
      }
      kept.set(keyOf(layerId, componentId, editRev), settings);
    },
  };
}
