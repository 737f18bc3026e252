import { type Clock, sleep } from "../lib/clock.ts";
import { connectDaemon } from "./connect.ts";
import type { Changes } from "./state.ts";

/** First and longest pause between two tries to reach a lost daemon, in milliseconds; it doubles in between. */
const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** How long the daemon may hold an answer back: long enough to be cheap, short enough to notice a hung daemon. */
const holdMs = 30_000;

/** What a follower is told when the daemon does not answer. */
export interface Lost {
  readonly error: Error;
  /** Milliseconds since the epoch at which the next try begins. */
  readonly retryAt: number;
  /** Tries that failed since the last answer, 1 at the first. */
  readonly failures: number;
}

/** How a follower hears of the mirror. */
interface FollowOptions {
  readonly clock: Clock;
  /** Ends the following. */
  readonly signal: AbortSignal;
  /** Every answer that carries news, in order; apply it with `applyChanges`. The first one carries everything. */
  readonly onChanges: (changes: Changes) => void;
  /** Each failed try. What was heard before stays true as of then; the next answer brings whatever was missed. */
  readonly onLost: (lost: Lost) => void;
  /** Called with every answer after a loss, also with one that carries no news. */
  readonly onFound?: () => void;
  /** Stands in for the connection. */
  readonly connect?: (socketPath: string) => Pick<ReturnType<typeof connectDaemon>, "daemon">;
}

/**
 * Keeps a reader in step with the daemon at `socketPath` until the signal aborts: forever, whatever fails. The reader
 * converges to the daemon's state whatever it missed, also across a daemon's restart. Never rejects.
 */
export async function follow(socketPath: string, options: FollowOptions): Promise<void> {
  const { clock, signal } = options;
  const { daemon } = (options.connect ?? connectDaemon)(socketPath);
  let seen: { readonly instance: string; readonly revision: number } | undefined;
  let failures = 0;
  while (!signal.aborted) {
    try {
      // Asked like a held request, so that the client waits longer than the daemon does.
      // The first question after a loss is not held, so that a reader hears at once that all is well again.
      const waitMs = failures > 0 ? 0 : holdMs;
      const query = seen === undefined ? { since: -1, waitMs } : { ...asQuery(seen), waitMs };
      const changes = await daemon.changes.conditional(
        { query },
        { etag: undefined, waitSeconds: waitMs / 1000, signal },
      );
      if (signal.aborted) return;
      if (failures > 0) options.onFound?.();
      failures = 0;
      if (changes.unchanged) continue;
      const { instance, revision, fresh } = changes.body;
      const news = fresh || revision !== seen?.revision;
      if (news) options.onChanges(changes.body);
      seen = { instance, revision };
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      const pause = pauseAfter(failures, clock.random);
      options.onLost({ error: asError(error), retryAt: clock.now() + pause, failures });
      await sleep(clock, pause, signal);
    }
  }
}

const asQuery = (seen: { readonly instance: string; readonly revision: number }) => ({
  since: seen.revision,
  instance: seen.instance,
});

/** 250 ms, doubling to 10 s, each between 75 % and 125 % of that: 10 tries in the first minute, 6 in each after it. */
function pauseAfter(failures: number, random: () => number): number {
  const pause = Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 16), longestPauseMs);
  return Math.round(pause * (0.75 + random() / 2));
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
