import type { Cancel, Clock } from "../src/lib/clock.ts";

/** How often the clock is looked at, and how much later than expected it must be to have slept, in milliseconds. */
const lookEveryMs = 5_000;
const sleptMs = 15_000;

/**
 * Calls `onWake` when the machine has slept: timers stand still meanwhile, the time of day does not. Connections held
 * open are dead then, though nothing says so. Stops when the answer is called.
 */
export function watchForSleep(clock: Clock, onWake: (sleptMs: number) => void): Cancel {
  let cancel: Cancel = () => undefined;
  const look = (before: number): void => {
    cancel = clock.after(
      lookEveryMs,
      () => {
        const now = clock.now();
        const late = now - before - lookEveryMs;
        if (late > sleptMs) onWake(late);
        look(now);
      },
      { background: true },
    );
  };
  look(clock.now());
  return () => cancel();
}
