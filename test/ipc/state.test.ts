import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyChanges, type Changes, emptyMirror } from "../../src/ipc/state.ts";

const changes = (revision: number, fresh: boolean, ...list: Changes["changes"]): Changes => ({
  instance: "one",
  revision,
  fresh,
  changes: list,
});
const delta = (
  resource: string,
  upserted: Record<string, unknown>,
  deleted: string[] = [],
  whole = false,
): Changes["changes"][number] => ({ resource, upserted, deleted, whole });

describe("what a reader holds of the mirror", () => {
  const first = applyChanges(
    emptyMirror,
    changes(3, true, delta("a", { x: 1, y: 2 }, [], true), delta("b", { z: 3 }, [], true)),
  );

  it("is what a first answer carries", () => {
    expect(first).toEqual({
      instance: "one",
      revision: 3,
      lists: new Map([
        ["a", new Map(Object.entries({ x: 1, y: 2 }))],
        ["b", new Map([["z", 3]])],
      ]),
    });
  });

  it("changes only in the lists that an answer names; the others are the same objects", () => {
    const next = applyChanges(first, changes(4, false, delta("a", { x: 9, n: 4 }, ["y"])));
    expect(next.lists.get("a")).toEqual(new Map(Object.entries({ x: 9, n: 4 })));
    expect(next.lists.get("b")).toBe(first.lists.get("b"));
    expect(first.lists.get("a")).toEqual(new Map(Object.entries({ x: 1, y: 2 })));
  });

  it("keeps every list when an answer carries no news", () => {
    expect(applyChanges(first, changes(3, false)).lists).toBe(first.lists);
  });

  it("loses what a fresh answer or a whole list does not name", () => {
    expect([...applyChanges(first, changes(9, true, delta("b", {}, [], true))).lists]).toEqual([
      ["b", new Map()],
    ]);
    const whole = applyChanges(first, changes(5, false, delta("a", { q: 0 }, [], true)));
    expect(whole.lists.get("a")).toEqual(new Map([["q", 0]]));
  });

  it("ends the same whether changes come one by one or all at once", () => {
    const step = fc.record({
      upserted: fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.integer()),
      deleted: fc.subarray(["a", "b", "c", "d"]),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const model = new Map<string, unknown>();
        let state = emptyMirror;
        steps.forEach(({ upserted, deleted }, index) => {
          for (const [key, item] of Object.entries(upserted)) model.set(key, item);
          for (const key of deleted) model.delete(key);
          state = applyChanges(state, changes(index, false, delta("list", upserted, deleted)));
        });
        expect(state.lists.get("list") ?? new Map()).toEqual(model);
      }),
    );
  });
});
