import { sql } from "kysely";
import type { OwnRow, Settings } from "../domain/overlay.ts";
import type { DefinitionCache, StoredSettings } from "./definition-cache.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";
import type { ComponentRules, Definition } from "./rules.ts";
import type { LayerOp } from "./tables.ts";

/** One layer's row of a component, without what it says and what was computed. */
export interface Stamp {
  readonly op: LayerOp;
  readonly hash: string | null;
  readonly edit_rev: number;
  readonly base_rev: number;
  readonly schema_id: string | null;
  readonly variant_id: string | null;
}

/** The head's row: its operation and base are the same in all of them. */
export type HeadStamp = Pick<Stamp, "hash" | "edit_rev" | "schema_id" | "variant_id">;

/** What a propagation knows of a component before it computes it. */
export interface Loaded {
  readonly head: HeadStamp | undefined;
  readonly own: Stamp | undefined;
  /** What the layer says it is; undefined when it does not show it, `changed` when a writer came between two reads. */
  readonly definition: Definition | "changed" | undefined;
  /** The own row's settings, to be stored again as they are. */
  readonly ownSettings: StoredSettings;
}

type Stamps = Pick<Loaded, "head" | "own">;

/** Loads definitions without values: one statement for the stamps, one per layer for settings not seen before. */
export async function loadDefinitions(
  reads: Reads,
  rules: ComponentRules,
  cache: DefinitionCache,
  layer: Layer,
  ids: readonly string[],
): Promise<Map<string, Loaded>> {
  const stamps =
    layer.id === layer.headId ? await headStamps(reads, layer, ids) : await pairStamps(reads, layer, ids);
  const heads = await settingsOf(reads, cache, layer.headId, stamps, ({ head }) => head);
  const owns = await settingsOf(reads, cache, layer.id, stamps, ({ own }) =>
    holdsSettings(own) ? own : undefined,
  );
  const loaded = new Map<string, Loaded>();
  for (const id of ids) {
    const { head, own } = stamps.get(id) ?? { head: undefined, own: undefined };
    const ownSettings = holdsSettings(own) ? owns.get(id) : null;
    const changed = (head !== undefined && !heads.has(id)) || ownSettings === undefined;
    loaded.set(id, {
      head,
      own,
      definition: changed ? "changed" : define(rules, id, { head, own }, heads.get(id), ownSettings),
      ownSettings: ownSettings ?? null,
    });
  }
  return loaded;
}

function define(
  rules: ComponentRules,
  id: string,
  { head, own }: Stamps,
  headSettings: StoredSettings | undefined,
  ownSettings: StoredSettings,
): Definition | undefined {
  const row: OwnRow | undefined =
    own === undefined || own.op === "head" ? undefined : { op: own.op, settings: ownSettings };
  // The head stores settings in full; only the patches of change sets have null members.
  const settings = rules.effective((headSettings ?? undefined) as Settings | undefined, row);
  if (settings === undefined) return undefined;
  return {
    id,
    schemaId: own?.schema_id ?? head?.schema_id ?? "",
    variantId: own?.variant_id ?? head?.variant_id ?? "",
    settings,
  };
}

const holdsSettings = (row: Stamp | undefined): row is Stamp =>
  row !== undefined && row.op !== "calc" && row.op !== "del";

async function layerStamps(
  reads: Reads,
  layerId: string,
  ids: readonly string[],
): Promise<(Stamp & { readonly id: string })[]> {
  const { rows } = await sql<Stamp & { readonly id: string }>`
    select id, op, hash, edit_rev, base_rev, schema_id, variant_id from component
    where layer = ${layerId} and id ${reads.engine.within(ids)}`.execute(reads.db);
  return rows;
}

async function headStamps(reads: Reads, layer: Layer, ids: readonly string[]): Promise<Map<string, Stamps>> {
  const rows = await layerStamps(reads, layer.headId, ids);
  return new Map(rows.map((row) => [row.id, { head: row, own: undefined }]));
}

interface JoinedStamps extends HeadStamp {
  readonly id: string;
  readonly own_op: LayerOp | null;
  readonly own_hash: string | null;
  readonly own_edit_rev: number;
  readonly own_base_rev: number;
  readonly own_variant_id: string | null;
}

/**
 * One row per component and no column that is the same in every row, because building rows is what costs; those that
 * the head lacks follow.
 */
async function pairStamps(reads: Reads, layer: Layer, ids: readonly string[]): Promise<Map<string, Stamps>> {
  const { rows } = await sql<JoinedStamps>`
    select h.id, h.hash, h.edit_rev, h.schema_id, h.variant_id, o.op as own_op, o.hash as own_hash,
      o.edit_rev as own_edit_rev, o.base_rev as own_base_rev, o.variant_id as own_variant_id
    from component h left join component o on o.layer = ${layer.id} and o.id = h.id
    where h.layer = ${layer.headId} and h.id ${reads.engine.within(ids)}`.execute(reads.db);
  const stamps = new Map<string, Stamps>(rows.map((row) => [row.id, { head: row, own: ownOf(row) }]));
  const rest = ids.filter((id) => !stamps.has(id));
  if (rest.length === 0) return stamps;
  for (const own of await layerStamps(reads, layer.id, rest)) stamps.set(own.id, { head: undefined, own });
  return stamps;
}

/** Only what a change set added has a schema of its own, and that is not in the head. */
const ownOf = (row: JoinedStamps): Stamp | undefined =>
  row.own_op === null
    ? undefined
    : {
        op: row.own_op,
        hash: row.own_hash,
        edit_rev: row.own_edit_rev,
        base_rev: row.own_base_rev,
        schema_id: null,
        variant_id: row.own_variant_id,
      };

/** The settings that belong to these stamps; a row that has changed since its stamp was read is left out. */
async function settingsOf(
  reads: Reads,
  cache: DefinitionCache,
  layerId: string,
  stamps: ReadonlyMap<string, Stamps>,
  rowOf: (pair: Stamps) => Pick<Stamp, "edit_rev"> | undefined,
): Promise<Map<string, StoredSettings>> {
  const found = new Map<string, StoredSettings>();
  const missing: string[] = [];
  for (const [id, pair] of stamps) {
    const row = rowOf(pair);
    if (row === undefined) continue;
    const kept = cache.find(layerId, id, row.edit_rev);
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
    const pair = stamps.get(row.id);
    if (pair !== undefined && rowOf(pair)?.edit_rev === row.edit_rev) found.set(row.id, settings);
  }
  return found;
}
