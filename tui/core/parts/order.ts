import type { Identified, Table } from "../table.ts";
import type { Filter, Lookup } from "./filter.ts";

/** A column by which rows can be put in order. */
export interface SortColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** What is compared; undefined goes last in both directions. */
  readonly key: (row: Row, lookup: Lookup) => string | number | undefined;
  /** True when the interesting end is the high one: the first press of its letter sorts down. */
  readonly down?: boolean;
  /** True when the key may change while the row stays the same. */
  readonly volatile?: boolean;
}

/** Positions of the rows that pass, in order. */
export type Order = Int32Array;

type Key = string | number | undefined;

function compareKeys(a: Key, b: Key, direction: 1 | -1): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b ? -direction : direction;
}

/** Whatever has the same key stands by its id, so that an order never depends on chance. */
function comparator<Row extends Identified>(
  rows: readonly Row[],
  keys: readonly Key[],
  direction: 1 | -1,
): (a: number, b: number) => number {
  return (a, b) => {
    const order = compareKeys(keys[a], keys[b], direction);
    if (order !== 0) return order;
    const left = rows[a]?.id ?? "";
    const right = rows[b]?.id ?? "";
    return left < right ? -1 : left > right ? 1 : 0;
  };
}

export interface OrderInput<Row> {
  readonly table: Table<Row>;
  readonly filter: Filter<Row>;
  readonly column: SortColumn<Row>;
  readonly descending: boolean;
  readonly lookup: Lookup;
}

/** Filters and sorts a whole table. */
export function orderAll<Row extends Identified>(input: OrderInput<Row>): Order {
  const { table, filter, column, descending, lookup } = input;
  const { rows } = table;
  const positions = new Int32Array(rows.length);
  let count = 0;
  rows.forEach((row, position) => {
    if (filter.test(row, lookup)) positions[count++] = position;
  });
  const keys = rows.map((row) => column.key(row, lookup));
  return positions.subarray(0, count).sort(comparator(rows, keys, descending ? -1 : 1));
}

/** More changed rows than this and putting all in order anew costs less than merging. */
const mergeLimit = 1_000;

/** The order after the changes that a table tells, from the order of the version before: linear, without sorting all. */
export function orderChanged<Row extends Identified>(input: OrderInput<Row>, before: Order): Order {
  const { table, filter, column, descending, lookup } = input;
  const { rows, changed } = table;
  if (changed === null || changed.length > mergeLimit) return orderAll(input);
  const moved = new Uint8Array(rows.length);
  for (const position of changed) moved[position] = 1;
  const direction = descending ? -1 : 1;
  const keyOf = (position: number): Key => {
    const row = rows[position];
    return row === undefined ? undefined : column.key(row, lookup);
  };
  const compare = (a: number, b: number): number => {
    const order = compareKeys(keyOf(a), keyOf(b), direction);
    if (order !== 0) return order;
    return (rows[a]?.id ?? "") < (rows[b]?.id ?? "") ? -1 : 1;
  };
  const arriving = [...new Set(changed)]
    .filter((position) => {
      const row = rows[position];
      return row !== undefined && filter.test(row, lookup);
    })
    .sort(compare);
  const result = new Int32Array(before.length + arriving.length);
  let count = 0;
  let next = 0;
  for (const position of before) {
    if (moved[position] === 1) continue;
    for (
      let coming = arriving[next];
      coming !== undefined && compare(coming, position) < 0;
      coming = arriving[++next]
    ) {
      result[count++] = coming;
    }
    result[count++] = position;
  }
  for (; next < arriving.length; next++) result[count++] = arriving[next] ?? 0;
  return result.subarray(0, count);
}
