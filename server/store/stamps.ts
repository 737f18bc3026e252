import { sql } from "kysely";
import type { Reads } from "./open.ts";
import { spaced, spaceless } from "./spaceless.ts";
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

/** A row's stamp, without what else the row holds. */
export const stampOf = ({ op, hash, edit_rev, base_rev, schema_id, variant_id, name }: Stamp): Stamp => ({
  op,
  hash,
  edit_rev,
  base_rev,
  schema_id,
  variant_id,
  name,
});

/** Stands for a column that is empty: no hash, no id and no name as it is written here is that short. */
const none = "-";
/** The columns of one row's stamp; none of them has a space in it, as a name is written. */
const stampColumns = [
  "id",
  "op",
  `coalesce(hash, '${none}')`,
  "edit_rev",
  "base_rev",
  `coalesce(schema_id, '${none}')`,
  `coalesce(variant_id, '${none}')`,
  `coalesce('${none}' || ${spaceless("name")}, '${none}')`,
] as const;
/** The stamps of all rows of a select as one text, for {@link stampsIn}. */
export const stampsText = sql.raw(`string_agg(concat_ws(' ', ${stampColumns.join(", ")}), ' ')`);

/** The stamps of one layer's rows, by component. */
export async function layerStamps(
  reads: Reads,
  layerId: string,
  ids: readonly string[],
): Promise<Map<string, Stamp>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ readonly stamps: string | null }>`
    select ${stampsText} as stamps from component
    where layer = ${layerId} and id ${reads.engine.within(ids)}`.execute(reads.db);
  return stampsIn(rows[0]?.stamps);
}

/** By component; none where there was no row. */
export function stampsIn(text: string | null | undefined): Map<string, Stamp> {
  const stamps = new Map<string, Stamp>();
  const texts = text?.split(" ") ?? [];
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

const nameIn = (text = none): string | null => (text === none ? null : spaced(text.slice(none.length)));
const textIn = (text: string | undefined): string | null =>
  text === undefined || text === none ? null : text;
const isOp = (text: string | undefined): text is LayerOp => text !== undefined && text !== "";
