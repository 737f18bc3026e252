import type { Clock } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";
import { forgetAudit } from "./store/audit.ts";
import { forgetRunCode, forgetRuns } from "./store/func-run-sweep.ts";
import { forgetFunctionJobs } from "./store/function-jobs.ts";
import { forgetEvents } from "./store/history.ts";
import type { Store } from "./store/open.ts";
import { forgetSecretContents } from "./store/secret-sweep.ts";
import { forgetSessions } from "./store/sessions.ts";
import { forgetTelemetry } from "./store/telemetry.ts";
import { forgetUses } from "./store/used-once.ts";

/** What a sweeper needs; `eventDays` is how long events are kept. */
export interface SweeperOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly eventDays: number;
}

/** Removes what is older than it is to be kept, as long as the process runs. */
export interface Sweeper {
  /** Starts nothing more and resolves when what runs has ended. */
  stop(): Promise<void>;
}

/** Days are kept, so an hour more or less does not matter. */
const everyMs = 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
/** How long entries of audit logs are kept: a year, longer than the history of workspaces. */
const auditDays = 365;
/** How long it is remembered what was used once: a browser may send a form again as long as its tab is open. */
const useDays = 30;
/** How long telemetry events are kept, and how many at most: about 200 bytes each, so 20 MB. */
const telemetryDays = 30;
const maximumTelemetry = 100_000;

/** Starts sweeping, at once and then every hour; a sweep that fails is logged, and the next one makes up for it. */
export function startSweeper({ store, clock, log, eventDays }: SweeperOptions): Sweeper {
  let cancel = (): void => {};
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const forget = async (what: string, work: () => Promise<number>): Promise<void> => {
    try {
      const count = await work();
      if (count > 0) log.info(`forgot ${what}`, { count });
    } catch (error) {
      log.warn(`could not forget ${what} and will try again`, { reason: String(error) });
    }
  };
  const sweep = async (): Promise<void> => {
    await forget("old events", () => forgetEvents(store, clock.now() - eventDays * dayMs));
    await forget("what no secret holds any more", () => forgetSecretContents(store, clock.now() - everyMs));
    await forget("old jobs", () => forgetFunctionJobs(store, clock.now() - eventDays * dayMs));
    await forget("old runs of functions", () => forgetRuns(store, clock.now() - everyMs));
    await forget("code that nothing runs any more", () => forgetRunCode(store, clock.now() - everyMs));
    await forget("sessions that are over", () => forgetSessions(store, clock.now() - dayMs));
    await forget("old uses of what counts once", () => forgetUses(store, clock.now() - useDays * dayMs));
    await forget("old entries of audit logs", () => forgetAudit(store, clock.now() - auditDays * dayMs));
    await forget("old telemetry events", () =>
      forgetTelemetry(store, clock.now() - telemetryDays * dayMs, maximumTelemetry),
    );
    if (!stopped) cancel = clock.after(everyMs, begin, { background: true });
  };
  const begin = (): void => {
    running = sweep();
  };
  begin();
  return {
    stop: async () => {
      stopped = true;
      cancel();
      await running;
      cancel();
    },
  };
}
