import { hash as digestOf } from "node:crypto";
import { sql } from "kysely";
import type { OwnRow, Settings } from "../domain/overlay.ts";
import type { Vals } from "../domain/values.ts";
import type { Layer } from "./layer.ts";
import type { Reads, Tx } from "./open.ts";
import type { ComponentRules, Definition, Rendered } from "./rules.ts";
import { sealOf } from "./search-seal.ts";
import type { ComponentTable, LayerOp } from "./tables.ts";

/** A component's row without its settings and values. */
export type ComponentHeader = Omit<ComponentTable, "named" | "settings" | "vals" | "row_rev" | "search_seal">;

/** What the head and the layer itself hold of one component; for the head itself only `head`. */
export interface Pair<Row> {
  readonly head: Row | undefined;
  readonly own: Row | undefined;
}

const headerNames = [
  "layer",
  "id",
  "op",
  "hash",
  "edit_rev",
  "base_rev",
  "to_delete",
  "name",
  "schema_id",
  "variant_id",
  "item",
] as const satisfies readonly (keyof ComponentHeader)[];
const columns = [
  ...headerNames,
  "named",
  "settings",
  "vals",
  "row_rev",
  "search_seal",
] as const satisfies readonly (keyof ComponentTable)[];

/** The columns of {@link ComponentHeader}, for a select. */
export const headerColumns = sql.raw(headerNames.join(", "));

/** The rows of these components in the head and in the layer, in one statement. */
export async function loadPairs(
  reads: Reads,
  layer: Layer,
  ids: readonly string[],
): Promise<Map<string, Pair<ComponentTable>>> {
  const pairs = new Map<string, Pair<ComponentTable>>();
  if (ids.length === 0) return pairs;
  const layers = layer.id === layer.headId ? sql`${layer.id}` : sql`${layer.headId}, ${layer.id}`;
  const { rows } = await sql<ComponentTable>`select ${sql.raw(columns.join(", "))} from component
    where layer in (${layers}) and id ${reads.engine.within(ids)}`.execute(reads.db);
  for (const row of rows) {
    const known = pairs.get(row.id);
    const isHead = row.layer === layer.headId;
    pairs.set(row.id, { head: isHead ? row : known?.head, own: isHead ? known?.own : row });
  }
  return pairs;
}

const parsed = new WeakMap<ComponentTable, Settings>();

/** The settings of a head row, taken apart once. */
export function settingsOf(row: ComponentTable | undefined): Settings | undefined {
  if (row === undefined) return undefined;
  const settings: Settings = parsed.get(row) ?? JSON.parse(row.settings ?? "{}");
  parsed.set(row, settings);
  return settings;
}

/** A change set's own row as the rules see it. */
export function ownRowOf(
  row: { readonly op: LayerOp; readonly settings: string | null } | undefined,
): OwnRow | undefined {
  if (row === undefined || row.op === "head") return undefined;
  return { op: row.op, settings: row.settings === null ? null : JSON.parse(row.settings) };
}

/** The finished values of a row. */
export const valsOf = (row: { readonly vals: string | null } | undefined): Vals =>
  row?.vals == null ? {} : JSON.parse(row.vals);

/** The hash that two rows with the same values share. */
export const hashOf = (vals: string): string => digestOf("sha1", vals, "base64url");

/** How a row to be saved came about. */
export interface RowOrigin {
  readonly layer: string;
  readonly op: LayerOp;
  readonly editRev: number;
  /** `graph_rev` of this write, where it is not `editRev`. */
  readonly rowRev?: number;
  /** The head row's `edit_rev` that it was computed against, 0 without one. */
  readonly baseRev: number;
  /** The settings to store: in full, a patch, or none; text when it is at hand already. */
  readonly settings: OwnRow["settings"] | string;
  /** The variant that an `edit` chose itself; without it the head's goes on to count. */
  readonly variantId?: string | null;
  /** False where the row need not be found by its name, see {@link takesHeadName}. */
  readonly named?: boolean;
}

/** Whether a row shows the name that the head gives its component, and would show any other one just the same. */
export const takesHeadName = (
  rules: ComponentRules,
  { settings }: Pick<Definition, "settings">,
  own: OwnRow["settings"],
  head: Pick<ComponentTable, "name"> | undefined,
  name: string,
): boolean => head?.name === name && rules.takesName(settings, own);

