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
  readonly name: string | null;
}

/** The head's row: its operation and base are the same in all of them. */
export type HeadStamp = Omit<Stamp, "op" | "base_rev">;

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

/** A layer, and the number of its head's graph at which it is looked at: results that come too late are not committed. */
export interface Present {
  readonly layer: Layer;
  readonly headGraph: number;
}

/** Loads definitions without values: one statement per layer for stamps, one for settings not seen before. */
export async function loadDefinitions(
  reads: Reads,
  rules: ComponentRules,
  cache: DefinitionCache,
  present: Present,
  ids: readonly string[],
): Promise<Map<string, Loaded>> {
  const { layer } = present;
  const headRows = await headStamps(reads, cache, present, ids);
  const ownRows: ReadonlyMap<string, Stamp> =
    layer.id === layer.headId ? new Map() : await layerStamps(reads, layer.id, ids);
  const stamps = new Map(ids.map((id) => [id, { head: headRows.get(id), own: ownRows.get(id) }]));
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

/** Stands for a column that is empty: no hash, no id and no name as it is written here is that short. */
const none = "-";
/** The columns of one row's stamp as one text; none of them has a space in it, as a name is written. */
const stampColumns = [
  "id",
  "op",
  `coalesce(hash, '${none}')`,
  "edit_rev",
  "base_rev",
  `coalesce(schema_id, '${none}')`,
  `coalesce(variant_id, '${none}')`,
  `coalesce('${none}' || replace(replace(name, '%', '%25'), ' ', '%20'), '${none}')`,
] as const;
const stampText = sql.raw(`concat_ws(' ', ${stampColumns.join(", ")})`);

/** A name that was written so. */
function nameIn(text = none): string | null {
  if (text === none) return null;
  const name = text.slice(none.length);
  return name.includes("%") ? name.replaceAll("%20", " ").replaceAll("%25", "%") : name;
}

/**
 * The stamps of one layer's rows, by component. All of them as one text, because building a row costs 3 µs on SQLite,
 * three times as much as reading and taking apart.
 */
async function layerStamps(
  reads: Reads,
  layerId: string,
  ids: readonly string[],
): Promise<Map<string, Stamp>> {
  const stamps = new Map<string, Stamp>();
  if (ids.length === 0) return stamps;
  const { rows } = await sql<{ readonly stamps: string | null }>`
    select string_agg(${stampText}, ' ') as stamps from component
    where layer = ${layerId} and id ${reads.engine.within(ids)}`.execute(reads.db);
  const texts = rows[0]?.stamps?.split(" ") ?? [];
  for (let at = 0; at < texts.length; at += stampColumns.length) {
    const op = texts[at + 1];
    if (!isOp(op)) continue;
    stamps.set(texts[at] ?? "", {
      op,
      hash: textIn(texts[at + 2]),
      edit_rev: Number(texts[at + 3]),
      base_rev: Number(texts[at + 4]),
      schema_id: textIn(texts[at + 5]),
      variant_id: textIn(texts[at + 6]),
      name: nameIn(texts[at + 7]),
    });
  }
  return stamps;
}

/** The head's stamps: read once for each number of its graph, since no row of it changes without that. */
async function headStamps(
  reads: Reads,
  cache: DefinitionCache,
  { layer: { headId }, headGraph }: Present,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Stamp | undefined>> {
  const known = cache.head(headId, headGraph);
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length === 0) return known;
  const read = await layerStamps(reads, headId, missing);
  for (const id of missing) known.set(id, read.get(id));
  return known;
}

const textIn = (text: string | undefined): string | null =>
  text === undefined || text === none ? null : text;
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
    const kept = cache.find(layerId, id, row);
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
