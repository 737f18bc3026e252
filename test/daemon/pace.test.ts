import { describe, expect, it } from "vitest";
import { type Arrival, Pace } from "../../daemon/pace.ts";

/** A pace whose answers come one after the other, each after the pause that the one before asked for. */
class Paced {
  readonly #pace = new Pace();
  #now = 0;

  get doubtful(): boolean {
    return this.#pace.doubtful;
  }

  /** Takes an answer of one page that came after `ms`, and gives the pause after it. */
  after(ms: number, answer: Partial<Arrival> = {}): number {
    const startedAt = this.#now;
    const endedAt = startedAt + ms;
    const { pause } = this.#pace.after({
      startedAt,
      firstAt: endedAt,
      endedAt,
      held: true,
      mayHold: true,
      unchanged: false,
      changed: true,
      tagged: true,
      ...answer,
    });
    this.#now = endedAt + pause;
    return pause;
  }
}

const quick = { held: false, mayHold: false };
const equal = { changed: false };

describe("the pace of a list", () => {
  it("rests as long as reading took, which is not how long an answer was held", () => {
    const paced = new Paced();
    expect(paced.after(400, quick)).toBe(400);
    expect(paced.after(20_000)).toBe(400);
    expect(paced.after(150)).toBe(150);
    expect(paced.after(20_000)).toBe(150);
  });

  it("leaves a slow server that never stands still half of the time", () => {
    const paced = new Paced();
    expect(paced.after(2_000, quick)).toBe(2_000);
    for (let n = 0; n < 5; n++) expect(paced.after(2_000)).toBe(2_000);
    for (let n = 0; n < 5; n++) expect(paced.after(2_000, equal)).toBeGreaterThanOrEqual(2_000);
  });

  it("counts all pages but the wait for the first", () => {
    const paced = new Paced();
    paced.after(300, quick);
    expect(paced.after(10_000, { firstAt: 9_600 })).toBeGreaterThan(300);
  });

  it("does not know after a start from the cache what reading takes, and learns it from an answer that is not held", () => {
    const paced = new Paced();
    expect(paced.after(45_000, { unchanged: true, ...equal })).toBe(0);
    expect(paced.doubtful).toBe(false);
    expect(paced.after(2_000)).toBe(100);
    expect(paced.doubtful).toBe(true);
    expect(paced.after(2_000, quick)).toBe(2_000);
    expect(paced.doubtful).toBe(false);
    expect(paced.after(2_000)).toBe(2_000);
  });

  it("believes that a server holds while it is seen, and grows the interval again when it is not", () => {
    const paced = new Paced();
    paced.after(0, quick);
    expect(paced.after(0, equal)).toBe(1_500);
    expect(paced.after(0, equal)).toBe(2_250);
    expect(paced.after(3_000, equal)).toBe(100);
    expect(paced.after(0, equal)).toBe(500);
    const after = Array.from({ length: 700 }, () => paced.after(0, equal));
    expect(after.slice(0, 500).every((pause) => pause === 500)).toBe(true);
    expect(after.at(-1)).toBe(30_000);
    paced.after(3_000, equal);
    expect(paced.after(0, { unchanged: true, ...equal })).toBe(1_500);
    expect(paced.after(0, equal)).toBe(2_250);
  });
});
