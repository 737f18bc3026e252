import type { OwnRow } from "../domain/overlay.ts";
import { HeadMemory } from "./head-memory.ts";
import { OwnStamps } from "./own-stamps.ts";

/** Settings as one row stores them. */
export type StoredSettings = OwnRow["settings"];

/** Parsed settings by layer, component and `edit_rev`; what a revision says never changes, so any process may keep it. */
export interface DefinitionCache {
  /** Undefined when it is not kept. */
  find(layerId: string, componentId: string, editRev: number): StoredSettings | undefined;
  put(layerId: string, componentId: string, editRev: number, settings: StoredSettings): void;
  /** What is known of a head at this number of its graph. */
  head(headId: string, graph: number): HeadMemory;
  /** What is known of a change set's own rows: only who has taken it knows, until it is given back. */
  takeOwn(layerId: string): OwnStamps;
  giveOwn(layerId: string, own: OwnStamps): void;
}

/** Settings kept, with their templates: about 20,000 × 3 KB = 60 MB. */
const cacheLimit = 20_000;
/** Components and readers known of other heads when one is begun; {@link HeadMemory} bounds its own. */
const othersLimit = 20_000;
/** Change sets whose own rows are known: 16 × 2,000 × 300 bytes = 10 MB. */
const ownLimit = 16;

export function createDefinitionCache(limit = cacheLimit): DefinitionCache {
  const kept = new Map<string, StoredSettings>();
  const heads = new Map<string, { readonly graph: number; readonly memory: HeadMemory }>();
  const owns = new Map<string, OwnStamps>();
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
    head: (headId, graph) => {
      const known = heads.get(headId);
      if (known?.graph === graph && !known.memory.isFull) return known.memory;
      heads.delete(headId);
      // Those that were begun first go, until there is room.
      let size = 0;
      for (const { memory } of heads.values()) size += memory.size;
      for (const [id, { memory }] of heads) {
        if (size < othersLimit) break;
        heads.delete(id);
        size -= memory.size;
      }
      const memory = new HeadMemory();
      heads.set(headId, { graph, memory });
      return memory;
    },
    takeOwn: (layerId) => {
      const own = owns.get(layerId) ?? new OwnStamps(layerId);
      owns.delete(layerId);
      return own;
    },
    giveOwn: (layerId, own) => {
      owns.set(layerId, own);
      // Those that nobody has asked for the longest go.
      for (const oldest of [...owns.keys()].slice(0, Math.max(0, owns.size - ownLimit))) owns.delete(oldest);
    },
  };
}
