import { performance } from "node:perf_hooks";
import { type Clock, sleep, systemClock } from "../../src/lib/clock.ts";

/** How often it is judged whether the process is busy. */
const windowMs = 50;
/** Pieces of work that begin within it while the process is busy: 320 a second, more than the 300 that are wanted then. */
const perWindow = 16;
/** From here on the event loop is busy with answers: a function costs it half a millisecond, so 1,000 a second alone half of it. */
const busyFrom = 0.5;

/** Resolves when the next piece of work may begin. */
export type Pace = () => Promise<void>;

/**
 * Lets work begin as it comes while the event loop has time, and no more than so much a second while it has none, so
 * that what runs in the background leaves the processors to those who wait for an answer.
 */
export function createPace(clock: Clock = systemClock, loadOf: () => number = eventLoopLoad()): Pace {
  let since = Number.NEGATIVE_INFINITY;
  let begun = 0;
  let isBusy = false;
  return async () => {
    for (;;) {
      const left = since + windowMs - clock.now();
      if (left <= 0) {
        since = clock.now();
        begun = 0;
        isBusy = loadOf() >= busyFrom;
      }
      if (!isBusy || begun < perWindow) break;
      await sleep(clock, left);
    }
    begun++;
  };
}

/** The share of the time since it was asked last in which the event loop was at work, 0 to 1. */
function eventLoopLoad(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
