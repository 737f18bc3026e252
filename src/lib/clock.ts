/** Cancels what was scheduled; calling it twice, or after the fact, does nothing. */
export type Cancel = () => void;

/** Time and randomness as values, so that tests can move them by hand. The only door to both. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number;
  /** Runs `callback` once after `ms`; never keeps the process alive by itself when `background` is set. */
  after(ms: number, callback: () => void, options?: { readonly background?: boolean }): Cancel;
  /** A number in [0, 1). */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback, options) => {
    const timer = setTimeout(callback, ms);
    if (options?.background === true) timer.unref();
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** RFC 3339 UTC, the form of every time on the wire. */
export const toTimestamp = (ms: number): string => new Date(ms).toISOString();
