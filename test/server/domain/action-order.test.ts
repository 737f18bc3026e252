import fc from "fast-check";
import { expect, it } from "vitest";
import { blockersOf, inOrder, type OrderedAction } from "../../../server/domain/action-order.ts";

const components = ["a", "b", "c", "d", "e", "f"];
type Pair = readonly [reader: string, source: string];

const graphOf = (reads: readonly Pair[]) => {
  const sources = new Map<string, string[]>();
  const readers = new Map<string, string[]>();
  for (const [reader, source] of reads) {
    sources.set(reader, [...(sources.get(reader) ?? []), source]);
    readers.set(source, [...(readers.get(source) ?? []), reader]);
  }
  return { sources, readers };
};

/** Who waits for whom, by trying every path. */
function naive(
  actions: readonly OrderedAction[],
  reads: readonly Pair[],
  action: OrderedAction,
): Set<string> {
  const found = new Set<string>();
  const next = (from: string): string[] =>
    reads.flatMap(([reader, source]) =>
      action.kind === "Destroy" ? (source === from ? [reader] : []) : reader === from ? [source] : [],
    );
  const visit = (component: string, path: readonly string[]): void => {
    for (const one of next(component)) {
      if (path.includes(one)) continue;
      const there = actions.filter(
        ({ componentId, kind }) => componentId === one && (action.kind === "Destroy" || kind !== "Destroy"),
      );
      for (const { id } of there) found.add(id);
      if (there.length === 0) visit(one, [...path, one]);
    }
  };
  if (action.componentId !== undefined) visit(action.componentId, [action.componentId]);
  return found;
}

const anyReads = fc.array(fc.tuple(fc.constantFrom(...components), fc.constantFrom(...components)), {
  maxLength: 10,
});
const anyActions = fc
  .array(
    fc.record({
      kind: fc.constantFrom("Create", "Update", "Destroy", "Manual"),
      componentId: fc.option(fc.constantFrom(...components), { nil: undefined }),
    }),
    { maxLength: 8 },
  )
  .chain((drafts) =>
    fc.shuffledSubarray(
      drafts.map((draft, index) => ({ ...draft, id: `0${index}` })),
      { minLength: drafts.length },
    ),
  );

it("lets an action wait for those of the nearest sources, a Destroy for those of the nearest readers", () => {
  fc.assert(
    fc.property(anyActions, anyReads, (actions, reads) => {
      const blockers = blockersOf(actions, graphOf(reads));
      for (const action of actions) {
        expect(new Set(blockers.get(action.id))).toEqual(naive(actions, reads, action));
      }
    }),
  );
});

it("never makes a Destroy and what reads its component wait for each other", () => {
  fc.assert(
    fc.property(anyActions, anyReads, (actions, reads) => {
      // Nobody reads in a circle: a component reads only what comes before it in the alphabet.
      const graph = graphOf(reads.filter(([reader, source]) => reader > source));
      const blockers = blockersOf(actions, graph);
      const done = new Set<string>();
      for (const { id } of inOrder(actions, blockers)) {
        expect([...(blockers.get(id) ?? [])].filter((blocker) => !done.has(blocker))).toEqual([]);
        done.add(id);
      }
    }),
  );
});

it("puts every action once, after all that it waits for, and what waits in a circle last", () => {
  fc.assert(
    fc.property(anyActions, anyReads, (actions, reads) => {
      const blockers = blockersOf(actions, graphOf(reads));
      const ordered = inOrder(actions, blockers);
      expect(ordered.map(({ id }) => id).sort()).toEqual(actions.map(({ id }) => id).sort());
      const done = new Set<string>();
      let circular = false;
      for (const { id } of ordered) {
        const free = [...(blockers.get(id) ?? [])].every((blocker) => done.has(blocker));
        // After the first that cannot run no other one can.
        if (circular) expect(free).toBe(false);
        circular ||= !free;
        if (free) done.add(id);
      }
    }),
  );
});

it("keeps the order of ids among those that wait equally long", () => {
  const on = (id: string, componentId: string, kind = "Create"): OrderedAction => ({ id, kind, componentId });
  const actions = [on("5", "a"), on("4", "b"), on("3", "c"), on("2", "a", "Manual"), on("1", "d", "Destroy")];
  // b and c read a, a reads d: d's Destroy waits for what reads it.
  const graph = graphOf([
    ["b", "a"],
    ["c", "a"],
  ]);
  expect(inOrder(actions, blockersOf(actions, graph)).map(({ id }) => id)).toEqual(["1", "2", "5", "3", "4"]);
});
