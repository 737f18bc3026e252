import { setMaxListeners } from "node:events";
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

/** The process's background work: one loop that leases, and the jobs that run. */
export interface Worker {
  /** Leases nothing more, tells the running jobs to stop and resolves when they have. */
  stop(): Promise<void>;
}

/** How often an idle worker looks by itself: a wake-up may be lost, and a dead process's lease ends silently. */
const pollMs = 5_000;
/** A job that fails is tried again after a second, then two, up to a minute. */
const firstRetryMs = 1_000;
const slowestRetryMs = 60_000;
/** Jobs of one kind that run at once, so that many long ones of one kind hold up neither each other nor other kinds. */
const maximumOfKind = 64;

/** Starts working off jobs, many at once; on SQLite it first takes over what an earlier process left. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { store, clock, log, handlers, mayBegin = () => true } = options;
  const stopping = new AbortController();
  // Every running job listens.
  setMaxListeners(0, stopping.signal);
  const failures = new Map<string, number>();
  const running = new Map<string, { readonly kind: string; readonly ended: Promise<void> }>();
  let lookAgain = (): void => {};
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
      await deferJob(store, job, delayMs).catch((reason: unknown) =>
        log.warn(
          { err: reason, job: job.key },
          "a job could not be given back and waits for its lease to end",
        ),
      );
    } finally {
      await renewal.end();
    }
  };

  const lease = async (): Promise<Job | undefined> => {
    const kindsNow = [...running.values()].map(({ kind }) => kind);
    const hasRoom = (kind: string): boolean =>
      kindsNow.filter((other) => other === kind).length < maximumOfKind;
    const kinds = [...handlers.keys()].filter(hasRoom);
    if (kinds.length === 0 || !(await mayBegin())) return undefined;
    return leaseJob(store, kinds, { except: [...running.keys()] });
  };

  const begin = (job: Job): void => {
    const ended = run(job).finally(() => {
      running.delete(job.key);
      // There is room for another, and the same may be wanted again.
      lookAgain();
    });
    running.set(job.key, { kind: job.kind, ended });
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const wake = wakeUp(store, clock, stopping.signal);
      lookAgain = wake.cancel;
      try {
        const job = await lease();
        if (job === undefined) await wake.called;
        else begin(job);
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
      await Promise.all([...running.values()].map((job) => job.ended));
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
