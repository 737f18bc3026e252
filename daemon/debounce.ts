import type { Cancel, Clock } from "../src/lib/clock.ts";

/** Work that is put off while requests for it keep coming. */
export interface Debounced {
  /** Asks for the work to be done soon. */
  request(): void;
  /** Does what was asked for now; resolves when it, and what ran before it, is done. */
  flush(): Promise<void>;
  /** Forgets what was asked for and not begun. */
  cancel(): void;
}

/** How long work is put off: until nothing was asked for `quietMs`, but never longer than `longestMs`. */
interface DebounceLimits {
  readonly quietMs: number;
  readonly longestMs: number;
}

/** Runs `work` some time after it was asked for, once for all requests in between, never twice at a time. */
export function debounce(clock: Clock, limits: DebounceLimits, work: () => Promise<void>): Debounced {
  let firstAsked: number | undefined;
  let cancel: Cancel | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    if (firstAsked !== undefined) {
      firstAsked = undefined;
      running = running.then(work);
    }
    return running;
  };
  return {
    request: () => {
      const now = clock.now();
      firstAsked ??= now;
      cancel?.();
      const due = Math.min(now + limits.quietMs, firstAsked + limits.longestMs);
      cancel = clock.after(due - now, () => void run());
    },
    flush: run,
    cancel: () => {
      cancel?.();
      firstAsked = undefined;
    },
  };
}
