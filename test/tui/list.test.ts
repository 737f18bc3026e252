import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeFilter, type Fields, type Lookup, parseFilter } from "../../tui/core/parts/filter.ts";
import {
  keepInWindow,
  type ListKind,
  type ListState,
  moveTo,
  newList,
  refreshList,
  scrollBy,
  windowRows,
} from "../../tui/core/parts/list.ts";
import { filterOrder, orderAll } from "../../tui/core/parts/order.ts";
import { applyDelta, type Table } from "../../tui/core/table.ts";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly sortName: string;
  readonly size: number;
  readonly tags: readonly string[];
  readonly born: number | undefined;
}
const now = 1_000_000_000;
const row = (id: string, name: string, size = 0, tags: readonly string[] = [], born?: number): Row => ({
  id,
  name,
  sortName: name.toLowerCase(),
  size,
  tags,
  born,
});
const fields: Fields<Row> = {
  name: { kind: "text", of: ({ name }) => name },
  tag: { kind: "words", values: ["failed", "fine", "new"], of: ({ tags }) => tags },
  age: { kind: "age", of: ({ born }) => born },
};
const kind: ListKind<Row> = {
  noun: "row",
  nouns: "rows",
  fields,
  columns: [
    { id: "name", title: "NAME", key: ({ sortName }) => sortName },
    { id: "size", title: "SIZE", key: ({ size }) => size, down: true },
  ],
  sort: { column: "name", descending: false },
};
const lookup: Lookup = { now, changedAt: () => undefined };
const same = (a: Row, b: Row): boolean => a.name === b.name && a.size === b.size;
const tableOf = (rows: readonly Row[]): Table<Row> =>
  applyDelta<Row>(undefined, { upserted: rows, deleted: [], whole: true }, same).table;
const names = (state: ListState, table: Table<Row>): string[] =>
  [...state.order].map((position) => table.rows[position]?.name ?? "?");
const passing = (text: string, rows: readonly Row[]): string[] => {
  const parsed = parseFilter(text, fields);
  return "filter" in parsed
    ? rows.filter((one) => parsed.filter.test(one, lookup)).map(({ name }) => name)
    : [parsed.error];
};

describe("a filter", () => {
  const rows = [
    row("1", "redis-main", 1, ["failed"], now - 5 * 60_000),
    row("2", "Redis Backup", 2, ["fine", "new"], now - 3 * 86_400_000),
    row("3", "api-gateway", 3, ["fine"]),
  ];
  it.each<[string, string[]]>([
    ["", ["redis-main", "Redis Backup", "api-gateway"]],
    ["redis", ["redis-main", "Redis Backup"]],
    ["rdm", ["redis-main"]],
    ["!redis", ["api-gateway"]],
    ['"s b"', ["Redis Backup"]],
    ["tag:failed", ["redis-main"]],
    ["tag:f", ["redis-main", "Redis Backup", "api-gateway"]],
    ["!tag:failed", ["Redis Backup", "api-gateway"]],
    ["name:main", ["redis-main"]],
    ["name:~agw", ["api-gateway"]],
    ["age<10m", ["redis-main"]],
    ["age>1d", ["Redis Backup"]],
    ["age<", ["redis-main", "Redis Backup", "api-gateway"]],
    ["redis tag:new age>1h", ["Redis Backup"]],
    ["wrong:x", ["no field wrong; there are name, tag, age"]],
    ["tag:odd", ["tag is none of failed, fine, new: odd"]],
    ["age:5", ["age is compared like age<10m or age>2d"]],
    ["age<5q", ["a time ends in s, m, h, d or w: 5q"]],
  ])("%j gives %j", (text, expected) => {
    expect(passing(text, rows)).toEqual(expected);
  });

  it.each([
    ["ta", "tag:"],
    ["tag:fa", "tag:failed"],
    ["tag:f", "tag:f"],
    ["redis ag", "redis age<"],
    ["zzz", "zzz"],
    ["", ""],
  ])("%j completes to %j", (text, expected) => {
    expect(completeFilter(text, fields)).toBe(expected);
  });

  it("never throws, whatever is typed", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => passing(text, rows) !== null));
  });
});

