import type { Log } from "../src/lib/log.ts";

/** Small writes that no answer waits for, one after the other: what was used when, and by whom. */
export interface Background {
  /** Runs `work` later, or never when too much waits already. */
  run(work: () => Promise<void>): void;
  /** Resolves when everything queued so far has run. */
  settled(): Promise<void>;
}

/** What may wait at once: past it the database is the bottleneck, and notes about use are what can be spared. */
const maximumWaiting = 10_000;

/** Makes the queue; failures are logged and lose only the one write. */
export function createBackground(log: Log): Background {
  let waiting = 0;
  let tail: Promise<void> = Promise.resolve();
  return {
    run: (work) => {
      if (waiting >= maximumWaiting) return;
      waiting++;
      tail = tail
        .then(work)
        .catch((error: unknown) => log.warn("background write failed", { reason: String(error) }))
        .finally(() => {
          waiting--;
        });
    },
    settled: () => tail,
  };
}
