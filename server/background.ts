import type { Log } from "../src/lib/log.ts";

/** Small writes that no answer waits for, one after the other: what was used when, and by whom. */
export interface Background {
  /** Runs `work` later; a `key` that still waits is not queued twice. */
  run(key: string, work: () => Promise<void>): void;
  /** Resolves when everything queued so far has run. */
  settled(): Promise<void>;
}

/** What may wait at once: past it the database is the bottleneck, and notes about use are what can be spared. */
const maximumWaiting = 10_000;

export function createBackground(log: Log): Background {
  const waiting = new Set<string>();
  let tail: Promise<void> = Promise.resolve();
  return {
    run: (key, work) => {
      if (waiting.has(key) || waiting.size >= maximumWaiting) return;
      waiting.add(key);
      tail = tail
        .then(() => {
          waiting.delete(key);
          return work();
        })
        .catch((error: unknown) => log.warn("background write failed", { reason: String(error) }));
    },
    settled: () => tail,
  };
}
