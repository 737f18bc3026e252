import type { Cancel, Clock } from "../../src/lib/clock.ts";

/** A clock that moves only when told to; timers fire in order of their due time. */
export interface FakeClock extends Clock {
  /** Moves time forward by `ms`, firing what falls due and letting promises settle in between. */
  advance(ms: number): Promise<void>;
  /** How many timers are waiting. */
  pending(): number;
  /** Milliseconds until the next timer, or undefined when none waits. */
  nextIn(): number | undefined;
}

export function fakeClock(start = Date.UTC(2026, 0, 1), random: () => number = () => 0.5): FakeClock {
  let now = start;
  let sequence = 0;
  const timers = new Map<number, { readonly due: number; readonly fire: () => void }>();
  const next = (): [number, { readonly due: number; readonly fire: () => void }] | undefined =>
    [...timers].sort(([a, x], [b, y]) => x.due - y.due || a - b)[0];
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    now: () => now,
    random,
    after: (ms, callback): Cancel => {
      const id = sequence++;
      timers.set(id, { due: now + Math.max(0, ms), fire: callback });
      return () => timers.delete(id);
    },
    advance: async (ms) => {
      const until = now + ms;
      await settle();
      for (let timer = next(); timer !== undefined && timer[1].due <= until; timer = next()) {
        now = Math.max(now, timer[1].due);
        timers.delete(timer[0]);
        timer[1].fire();
        await settle();
      }
      now = until;
      await settle();
    },
    pending: () => timers.size,
    nextIn: () => {
      const timer = next();
      return timer === undefined ? undefined : timer[1].due - now;
    },
  };
}
