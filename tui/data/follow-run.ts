import { type connectDaemon, readThroughDaemon } from "../../src/ipc/connect.ts";
import { type Clock, sleep } from "../../src/lib/clock.ts";
import type { RunResult } from "../core/message.ts";
import { hasEnded } from "../core/run-log.ts";
import { reasonOf } from "./reason.ts";

/** How long the server may hold an answer without news: below the minute after which things in between cut connections. */
const heldSeconds = 30;
/** Lines of a burst are read together; a server that tags or holds nothing is asked once a second. */
const burstMs = 100;
const pollMs = 1_000;
/** The longest pause between two tries after failures, in milliseconds; the first is a second, and it doubles. */
const longestPauseMs = 10_000;

/** Which run is followed, and until when. */
export interface FollowedRun {
  readonly place: { readonly workspaceId: string; readonly changeSetId: string; readonly funcRunId: string };
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onResult: (result: RunResult) => void;
}

/** Reads a run whenever it has news, until it has ended or the signal aborts; whatever fails is tried again. */
export async function followRun(
  client: Pick<ReturnType<typeof connectDaemon>, "daemon">,
  { place, clock, signal, onResult }: FollowedRun,
): Promise<void> {
  let etag: string | undefined;
  let failures = 0;
  while (!signal.aborted) {
    const asked = clock.now();
    let pause = burstMs;
    try {
      const answer = await readThroughDaemon(client, "functionRuns.get", place, {
        etag,
        waitSeconds: etag === undefined ? 0 : heldSeconds,
        signal,
      });
      if (signal.aborted) return;
      failures = 0;
      if (answer.unchanged) pause = asked + pollMs - clock.now();
      else {
        onResult({ run: answer.body.funcRun });
        if (hasEnded(answer.body.funcRun)) return;
        etag = answer.etag;
        // The whole log comes with every answer: a long one is read for half of the time at most.
        pause = etag === undefined ? pollMs : Math.max(burstMs, clock.now() - asked);
      }
    } catch (error) {
      if (signal.aborted) return;
      onResult({ error: reasonOf(error) });
      // What comes next is shown whole, and takes the failure away.
      etag = undefined;
      pause = Math.min(pollMs * 2 ** Math.min(failures++, 8), longestPauseMs);
    }
    if (pause > 0) await sleep(clock, pause, signal);
  }
}
