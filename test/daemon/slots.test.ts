import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Slot, Slots } from "../../daemon/slots.ts";

const never = new AbortController().signal;

describe("places for requests", () => {
  it("are never more in use than there are, and everybody who waits gets one", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom("held", "quick"), { maxLength: 30 }), async (wants) => {
        const slots = new Slots({ held: 2, quick: 3 });
        let held = 0;
        let quick = 0;
        await Promise.all(
          wants.map(async (want) => {
            const slot = await slots.take(want as "held" | "quick", never);
            if (slot?.held === true) held++;
            else quick++;
            expect(held).toBeLessThanOrEqual(2);
            expect(quick).toBeLessThanOrEqual(3);
            await new Promise((resolve) => setImmediate(resolve));
            if (slot?.held === true) held--;
            else quick--;
            slot?.release();
            slot?.release();
          }),
        );
        expect([held, quick]).toEqual([0, 0]);
      }),
    );
  });

  it("for quick requests are not taken by held ones: who finds no place to be held asks quickly", async () => {
    const slots = new Slots({ held: 1, quick: 1 });
    const first = await slots.take("held", never);
    const second = await slots.take("held", never);
    expect([first?.held, second?.held]).toEqual([true, false]);
  });

  it("are given up by whoever stops waiting", async () => {
    const slots = new Slots({ held: 0, quick: 1 });
    const first = await slots.take("quick", never);
    const leaving = new AbortController();
    const waiting = slots.take("quick", leaving.signal);
    const patient: Promise<Slot | undefined> = slots.take("quick", never);
    leaving.abort();
    expect(await waiting).toBeUndefined();
    first?.release();
    expect((await patient)?.held).toBe(false);
  });
});
