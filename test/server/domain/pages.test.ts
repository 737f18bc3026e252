import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Op } from "../../../server/domain/overlay.ts";
import { type Merged, mergeWindows, type Window, type WindowRow } from "../../../server/domain/pages.ts";

const row = (id: string, op: Op, hash: string, base = 1): WindowRow => ({
  id,
  op,
  hash,
  edit_rev: 1,
  base_rev: base,
  variant_id: null,
});

/** One query's answer: the rows after the cursor, cut at the limit. */
function windowOf(rows: readonly WindowRow[], cursor: string, size: number): Window<WindowRow> {
  const after = rows.filter((one) => one.id > cursor).slice(0, size);
  return { rows: after, full: after.length === size };
}

/** One page as a reader asks for it: windows are read on until there is a page or nothing more. */
function page(
  head: readonly WindowRow[],
  own: readonly WindowRow[],
  cursor: string,
  limit: number,
): string[] {
  const ids: string[] = [];
  for (let from: string | undefined = cursor; from !== undefined && ids.length < limit; ) {
    const size = limit + 1;
    const merged: Merged<WindowRow> = mergeWindows(
      windowOf(head, from, size),
      windowOf(own, from, size),
      limit - ids.length,
    );
    ids.push(...merged.shown.map((one) => one.id));
    from = merged.completeTo;
  }
  return ids;
}

const id = fc.integer({ min: 0, max: 40 }).map((n) => `ID${String(n).padStart(2, "0")}`);
const sorted = (rows: readonly WindowRow[]): WindowRow[] => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
const rowsOf = (ops: readonly Op[]) =>
  fc
    .uniqueArray(
      fc.tuple(id, fc.constantFrom(...ops), fc.constantFrom("h", "i"), fc.integer({ min: 0, max: 1 })),
      {
        selector: ([one]) => one,
        maxLength: 40,
      },
    )
    .map((list) => sorted(list.map(([one, op, hash, base]) => row(one, op, hash, base))));
const headRows = rowsOf(["head"]);
// Mostly tombstones, so that long runs of them stand between what is shown.
const ownRows = rowsOf(["del", "del", "del", "add", "edit", "calc"]);

/** The ids that a layer shows, said without windows. */
function visible(head: readonly WindowRow[], own: readonly WindowRow[]): string[] {
  const inHead = new Set(head.map((one) => one.id));
  const rows = new Map(own.map((one) => [one.id, one.op]));
  return [...new Set([...inHead, ...rows.keys()])].sort().filter((one) => {
    const op = rows.get(one);
    return op === undefined || op === "add" || (op !== "del" && inHead.has(one));
  });
}

describe("pages of a change set", () => {
  test("one after the other give every component exactly once, for every limit, whatever was added or removed", () => {
    fc.assert(
      fc.property(headRows, ownRows, fc.integer({ min: 1, max: 7 }), (head, own, limit) => {
        const all: string[] = [];
        for (let cursor = ""; ; ) {
          const ids = page(head, own, cursor, limit);
          expect(ids.length).toBeLessThanOrEqual(limit);
          all.push(...ids);
          if (ids.length < limit) break;
          cursor = ids.at(-1) ?? cursor;
        }
        expect(all).toEqual(visible(head, own));
      }),
      { numRuns: 500 },
    );
  });

  test("go on after a cursor whose component is gone", () => {
    fc.assert(
      fc.property(headRows, ownRows, id, (head, own, cursor) => {
        expect(page(head, own, cursor, 100)).toEqual(visible(head, own).filter((one) => one > cursor));
      }),
    );
  });
});

describe("what is shown of one component", () => {
  const shown = (head: readonly WindowRow[], own: readonly WindowRow[]) =>
    mergeWindows({ rows: head, full: false }, { rows: own, full: false }, 10).shown[0];

  test.each([
    ["the head's alone", [row("A", "head", "h")], [], "None"],
    ["added", [], [row("A", "add", "h")], "Added"],
    ["changed", [row("A", "head", "h")], [row("A", "edit", "i")], "Modified"],
    ["a row that came to equal the head", [row("A", "head", "h")], [row("A", "edit", "h")], "None"],
    ["derived values that differ", [row("A", "head", "h")], [row("A", "calc", "i")], "Modified"],
  ] as const)("%s", (_title, head, own, diff) => {
    expect(shown(head, own)?.diff).toBe(diff);
  });

  test("is stale when its row was computed against an older row of the head", () => {
    expect(shown([row("A", "head", "h")], [row("A", "edit", "i", 0)])?.stale).toBe(true);
    expect(shown([row("A", "head", "h")], [row("A", "edit", "i", 1)])?.stale).toBe(false);
    expect(shown([], [row("A", "add", "i", 0)])?.stale).toBe(false);
  });
});
