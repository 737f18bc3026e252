import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChangeLog } from "../../daemon/change-log.ts";
import { diff, type Items, isEmpty, keysOf } from "../../daemon/delta.ts";
import { fakeClock } from "../support/fake-clock.ts";

const itemsOf = (plain: Record<string, unknown>): Items =>
  new Map(Object.entries(plain).map(([key, value]) => [key, JSON.stringify(value)]));
const snapshot = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e"), fc.integer({ max: 3, min: 0 }));
const listName = fc.constantFrom("one", "two", "three");

describe("what differs between two snapshots", () => {
  it("names every item that was added, changed or removed, and no other", () => {
    fc.assert(
      fc.property(snapshot, snapshot, (before, after) => {
        const delta = diff(itemsOf(before), itemsOf(after));
        expect(delta.added.toSorted()).toEqual(
          Object.keys(after)
            .filter((k) => !(k in before))
            .toSorted(),
        );
        expect(delta.removed.toSorted()).toEqual(
          Object.keys(before)
            .filter((k) => !(k in after))
            .toSorted(),
        );
        expect(delta.changed.toSorted()).toEqual(
          Object.keys(after)
            .filter((k) => k in before && before[k] !== after[k])
            .toSorted(),
        );
        expect(isEmpty(delta)).toBe(keysOf(delta).length === 0);
      }),
    );
  });

  it("never takes another order of an object's members for a change", () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(members, (object) => {
        const shuffled = Object.fromEntries(Object.entries(object).reverse());
        expect(isEmpty(diff(itemsOf({ a: { object } }), itemsOf({ a: { object: shuffled } })))).toBe(true);
      }),
    );
  });
});

describe("the change log", () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("replace" as const), list: listName, items: snapshot }),
    fc.record({ kind: fc.constant("edit" as const), list: listName, items: snapshot }),
    fc.record({ kind: fc.constant("remove" as const), list: listName }),
    fc.record({ kind: fc.constant("read" as const), reader: fc.nat({ max: 2 }) }),
  );

  it("brings every reader to the lists as they are, whenever it asks and whatever the log has forgotten", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 12 }), (steps, keep) => {
        const log = new ChangeLog("me", fakeClock(), keep);
        const truth = new Map<string, Map<string, string>>();
        const readers = [0, 1, 2].map(() => ({
          revision: -1,
          lists: new Map<string, Map<string, string>>(),
        }));
        const read = (reader: number): void => {
          const state = readers[reader];
          if (state === undefined) return;
          const answer = log.since({ instance: "me", revision: state.revision });
          state.revision = answer.revision;
          if (answer.fresh) state.lists.clear();
          for (const { resource, upserted, deleted, whole } of answer.changes) {
            const list = new Map(whole ? [] : state.lists.get(resource));
            for (const [key, text] of upserted) list.set(key, text);
            for (const key of deleted) list.delete(key);
            state.lists.set(resource, list);
          }
        };
        for (const each of steps) {
          if (each.kind === "read") read(each.reader);
          if (each.kind === "replace") {
            const items = itemsOf(each.items);
            log.replace(each.list, items, diff(log.items(each.list), items));
            truth.set(each.list, new Map(items));
          }
          if (each.kind === "edit") {
            log.edit(each.list, itemsOf(each.items), ["a"]);
            const edited = new Map([...(truth.get(each.list) ?? []), ...itemsOf(each.items)]);
            edited.delete("a");
            truth.set(each.list, edited);
          }
          if (each.kind === "remove") {
            log.remove([each.list]);
            truth.delete(each.list);
          }
        }
        const filled = (lists: Map<string, Map<string, string>>): unknown =>
          Object.fromEntries([...lists].filter(([, list]) => list.size > 0));
        for (const reader of [0, 1, 2]) {
          read(reader);
          expect(filled(readers[reader]?.lists ?? new Map())).toEqual(filled(truth));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("tells of a list as a whole when most of a long one changed, and remembers no keys for it", () => {
    const log = new ChangeLog("me", fakeClock());
    const items = (name: string): Items =>
      new Map(Array.from({ length: 2_000 }, (_, n) => [`${n}`, JSON.stringify(name)]));
    log.replace("list", items("old"), diff(new Map(), items("old")));
    const { revision } = log;
    log.replace("list", items("new"), diff(items("old"), items("new")));
    const answer = log.since({ instance: "me", revision });
    expect(answer.changes.map(({ whole, upserted }) => [whole, upserted.size])).toEqual([[true, 2_000]]);
  });

  it("holds a reader until something changes, time is up, or the reader leaves", async () => {
    const clock = fakeClock();
    const log = new ChangeLog("me", clock);
    const seen = (): { instance: string; revision: number } => ({ instance: "me", revision: log.revision });
    const forever = new AbortController();
    const changed = log.after(seen(), 60_000, forever.signal);
    log.edit("list", itemsOf({ a: 1 }));
    expect((await changed).changes).toHaveLength(1);

    const late = log.after(seen(), 1_000, forever.signal);
    await clock.advance(1_000);
    expect((await late).changes).toEqual([]);

    const leaving = log.after(seen(), 60_000, forever.signal);
    forever.abort();
    expect((await leaving).changes).toEqual([]);
    expect(clock.pending()).toBe(0);
  });
});
