import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockersOf, inOrder } from "../../../server/domain/action-order.ts";
import { dispatchable, maximumRunning, type WaitingAction } from "../../../server/domain/dispatch.ts";

const components = ["a", "b", "c", "d", "e"];
type Pair = readonly [reader: string, source: string];
const next = (reads: readonly Pair[], from: string, down: boolean): string[] =>
  reads.flatMap(([reader, source]) => {
    if (down) return source === from ? [reader] : [];
    return reader === from ? [source] : [];
  });
const neighbours = (reads: readonly Pair[], down: boolean) =>
  new Map(components.map((one) => [one, next(reads, one, down)]));

/** Whether an action may begin, in the words of the rule, by trying every path. */
function mayBegin(
  actions: readonly WaitingAction[],
  reads: readonly Pair[],
  marked: ReadonlySet<string>,
  computing: ReadonlySet<string>,
  { kind, state, componentId }: WaitingAction,
): boolean {
  if (state !== "Pending" || componentId === undefined) return state === "Pending";
  const down = kind === "Destroy";
  if ((marked.has(componentId) && !down) || computing.has(componentId)) return false;
  const blocks = (component: string): boolean => {
    const there = actions.filter((one) => one.componentId === component && (down || one.kind !== "Destroy"));
    return there.length > 0 || next(reads, component, down).some(blocks);
  };
  if (next(reads, componentId, down).some(blocks)) return false;
  return !actions.some((one) => one.componentId === componentId && /Dispatched|Running/.test(one.state));
}

const anyActions = fc
  .array(
    fc.record({
      kind: fc.constantFrom("Create", "Update", "Refresh", "Destroy", "Manual"),
      state: fc.constantFrom("Pending", "Pending", "Pending", "OnHold", "Failed", "Dispatched", "Running"),
      componentId: fc.option(fc.constantFrom(...components), { nil: undefined, freq: 12 }),
    }),
    { maxLength: 9 },
  )
  .map((drafts) => drafts.map((draft, index) => ({ ...draft, id: `0${index}` })));
/** Nobody reads in a circle: a component reads only what comes before it in the alphabet. */
const anyReads = fc
  .array(fc.tuple(fc.constantFrom(...components), fc.constantFrom(...components)), { maxLength: 8 })
  .map((pairs) => pairs.filter(([reader, source]) => reader > source));
const some = fc.subarray(components, { maxLength: 2 }).map((ids) => new Set(ids));

describe("dispatchable", () => {
  const choose = (
    actions: readonly WaitingAction[],
    reads: readonly Pair[],
    marked: ReadonlySet<string>,
    computing: ReadonlySet<string>,
  ) => {
    const blockers = blockersOf(actions, {
      sources: neighbours(reads, false),
      readers: neighbours(reads, true),
    });
    return dispatchable(inOrder(actions, blockers), { blockers, marked, computing });
  };

  it("lets an action begin exactly when nothing is left that it waits for, one of a component at a time", () => {
    fc.assert(
      fc.property(anyActions, anyReads, some, some, (actions, reads, marked, computing) => {
        const chosen = choose(actions, reads, marked, computing);
        const free = actions.filter((one) => mayBegin(actions, reads, marked, computing, one));
        expect(free.map(({ id }) => id)).toEqual(expect.arrayContaining(chosen));
        // Of several of one component the oldest begins.
        const first = free.filter(
          (one, index) =>
            one.componentId === undefined ||
            free.findIndex(({ componentId }) => componentId === one.componentId) === index,
        );
        expect([...chosen].sort()).toEqual(first.map(({ id }) => id));
      }),
    );
  });

  it("carries out everything that does not wait for what failed or is held, whatever ends first", () => {
    fc.assert(
      fc.property(anyActions, anyReads, fc.infiniteStream(fc.nat(99)), (drawn, reads, chance) => {
        let actions: WaitingAction[] = drawn.map((one) =>
          one.state === "Running" || one.state === "Dispatched" ? { ...one, state: "Pending" } : one,
        );
        const none = new Set<string>();
        for (let step = 0; step < 40; step++) {
          const begun = new Set(choose(actions, reads, none, none));
          actions = actions.map((one) => (begun.has(one.id) ? { ...one, state: "Running" } : one));
          const running = actions.filter(({ state }) => state === "Running");
          const ending = running[chance.next().value % Math.max(1, running.length)];
          if (ending === undefined) break;
          const fails = chance.next().value < 20;
          actions = fails
            ? actions.map((one) => (one === ending ? { ...one, state: "Failed" } : one))
            : actions.filter((one) => one !== ending);
        }
        expect(actions.filter(({ state }) => state === "Running")).toEqual([]);
        for (const left of actions.filter(({ state }) => state === "Pending")) {
          expect(actions.some(({ state }) => state === "Failed" || state === "OnHold")).toBe(true);
          expect(mayBegin(actions, reads, none, none, left)).toBe(false);
        }
      }),
    );
  });

  it("leaves most of a large queue to be held and cancelled", () => {
    const many = Array.from({ length: 80 }, (_, index) => ({
      id: `${index}`.padStart(3, "0"),
      kind: "Create",
      state: index < 20 ? "Running" : "Pending",
      componentId: `c${index}`,
    }));
    const begun = dispatchable(many, { blockers: new Map(), marked: new Set(), computing: new Set() });
    expect(begun).toHaveLength(maximumRunning - 20);
    expect(begun[0]).toBe("020");
  });
});
