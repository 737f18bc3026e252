import { type Clock, sleep } from "../../src/lib/clock.ts";
import { deferJob, finishJob, type Job, leaseJob, renewJob, renewMs, takeOverJobs } from "../store/jobs.ts";
import type { Store } from "../store/open.ts";
import { jobsKey } from "../store/roots.ts";
import { switchKey } from "../store/switches.ts";
import type { JobHandler } from "./handlers.ts";

/** Where failures of jobs are noted; pino's logger fits. */
export interface WorkerLog {
  warn(details: object, message: string): void;
}

export interface WorkerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: WorkerLog;
  readonly handlers: ReadonlyMap<string, JobHandler>;
  /** Whether new jobs may begin; those that run are finished. Default: always. */
  readonly mayBegin?: () => boolean | Promise<boolean>;
}

/** The process's one loop over background work. */
export interface Worker {
  /** Leases nothing more, tells the running job to stop and resolves when it has. */
  stop(): Promise<void>;
}

/** How often an idle worker looks by itself: a wake-up may be lost, and a dead process's lease ends silently. */
const pollMs = 5_000;
/** A job that fails is tried again after a second, then two, up to a minute. */
const firstRetryMs = 1_000;
const slowestRetryMs = 60_000;

/** Starts working off jobs, one after the other; on SQLite it first takes over what an earlier process left. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { store, clock, log, handlers, mayBegin = () => true } = options;
  const stopping = new AbortController();
  const failures = new Map<string, number>();
  await takeOverJobs(store);

  const run = async (job: Job): Promise<void> => {
    const renewal = keepLease(store, clock, job, stopping.signal);
    try {
      const subject = job.key.slice(job.kind.length + 1);
      await handlers.get(job.kind)?.(subject, renewal.lost);
      failures.delete(job.key);
      // A job that was told to stop may have work left.
      await (renewal.lost.aborted ? deferJob(store, job, 0) : finishJob(store, job));
    } catch (error) {
      const count = failures.get(job.key) ?? 0;
      failures.set(job.key, count + 1);
      const delayMs = Math.min(firstRetryMs * 2 ** count, slowestRetryMs);
      log.warn({ err: error, job: job.key, delayMs }, "a job failed and will be tried again");
      await deferJob(store, job, delayMs);
    } finally {
      await renewal.end();
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const wake = wakeUp(store, clock, stopping.signal);
      try {
        const job = (await mayBegin()) ? await leaseJob(store, [...handlers.keys()]) : undefined;
        if (job === undefined) await wake.called;
        else await run(job);
      } catch (error) {
        log.warn({ err: error }, "the worker cannot reach its jobs and will try again");
        await wake.called;
      } finally {
        wake.cancel();
      }
      // SQLite answers at once: without this no socket and no timer would ever be served.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  const ended = loop();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

/** An abort of its own that also comes with `outer`; `release` lets go of `outer`, which lives as long as the process. */
function abortWith(outer: AbortSignal): { readonly controller: AbortController; release(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (outer.aborted) abort();
  outer.addEventListener("abort", abort, { once: true });
  return { controller, release: () => outer.removeEventListener("abort", abort) };
}

/** Waits for new work, told or polled; made before looking, so that nothing said in between is missed. */
function wakeUp(
  store: Store,
  clock: Clock,
  stopping: AbortSignal,
): { readonly called: Promise<unknown>; cancel(): void } {
  const { controller, release } = abortWith(stopping);
  const called = Promise.race([
    store.changed([jobsKey, switchKey], controller.signal),
    sleep(clock, pollMs, controller.signal),
  ]);
  const cancel = (): void => {
    release();
    controller.abort();
  };
  return { called, cancel };
}

/** Renews the lease while the job runs; `lost` aborts when that failed or the worker stops. */
function keepLease(
  store: Store,
  clock: Clock,
  job: Job,
  stopping: AbortSignal,
): { readonly lost: AbortSignal; end(): Promise<void> } {
  const { controller: lost, release } = abortWith(stopping);
  const over = new AbortController();
  const renew = async (): Promise<void> => {
    for (;;) {
      await sleep(clock, renewMs, over.signal);
      if (over.signal.aborted) return;
      const kept = await renewJob(store, job).catch(() => false);
      if (!kept) return lost.abort();
    }
  };
  const renewing = renew();
  return {
    lost: lost.signal,
    end: async () => {
      release();
      over.abort();
      await renewing;
    },
  };
}
