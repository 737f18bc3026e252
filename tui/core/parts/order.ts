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
  /** True when the rows stand as their table has them and nothing is compared. */
  readonly natural?: boolean;
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
  readonly column: SortColumn<Row>;
  readonly descending: boolean;
  readonly lookup: Lookup;
}

/** Sorts a whole table. */
export function orderAll<Row extends Identified>(input: OrderInput<Row>): Order {
  const { table, column, descending, lookup } = input;
  const positions = Int32Array.from({ length: table.rows.length }, (_, position) => position);
  if (column.natural === true) return descending ? positions.reverse() : positions;
  const keys = table.rows.map((row) => column.key(row, lookup));
  return positions.sort(comparator(table.rows, keys, descending ? -1 : 1));
}

/** The positions of an order whose rows pass; the order itself when all do. */
export function filterOrder<Row>(
  order: Order,
  table: Table<Row>,
  filter: Filter<Row>,
  lookup: Lookup,
): Order {
  // Rows are asked in the order in which they lie in memory, which is several times faster than in sorted order.
  const { rows } = table;
  const passes = new Uint8Array(rows.length);
  rows.forEach((row, position) => {
    if (filter.test(row, lookup)) passes[position] = 1;
  });
  const passing = order.filter((position) => passes[position] === 1);
  return passing.length === order.length ? order : passing;
}

/** More changed rows than this and putting all in order anew costs less than merging. */
const mergeLimit = 1_000;

/** The order after the changes that a table tells, from the order of the version before: linear, without sorting all. */
export function orderChanged<Row extends Identified>(input: OrderInput<Row>, before: Order): Order {
  const { table, column, descending, lookup } = input;
  const { rows, changed } = table;
  if (column.natural === true || changed === null || changed.length > mergeLimit) return orderAll(input);
  const moved = new Uint8Array(rows.length);
  for (const position of changed) moved[position] = 1;
  const kept = before.filter((position) => moved[position] === 0);
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
  const arriving = [...new Set(changed)].sort(compare);
  const result = new Int32Array(kept.length + arriving.length);
  let copied = 0;
  arriving.forEach((position, index) => {
    const place = placeOf(kept, position, compare, copied);
    result.set(kept.subarray(copied, place), copied + index);
    result[place + index] = position;
    copied = place;
  });
  result.set(kept.subarray(copied), copied + arriving.length);
  return result;
}

/** Where a position belongs among sorted ones, from `from` on. */
function placeOf(
  sorted: Order,
  position: number,
  compare: (a: number, b: number) => number,
  from: number,
): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted[middle] ?? 0, position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
