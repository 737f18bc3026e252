/** Rows by id, never changed in place: applying a delta gives a new table that shares what it can. */
export interface Table<Row> {
  /** Counts the tables of one list. */
  readonly version: number;
  readonly rows: readonly Row[];
  readonly index: ReadonlyMap<string, number>;
  /** Positions that differ from the version before; null when any may. */
  readonly changed: readonly number[] | null;
}

export interface Identified {
  readonly id: string;
}

/** What a delta did to one row. */
export interface Touch {
  readonly id: string;
  readonly kind: "added" | "changed" | "removed";
}

export interface Delta<Row> {
  readonly upserted: readonly Row[];
  readonly deleted: readonly string[];
  /** True when `upserted` is everything. */
  readonly whole: boolean;
}

export const emptyTable: Table<never> = { version: 0, rows: [], index: new Map(), changed: null };

export function find<Row>(table: Table<Row> | undefined, id: string): Row | undefined {
  const position = table?.index.get(id);
  return position === undefined ? undefined : table?.rows[position];
}

/** The table after a delta, and what it did to which rows; `same` says which rows look alike to a person. */
export function applyDelta<Row extends Identified>(
  table: Table<Row> | undefined,
  delta: Delta<Row>,
  same: (a: Row, b: Row) => boolean,
): { readonly table: Table<Row>; readonly touched: readonly Touch[] } {
  const old = table ?? emptyTable;
  if (delta.whole || table === undefined) return replace(old, delta.upserted, same);
  if (delta.deleted.some((id) => old.index.has(id))) return remove(old, delta);
  return upsert(old, delta.upserted);
}

function replace<Row extends Identified>(
  old: Table<Row>,
  rows: readonly Row[],
  same: (a: Row, b: Row) => boolean,
): { readonly table: Table<Row>; readonly touched: readonly Touch[] } {
  const index = new Map(rows.map((row, position) => [row.id, position]));
  const touched: Touch[] = [];
  for (const row of rows) {
    const before = find(old, row.id);
    if (before === undefined) touched.push({ id: row.id, kind: "added" });
    else if (!same(before, row)) touched.push({ id: row.id, kind: "changed" });
  }
  for (const row of old.rows) if (!index.has(row.id)) touched.push({ id: row.id, kind: "removed" });
  return { table: { version: old.version + 1, rows, index, changed: null }, touched };
}

function upsert<Row extends Identified>(
  old: Table<Row>,
  upserted: readonly Row[],
): { readonly table: Table<Row>; readonly touched: readonly Touch[] } {
  const rows = old.rows.slice();
  const fresh = upserted.some((row) => !old.index.has(row.id));
  const index = fresh ? new Map(old.index) : old.index;
  const changed: number[] = [];
  const touched = upserted.map((row): Touch => {
    const position = index.get(row.id);
    if (position !== undefined) {
      rows[position] = row;
      changed.push(position);
      return { id: row.id, kind: "changed" };
    }
    // Only reached when the index was copied above.
    (index as Map<string, number>).set(row.id, rows.length);
    changed.push(rows.length);
    rows.push(row);
    return { id: row.id, kind: "added" };
  });
  return { table: { version: old.version + 1, rows, index, changed }, touched };
}

function remove<Row extends Identified>(
  old: Table<Row>,
  delta: Delta<Row>,
): { readonly table: Table<Row>; readonly touched: readonly Touch[] } {
  const gone = new Set(delta.deleted);
  const kept = old.rows.filter((row) => !gone.has(row.id));
  const index = new Map(kept.map((row, position) => [row.id, position]));
  const rest = upsert({ version: old.version, rows: kept, index, changed: null }, delta.upserted);
  const removed = delta.deleted.filter((id) => old.index.has(id));
  return {
    table: { ...rest.table, changed: null },
    touched: [...removed.map((id): Touch => ({ id, kind: "removed" })), ...rest.touched],
  };
}
