import { sleep, systemClock } from "../../src/lib/clock.ts";

/** Thrown by a computation that nobody waits for any more: somebody else goes on with it. */
export class LeftBehind extends Error {}

/** For how long work is waited for, and what ends the wait at once. */
export interface Patience {
  readonly ms: number;
  readonly signal: AbortSignal;
  /** Aborted once nobody waits any more. */
  readonly left: AbortController;
}

/**
 * Waits until all work has ended, or for as long as the patience lasts; told to stop, until all has ended. Rejects with
 * the first failure so far, and when it was told to stop.
 */
export async function waitPatiently(
  work: readonly Promise<unknown>[],
  { ms, signal, left }: Patience,
): Promise<void> {
  const all = Promise.allSettled(work);
  const over = new AbortController();
  await Promise.race([all, sleep(systemClock, ms, AbortSignal.any([signal, over.signal]))]);
  over.abort();
  left.abort();
  if (signal.aborted) await all;
  signal.throwIfAborted();
  const failures = await Promise.all(work.map(failureOf));
  const failure = failures.find((one) => one !== undefined);
  if (failure !== undefined) throw failure.error;
}

/** Why work has failed already; undefined where it has not, or was left behind. */
const failureOf = (work: Promise<unknown>): Promise<{ readonly error: unknown } | undefined> =>
  Promise.race([work, undefined]).then(
    () => undefined,
    (error: unknown) => (error instanceof LeftBehind ? undefined : { error }),
  );
