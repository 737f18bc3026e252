import type { FunctionJob } from "../store/function-jobs.ts";
import type { Layer } from "../store/layer.ts";
import type { JobContext } from "./job-context.ts";

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