describe("a list", () => {
  it("keeps its selection on the row when rows come, go and move around it", () => {
    let table = tableOf([row("1", "b"), row("2", "d"), row("3", "f")]);
    let state = refreshList(newList(kind.sort), kind, table, lookup);
    state = moveTo(state, table, 1);
    expect(state.selected).toBe("2");
    table = applyDelta(
      table,
      { upserted: [row("4", "a"), row("5", "e")], deleted: [], whole: false },
      same,
    ).table;
    state = refreshList(state, kind, table, lookup);
    expect(names(state, table)).toEqual(["a", "b", "d", "e", "f"]);
    expect([state.selected, state.cursor]).toEqual(["2", 2]);
    table = applyDelta<Row>(table, { upserted: [], deleted: ["2"], whole: false }, same).table;
    state = refreshList(state, kind, table, lookup);
    expect([state.selected, state.cursor]).toEqual(["5", 2]);
  });

  it("sorts both ways and puts what has no value last", () => {
    const table = tableOf([row("1", "x", 2), row("2", "y", 1), row("3", "z", 2)]);
    const sorted = (descending: boolean): string[] =>
      names(refreshList(newList({ column: "size", descending }), kind, table, lookup), table);
    expect(sorted(false)).toEqual(["y", "x", "z"]);
    expect(sorted(true)).toEqual(["x", "z", "y"]);
  });

  it("follows changes to the same order as sorting everything anew", () => {
    const someRow = fc.record({ id: fc.nat(30), name: fc.stringMatching(/^[a-e]{1,3}$/), size: fc.nat(5) });
    const step = fc.record({
      upserted: fc.array(someRow, { maxLength: 6 }),
      deleted: fc.array(fc.nat(30), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.boolean(),
        fc.constantFrom("", "a", "!b"),
        (steps, descending, filter) => {
          let table = tableOf([]);
          let state: ListState = { ...newList({ column: "size", descending }), filter };
          for (const { upserted, deleted } of steps) {
            const rows = [
              ...new Map(upserted.map((one) => [one.id, row(String(one.id), one.name, one.size)])).values(),
            ];
            table = applyDelta(
              table,
              { upserted: rows, deleted: deleted.map(String), whole: false },
              same,
            ).table;
            state = refreshList(state, kind, table, lookup);
            const parsed = parseFilter(filter, fields);
            const column = kind.columns[1];
            if (!("filter" in parsed) || column === undefined) throw new Error("the test's own filter");
            const whole = filterOrder(
              orderAll({ table, column, descending, lookup }),
              table,
              parsed.filter,
              lookup,
            );
            expect([...state.order]).toEqual([...whole]);
          }
        },
      ),
    );
  });

  it("always shows its cursor, and never an empty line while there are rows to show", () => {
    const table = tableOf(
      Array.from({ length: 40 }, (_, index) => row(String(index), `row ${String(index).padStart(2, "0")}`)),
    );
    const move = fc.oneof(
      fc.record({ to: fc.integer({ min: -5, max: 60 }) }),
      fc.record({ scroll: fc.integer({ min: -50, max: 50 }) }),
      fc.record({ height: fc.integer({ min: 1, max: 50 }) }),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
        let height = 10;
        let state = refreshList(newList(kind.sort), kind, table, lookup);
        for (const one of moves) {
          if ("height" in one) height = one.height;
          state =
            "to" in one
              ? moveTo(state, table, one.to)
              : "scroll" in one
                ? scrollBy(state, table, one.scroll, height)
                : state;
          state = keepInWindow(state, height);
          const shown = windowRows(state, table, height);
          expect(shown.map(({ id }) => id)).toContain(state.selected);
          expect(shown).toHaveLength(Math.min(height, 40));
        }
      }),
    );
  });

  it("keeps the table before a delta as it was", () => {
    const before = tableOf([row("1", "a"), row("2", "b")]);
    const copy = structuredClone(before.rows);
    applyDelta(before, { upserted: [row("2", "c"), row("3", "d")], deleted: [], whole: false }, same);
    applyDelta<Row>(before, { upserted: [], deleted: ["1"], whole: false }, same);
    expect(before.rows).toEqual(copy);
    expect([...before.index]).toEqual([
      ["1", 0],
      ["2", 1],
    ]);
  });
});
