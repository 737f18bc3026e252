import type { Identified, Table } from "../table.ts";
import { emptyTable, find } from "../table.ts";
import { type Fields, type Lookup, parseFilter } from "./filter.ts";
import { filterOrder, type Order, orderAll, orderChanged, type SortColumn } from "./order.ts";

/** Rows of a list have an id and a name in lower case. */
export interface ListRow extends Identified {
  readonly name: string;
  readonly sortName: string;
}

/** What a kind of list can be sorted and filtered by. */
export interface ListKind<Row extends ListRow> {
  /** What one row is called in a sentence, and several. */
  readonly noun: string;
  readonly nouns: string;
  readonly columns: readonly SortColumn<Row>[];
  readonly fields: Fields<Row>;
  readonly sort: Sort;
}

export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

/** Where a person is in a list. The selection is an id, so it stays on its row whatever moves. */
export interface ListState {
  readonly filter: string;
  /** Why the filter cannot be used, or null. */
  readonly filterError: string | null;
  readonly sort: Sort;
  readonly selected: string | null;
  /** Place of the selection in the order; where the cursor stays when its row goes. */
  readonly cursor: number;
  /** First row of the window. */
  readonly top: number;
  readonly order: Order;
  /** The order of all rows, filtered or not. */
  readonly sorted: Order;
  /** What the order was made from. */
  readonly madeFrom: MadeFrom | null;
}

interface MadeFrom {
  readonly table: Table<unknown>;
  readonly filter: string;
  readonly sort: Sort;
  readonly time: number;
}

const nothing: Order = new Int32Array(0);

export const newList = (sort: Sort): ListState => ({
  filter: "",
  filterError: null,
  sort,
  selected: null,
  cursor: 0,
  top: 0,
  order: nothing,
  sorted: nothing,
  madeFrom: null,
});

/** The list in step with its table: filtered, sorted, the selection on its row or on the row that took its place. */
export function refreshList<Row extends ListRow>(
  state: ListState,
  kind: ListKind<Row>,
  table: Table<Row> | undefined,
  lookup: Lookup,
): ListState {
  const rows = table ?? emptyTable;
  const column = kind.columns.find(({ id }) => id === state.sort.column) ?? kind.columns[0];
  if (column === undefined) return state;
  const parsed = parseFilter(state.filter, kind.fields);
  const filter = "filter" in parsed ? parsed.filter : { timed: false, test: () => true };
  const time = filter.timed || column.volatile === true ? lookup.now : 0;
  const from = state.madeFrom;
  const sameOrder = from !== null && from.sort === state.sort && from.time === time;
  if (sameOrder && from.filter === state.filter && from.table === rows) return state;
  const input = { table: rows, column, descending: state.sort.descending, lookup };
  const sorted = !sameOrder
    ? orderAll(input)
    : from.table === rows
      ? state.sorted
      : from.table.version === rows.version - 1
        ? orderChanged(input, state.sorted)
        : orderAll(input);
  const ordered = {
    ...state,
    filterError: "error" in parsed ? parsed.error : null,
    order: state.filter === "" ? sorted : filterOrder(sorted, rows, filter, lookup),
    sorted,
    madeFrom: { table: rows, filter: state.filter, sort: state.sort, time },
  };
  return locate(ordered, rows);
}

/** Puts the cursor where the selected row is now; a row that is gone leaves the cursor in its place. */
function locate(state: ListState, table: Table<ListRow>): ListState {
  const position = state.selected === null ? undefined : table.index.get(state.selected);
  const found = position === undefined ? -1 : state.order.indexOf(position);
  const cursor = found >= 0 ? found : clamp(state.cursor, state.order.length);
  const selected = table.rows[state.order[cursor] ?? -1]?.id ?? null;
  return { ...state, cursor, selected: selected ?? (state.order.length === 0 ? state.selected : null) };
}

const clamp = (value: number, length: number): number => Math.max(0, Math.min(value, length - 1));

/** A list that grows at its end, refreshed: a cursor that was on the last row stays on the last row. */
export function stickToEnd(
  before: ListState,
  refreshed: ListState,
  table: Table<ListRow> | undefined,
): ListState {
  const last = refreshed.order.length - 1;
  const atEnd = before.cursor >= before.order.length - 1;
  return atEnd && refreshed.cursor !== last ? moveTo(refreshed, table, last) : refreshed;
}

/** The list with the cursor on a row, counted in the order; a row outside goes to the nearest. */
export function moveTo(state: ListState, table: Table<ListRow> | undefined, cursor: number): ListState {
  const at = clamp(cursor, state.order.length);
  const selected = table?.rows[state.order[at] ?? -1]?.id ?? null;
  return selected === null ? state : { ...state, cursor: at, selected };
}

/** The list scrolled so that the cursor is inside a window of `height` rows, with nothing but rows in it. */
export function keepInWindow(state: ListState, height: number): ListState {
  const last = Math.max(0, state.order.length - height);
  const top = Math.min(last, Math.max(0, Math.min(state.top, state.cursor), state.cursor - height + 1));
  return top === state.top ? state : { ...state, top };
}

/** The window moved by some rows, the cursor taken along only when it would leave. */
export function scrollBy(
  state: ListState,
  table: Table<ListRow> | undefined,
  rows: number,
  height: number,
): ListState {
  const last = Math.max(0, state.order.length - height);
  const top = Math.max(0, Math.min(last, state.top + rows));
  const cursor = Math.max(top, Math.min(state.cursor, top + height - 1));
  return { ...moveTo(state, table, cursor), top };
}

/** The id of the selected row; null when a filter hides every row, since what nobody sees is not selected. */
export const selectedId = (state: ListState | undefined): string | null =>
  state === undefined || state.order.length === 0 ? null : state.selected;

/** The selected row, when it is still there and passes the filter. */
export function selectedRow<Row extends ListRow>(
  state: ListState,
  table: Table<Row> | undefined,
): Row | undefined {
  const id = selectedId(state);
  return id === null ? undefined : find(table, id);
}

/** The rows in a window of the order. */
export function windowRows<Row>(
  state: ListState,
  table: Table<Row> | undefined,
  height: number,
): readonly Row[] {
  const rows: Row[] = [];
  for (const position of state.order.subarray(state.top, state.top + Math.max(0, height))) {
    const row = table?.rows[position];
    if (row !== undefined) rows.push(row);
  }
  return rows;
}
