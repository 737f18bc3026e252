import { ApiError } from "../../src/contract/errors.ts";
import { isEnded, statesBefore } from "../domain/function-jobs.ts";
import { Refusal } from "../domain/refusal.ts";
import { findChangeSet } from "../store/change-sets.ts";
import { findFunctionJob, moveFunctionJob } from "../store/function-jobs.ts";
import type { Store } from "../store/open.ts";
import { debugJob } from "./debug-job.ts";
import { JobFailed } from "./function-work.ts";
import type { JobHandler } from "./handlers.ts";
import type { JobContext } from "./job-context.ts";
import { managementJob } from "./management-job.ts";
import { valuesSettled } from "./values-settled.ts";

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
      if (lost.aborted || (await hasEnded(store, jobId))) return;
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

/** Whether it was cancelled, or its change set applied or abandoned, while it waited. */
const hasEnded = async (store: Store, jobId: string): Promise<boolean> =>
  isEnded((await findFunctionJob(store, jobId))?.state ?? "Failure");

/** How long a job waits for values that are being computed: as long as a function may take, and some. */
const settleMs = 250_000;

/** Waits until no value of the layer is pending, so that the function is given finished ones. */
async function settled(context: JobContext, layerId: string, lost: AbortSignal): Promise<void> {
  const isSettled = await valuesSettled(context, layerId, { limitMs: settleMs, signal: lost });
  if (!isSettled && !lost.aborted)
    throw new JobFailed("the values of the change set were still being computed after four minutes");
}
