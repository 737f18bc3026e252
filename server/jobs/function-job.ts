import { ApiError } from "../../src/contract/errors.ts";
import { sleep } from "../../src/lib/clock.ts";
import { isEnded, statesBefore } from "../domain/function-jobs.ts";
import { Refusal } from "../domain/refusal.ts";
import { findChangeSet } from "../store/change-sets.ts";
import { type FunctionJob, findFunctionJob, moveFunctionJob } from "../store/function-jobs.ts";
import type { Layer } from "../store/layer.ts";
import { hasRoots } from "../store/roots.ts";
import { debugJob } from "./debug-job.ts";
import type { JobHandler } from "./handlers.ts";
import type { JobContext } from "./job-context.ts";
import { managementJob } from "./management-job.ts";

/** A reason for which a job fails for good, in a sentence. */
export class JobFailed extends Error {}

/** What a job of either kind is given. */
export interface FunctionWork {
  readonly context: JobContext;
  readonly job: FunctionJob;
  readonly layer: Layer;
  /** Aborts when the process stops or has lost the job; then it is left as it is. */
  readonly lost: AbortSignal;
}

/** Does a management or debug job from the start; one that was cancelled or has ended is left alone. */
export const functionJob =
  (context: JobContext): JobHandler =>
  async (jobId, lost) => {
    const { store } = context;
    const job = await findFunctionJob(store, jobId);
    if (job === undefined || isEnded(job.state)) return;
    try {
      const layer = await findChangeSet(store, job.workspaceId, job.layerId);
      if (layer === undefined) throw new JobFailed("its change set is gone");
      await settled(context, layer.id, lost);
      if (lost.aborted) return;
      const work = { context, job, layer, lost };
      await (job.kind === "management" ? managementJob(work) : debugJob(work));
    } catch (error) {
      const isFinal = error instanceof JobFailed || error instanceof ApiError || error instanceof Refusal;
      if (!isFinal) throw error;
      const move = {
        from: statesBefore("Failure", job.kind),
        to: "Failure",
        failure: error.message,
      } as const;
      await moveFunctionJob(store, job, move);
    }
  };

/** How long a job waits for values that are being computed: as long as a function may take, and some. */
const settleMs = 250_000;
/** A wake-up may be lost. */
const lookMs = 1_000;

/** Waits until no value of the layer is pending, so that the function is given finished ones. */
async function settled({ store, clock }: JobContext, layerId: string, lost: AbortSignal): Promise<void> {
  const deadline = clock.now() + settleMs;
  while (!lost.aborted) {
    const over = new AbortController();
    const signal = AbortSignal.any([lost, over.signal]);
    const woken = Promise.race([store.changed([layerId], signal), sleep(clock, lookMs, signal)]);
    try {
      if (!(await hasRoots(store, layerId))) return;
      if (clock.now() > deadline)
        throw new JobFailed("the values of the change set were still being computed after four minutes");
      await woken;
    } finally {
      over.abort();
    }
  }
}