/** The row to store for a component that a layer shows. */
export function componentRow(
  definition: Definition,
  vals: string,
  rendered: Rendered,
  origin: RowOrigin,
  hash: string = hashOf(vals),
): ComponentTable {
  const { settings } = origin;
  const whole = isWhole(origin.op);
  return {
    layer: origin.layer,
    id: definition.id,
    op: origin.op,
    hash,
    edit_rev: origin.editRev,
    base_rev: origin.baseRev,
    to_delete: rendered.toDelete ? 1 : 0,
    name: rendered.name,
    named: whole || origin.named !== false ? 1 : 0,
    schema_id: whole ? definition.schemaId : null,
    variant_id: whole ? definition.variantId : (origin.variantId ?? null),
    item: rendered.item,
    settings: settings === null || typeof settings === "string" ? settings : JSON.stringify(settings),
    vals,
    row_rev: origin.rowRev ?? origin.editRev,
    search_seal: sealOf(hash),
  };
}

/** The row that hides a component of the head. */
export const tombstone = (layer: string, id: string, editRev: number): ComponentTable => ({
  layer,
  id,
  op: "del",
  hash: null,
  edit_rev: editRev,
  base_rev: 0,
  to_delete: 0,
  name: null,
  named: 0,
  schema_id: null,
  variant_id: null,
  item: null,
  settings: null,
  vals: null,
  row_rev: editRev,
  search_seal: null,
});

/** A row to be put, and what is known of it, each of which saves a part of the work. */
export interface KnownRow {
  readonly row: ComponentTable;
  /** It says nothing itself: schema, variant and settings are empty, and it never takes the place of what a layer says. */
  readonly derived: boolean;
  /** It replaces a row of the same name, schema and variant, if any: the indexes over these stay untouched. */
  readonly renewed: boolean;
}

/** Inserts or replaces component rows. */
export const putRows = (tx: Tx, rows: readonly ComponentTable[]): Promise<void> =>
  tx.engine.bulk(tx.db, "component", columns, rows, replaced);

/** The same for rows that more is known of. */
export async function putKnownRows(tx: Tx, known: readonly KnownRow[]): Promise<void> {
  for (const { derived, renewed, written, conflict } of ways) {
    const rows = known.filter((one) => one.derived === derived && one.renewed === renewed);
    await tx.engine.bulk(
      tx.db,
      "component",
      written,
      rows.map(({ row }) => row),
      conflict,
    );
  }
}

type Column = (typeof columns)[number];

const without = (left: readonly Column[], ...names: readonly Column[]): Column[] =>
  left.filter((column) => !names.includes(column));

const derivedColumns = without(columns, "schema_id", "variant_id", "settings");

const conflictOf = (written: readonly Column[]) => ({
  key: ["layer", "id"] as const,
  update: without(written, "layer", "id"),
});
const renewing = (written: readonly Column[]) =>
  conflictOf(without(written, "name", "named", "schema_id", "variant_id"));

const replaced = conflictOf(columns);

const ofDerived = { where: "component.op = 'calc'" };

/** How each sort of known rows is put; always the same objects, by which their texts are found. */
const ways = [
  {
    derived: true,
    renewed: true,
    written: derivedColumns,
    conflict: { ...renewing(derivedColumns), ...ofDerived },
  },
  {
    derived: true,
    renewed: false,
    written: derivedColumns,
    conflict: { ...conflictOf(derivedColumns), ...ofDerived },
  },
  { derived: false, renewed: true, written: columns, conflict: renewing(columns) },
  { derived: false, renewed: false, written: columns, conflict: replaced },
];

/**
 * Whether a row takes the place of one that its own indexes hold already, see {@link KnownRow.renewed}. That it is found
 * by its name although it need not be does no harm.
 */
export const isRenewed = (
  row: Pick<ComponentTable, "op" | "name" | "named" | "schema_id" | "variant_id">,
  before: (Pick<ComponentTable, "name" | "schema_id" | "variant_id"> & { named?: number }) | undefined,
): boolean =>
  row.name === before?.name &&
  row.schema_id === before.schema_id &&
  row.variant_id === before.variant_id &&
  (row.named === 0 || before.named === 1 || isWhole(row.op));

/** Whether rows of this kind say all of a component. */
const isWhole = (op: LayerOp): boolean => op === "head" || op === "add";
