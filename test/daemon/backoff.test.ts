import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { longestRetryMs, nextInterval, retryPause } from "../../daemon/backoff.ts";

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("the pause after failures", () => {
  it("doubles from 250 ms to 15 s", () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((failures) => retryPause(failures, () => 0.5));
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  });

  it("is spread by a quarter to both sides and never leaves its bounds", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e9 }), random, (failures, chance) => {
        const pause = retryPause(failures, () => chance);
        expect(Number.isInteger(pause)).toBe(true);
        expect(pause).toBeGreaterThanOrEqual(187);
        expect(pause).toBeLessThanOrEqual(longestRetryMs * 1.25);
      }),
    );
  });

  it("never undercuts Retry-After, up to ten minutes", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        random,
        fc.nat({ max: 10_000 }),
        (failures, chance, seconds) => {
          expect(retryPause(failures, () => chance, seconds)).toBeGreaterThanOrEqual(
            Math.min(seconds * 1000, 600_000),
          );
        },
      ),
    );
  });
});

describe("the interval between readings", () => {
  it("grows by half to 30 s, to 5 s where an unchanged list costs nothing, and falls back at a change", () => {
    const grow = (cheap: boolean): number[] => {
      let interval = 1_000;
      return Array.from({ length: 10 }, () => {
        interval = nextInterval(interval, false, cheap);
        return interval;
      });
    };
    expect(grow(false).slice(0, 3)).toEqual([1_500, 2_250, 3_375]);
    expect(grow(false).at(-1)).toBe(30_000);
    expect(grow(true).at(-1)).toBe(5_000);
    expect(nextInterval(30_000, true, false)).toBe(1_000);
  });
});
