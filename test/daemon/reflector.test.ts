import { describe, expect, it } from "vitest";
import { type Health, Reflector } from "../../daemon/reflector.ts";
import { Slots } from "../../daemon/slots.ts";
import { ApiError } from "../../src/contract/errors.ts";
import { ConnectionError } from "../../src/http/failure.ts";
import type { Listed, ListOptions } from "../../src/mirror/resources.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";

type Answer = Listed<unknown> | Error | "held";

/** A reflector whose server answers by script: each request takes the next answer; without one it is held. */
class Scripted {
  readonly clock: FakeClock = fakeClock();
  readonly asked: { readonly at: number; readonly etag: string | undefined; readonly waitSeconds: number }[] =
    [];
  readonly health: Health[] = [];
  readonly reflector: Reflector;
  readonly stop = new AbortController();
  etag: string | undefined;
  underWay = 0;
  most = 0;
  answers: Answer[] = [];
  readonly #started = this.clock.now();

  constructor(...answers: Answer[]) {
    this.answers = answers;
    this.reflector = new Reflector({
      clock: this.clock,
      slots: new Slots(),
      holdSeconds: 45,
      etag: () => this.etag,
      list: (options) => this.#list(options),
      take: (listed) => {
        if (listed.unchanged) return false;
        const changed = listed.etag !== this.etag;
        this.etag = listed.etag;
        return changed;
      },
      onHealth: (health) => this.health.push(health),
    });
    void this.reflector.run(this.stop.signal);
  }

  async #list({ etag, waitSeconds, signal }: ListOptions): Promise<Listed<unknown>> {
    this.asked.push({ at: this.clock.now() - this.#started, etag, waitSeconds });
    this.most = Math.max(this.most, ++this.underWay);
    try {
      const answer = this.answers.shift() ?? "held";
      if (answer instanceof Error) throw answer;
      if (answer !== "held") return answer;
      return await new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    } finally {
      this.underWay--;
    }
  }
}

const items = (etag: string): Listed<unknown> => ({ unchanged: false, items: [], etag });
const unchanged: Listed<unknown> = { unchanged: true };
const lost = new ConnectionError("could not reach it");

describe("keeping one list in step", () => {
  it("asks for everything first and then only whether it changed, held", async () => {
    const list = new Scripted(items("one"));
    await list.clock.advance(1_000);
    expect(list.asked).toEqual([
      { at: 0, etag: undefined, waitSeconds: 0 },
      { at: 100, etag: "one", waitSeconds: 45 },
    ]);
  });

  it("rests after each failure, longer each time, and starts over after a success", async () => {
    const list = new Scripted(lost, lost, lost, items("one"), items("two"), lost);
    await list.clock.advance(10_000);
    expect(list.asked.map(({ at }) => at)).toEqual([0, 250, 750, 1_750, 1_850, 1_950, 2_200]);
    expect(list.health.map(({ failures }) => failures)).toContain(3);
    expect(list.health.at(-1)).toMatchObject({ failures: 1, error: "could not reach it", nextAt: undefined });
  });

  it("waits for as long as the server asks, nudged or not", async () => {
    const list = new Scripted(
      new ApiError("rateLimited", "slow down", { retryAfterSeconds: 30 }),
      items("one"),
    );
    await list.clock.advance(10_000);
    list.reflector.nudge("news");
    await list.clock.advance(19_000);
    expect(list.asked).toHaveLength(1);
    await list.clock.advance(2_000);
    expect(list.asked[1]).toEqual({ at: 30_000, etag: undefined, waitSeconds: 0 });
  });

  it("gives a held request up when it is nudged, asks at once, and counts no failure", async () => {
    const list = new Scripted(items("one"), "held", unchanged);
    await list.clock.advance(1_000);
    list.reflector.nudge("news");
    await list.clock.advance(0);
    expect(list.asked.slice(1)).toEqual([
      { at: 100, etag: "one", waitSeconds: 45 },
      { at: 1_000, etag: "one", waitSeconds: 0 },
      { at: 1_000, etag: "one", waitSeconds: 45 },
    ]);
    expect(list.health.every(({ failures }) => failures === 0)).toBe(true);
    expect(list.most).toBe(1);
  });

  it("reads everything again when it is asked to, whatever the tag says", async () => {
    const list = new Scripted(items("one"), "held", items("one"));
    await list.clock.advance(1_000);
    list.reflector.nudge("everything");
    list.reflector.nudge("news");
    await list.clock.advance(0);
    expect(list.asked[2]).toEqual({ at: 1_000, etag: undefined, waitSeconds: 0 });
  });

  it("polls a server that does not hold, every second at first and every five at last", async () => {
    const list = new Scripted(items("one"), ...Array.from({ length: 40 }, () => unchanged));
    await list.clock.advance(60_000);
    const times = list.asked.map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses.slice(0, 5)).toEqual([100, 1_500, 2_250, 3_375, 5_000]);
    expect(pauses.slice(4).every((pause) => pause === 5_000)).toBe(true);
  });

  it("ends at once, also in the middle of a request or a rest", async () => {
    const resting = new Scripted(lost);
    await resting.clock.advance(0);
    resting.stop.abort();
    await resting.clock.advance(0);
    expect(resting.clock.pending()).toBe(0);
    const asking = new Scripted("held");
    await asking.clock.advance(0);
    asking.stop.abort();
    await asking.clock.advance(60_000);
    expect(asking.asked).toHaveLength(1);
    expect(asking.underWay).toBe(0);
  });
});
