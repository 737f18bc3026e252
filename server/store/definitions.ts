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

/** Columns of a pair of rows, the head's and the layer's own; what is empty in all of one kind is not among them. */
const pairColumns = [
  "h.id",
  "h.hash",
  "h.edit_rev",
  "h.schema_id",
  "h.variant_id",
  "o.op",
  "o.hash",
  "o.edit_rev",
  "o.base_rev",
  "o.variant_id",
] as const;
/** One text of a pair: none of its columns has a space in it. */
const pairText = sql.raw(pairColumns.map((column) => `coalesce(${column} || '', '')`).join(" || ' ' || "));

/**
 * All pairs as one text, because building a row costs 3 µs on SQLite, three times as much as reading and taking apart;
 * those that the head lacks follow.
 */
async function pairStamps(reads: Reads, layer: Layer, ids: readonly string[]): Promise<Map<string, Stamps>> {
  const { rows } = await sql<{ readonly pairs: string | null }>`
    select string_agg(${pairText}, ' ') as pairs
    from component h left join component o on o.layer = ${layer.id} and o.id = h.id
    where h.layer = ${layer.headId} and h.id ${reads.engine.within(ids)}`.execute(reads.db);
  const stamps = new Map<string, Stamps>();
  const texts = rows[0]?.pairs?.split(" ") ?? [];
  for (let from = 0; from < texts.length; from += pairColumns.length) {
    const [id = "", ...pair] = texts.slice(from, from + pairColumns.length);
    stamps.set(id, stampsOf(pair));
  }
  const rest = ids.filter((id) => !stamps.has(id));
  if (rest.length === 0) return stamps;
  for (const own of await layerStamps(reads, layer.id, rest)) stamps.set(own.id, { head: undefined, own });
  return stamps;
}

function stampsOf([
  hash,
  editRev,
  schemaId,
  variantId,
  op,
  ownHash,
  ownEditRev,
  ownBaseRev,
  ownVariantId,
]: readonly string[]): Stamps {
  const head = {
    hash: textIn(hash),
    edit_rev: Number(editRev),
    schema_id: textIn(schemaId),
    variant_id: textIn(variantId),
  };
  if (!isOp(op)) return { head, own: undefined };
  const own = {
    op,
    hash: textIn(ownHash),
    edit_rev: Number(ownEditRev),
    base_rev: Number(ownBaseRev),
    // Only what a change set added has a schema of its own, and that is not in the head.
    schema_id: null,
    variant_id: textIn(ownVariantId),
  };
  return { head, own };
}

const textIn = (text: string | undefined): string | null => (text === undefined || text === "" ? null : text);
const isOp = (text: string | undefined): text is LayerOp => text !== undefined && text !== "";

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
