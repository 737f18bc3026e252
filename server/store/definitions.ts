import { sql } from "kysely";
import type { OwnRow, Settings } from "../domain/overlay.ts";
import type { DefinitionCache, StoredSettings } from "./definition-cache.ts";
import type { HeadMemory } from "./head-memory.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";
import type { OwnStamps } from "./own-stamps.ts";
import type { ComponentRules, Definition } from "./rules.ts";
import { layerStamps, type Stamp } from "./stamps.ts";

/** The head's row: its operation and base are the same in all of them. */
export type HeadStamp = Omit<Stamp, "op" | "base_rev">;

/** What a propagation knows of a component before it computes it. */
export interface Loaded {
  readonly head: HeadStamp | undefined;
  readonly own: Stamp | undefined;
  /** What the layer says it is; undefined when it does not show it, `changed` when a writer came between two reads. */
  readonly definition: Definition | "changed" | undefined;
  /** The components that it reads. */
  readonly sources: readonly string[];
  /** The own row's settings, to be stored again as they are. */
  readonly ownSettings: StoredSettings;
}

/** A component of the head, as one without a row in the layer is loaded. */
export interface HeadComponent extends Loaded {
  readonly head: HeadStamp;
  readonly own: undefined;
  readonly definition: Definition;
}

/** A layer, and what is known of it and its head as it is looked at: results that come too late are not committed. */
export interface Present {
  readonly layer: Layer;
  readonly head: HeadMemory;
  readonly ownGraph: number;
  readonly own: OwnStamps;
}

/** Loads definitions without values: one statement per layer for stamps, one for settings not seen before. */
export async function loadDefinitions(
  reads: Reads,
  rules: ComponentRules,
  cache: DefinitionCache,
  { layer, head: memory, ownGraph, own: known }: Present,
  ids: readonly string[],
): Promise<Map<string, Loaded>> {
  const { components } = memory;
  const missing = ids.filter((id) => !components.has(id));
  const found = await headComponents(reads, rules, cache, layer.headId, missing);
  memory.keepComponents(found);
  const isHead = layer.id === layer.headId;
  const stamps = isHead ? new Map<string, Stamp>() : await known.find(reads, ownGraph, ids);
  const settings = await settingsOf(reads, cache, layer.id, stamps, ids);
  const loaded = new Map<string, Loaded>();
  for (const id of ids) {
    const head = components.get(id) ?? found.get(id);
    const own = stamps.get(id);
    if (head === undefined && !components.has(id) && !found.has(id)) loaded.set(id, changed(own));
    else if (own === undefined || own.op === "calc") loaded.set(id, derived(head, own));
    else loaded.set(id, define(rules, id, head, own, settings.get(id)));
  }
  return loaded;
}

const changed = (own: Stamp | undefined): Loaded => ({
  head: undefined,
  own,
  definition: "changed",
  sources: [],
  ownSettings: null,
});

/** A component of which the layer says nothing itself. */
const derived = (head: HeadComponent | undefined, own: Stamp | undefined): Loaded =>
  head !== undefined && own === undefined
    ? head
    : {
        head: head?.head,
        own,
        definition: head?.definition,
        sources: head?.sources ?? [],
        ownSettings: null,
      };

function define(
  rules: ComponentRules,
  id: string,
  head: HeadComponent | undefined,
  own: Stamp,
  says: StoredSettings | undefined,
): Loaded {
  const ownSettings = holdsSettings(own) ? says : null;
  if (ownSettings === undefined) return changed(own);
  const row: OwnRow | undefined = own.op === "head" ? undefined : { op: own.op, settings: ownSettings };
  const settings = rules.effective(head?.definition.settings, row);
  const definition = settings && {
    id,
    schemaId: own.schema_id ?? head?.definition.schemaId ?? "",
    variantId: own.variant_id ?? head?.definition.variantId ?? "",
    settings,
  };
  const sources = definition === undefined ? [] : sourcesOf(rules, definition);
  return { head: head?.head, own, definition, sources, ownSettings };
}

const sourcesOf = (rules: ComponentRules, { settings }: Definition): string[] =>
  rules.sourcesOf(settings).map(({ source }) => source);

/** Components of the head by id, undefined for those that it does not have; left out where one changes meanwhile. */
async function headComponents(
  reads: Reads,
  rules: ComponentRules,
  cache: DefinitionCache,
  headId: string,
  ids: readonly string[],
): Promise<Map<string, HeadComponent | undefined>> {
  const stamps = await layerStamps(reads, headId, ids);
  const settings = await settingsOf(reads, cache, headId, stamps, ids);
  const found = new Map<string, HeadComponent | undefined>();
  for (const id of ids) {
    const [head, says] = [stamps.get(id), settings.get(id)];
    if (head === undefined) found.set(id, undefined);
    else if (says != null) {
      // The head stores settings in full; only the patches of change sets have null members.
      const definition = {
        id,
        schemaId: head.schema_id ?? "",
        variantId: head.variant_id ?? "",
        settings: says as Settings,
      };
      const sources = sourcesOf(rules, definition);
      found.set(id, { head, own: undefined, definition, sources, ownSettings: null });
    }
  }
  return found;
}

const holdsSettings = ({ op }: Stamp): boolean => op !== "calc" && op !== "del";

/** The settings that belong to the stamps of these components; a row that has changed since its stamp was read is left out. */
async function settingsOf(
  reads: Reads,
  cache: DefinitionCache,
  layerId: string,
  stamps: ReadonlyMap<string, Stamp>,
  ids: readonly string[],
): Promise<Map<string, StoredSettings>> {
  const found = new Map<string, StoredSettings>();
  const missing: string[] = [];
  for (const id of ids) {
    const stamp = stamps.get(id);
    if (stamp === undefined || !holdsSettings(stamp)) continue;
    const kept = cache.find(layerId, id, stamp.edit_rev);
    if (kept === undefined) missing.push(id);
    else found.set(id, kept);
  }
  if (missing.length === 0) return found;
  const { rows } = await sql<{ id: string; edit_rev: number; settings: string | null }>`
    select id, edit_rev, settings from component
    where layer = ${layerId} and id ${reads.engine.within(missing)}`.execute(reads.db);
  for (const row of rows) {
    const settings: StoredSettings = row.settings === null ? null : JSON.parse(row.settings);
    cache.put(layerId, row.id, row.edit_rev, settings);
    if (stamps.get(row.id)?.edit_rev === row.edit_rev) found.set(row.id, settings);
  }
  return found;
}
