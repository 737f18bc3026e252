import { actionKind, dispatchKind } from "../store/dispatch.ts";
import { functionJobKind } from "../store/function-jobs.ts";
import { propagateKind } from "../store/roots.ts";
import { actionJob } from "./action.ts";
import { dispatchJob } from "./dispatch.ts";
import { functionJob } from "./function-job.ts";
import type { JobContext } from "./job-context.ts";
import { propagateJob, propagationOf } from "./propagate.ts";

/** Does one kind of job; `subject` is the part of its key after the kind. Must stop soon after `lost` aborts. */
export type JobHandler = (subject: string, lost: AbortSignal) => Promise<void>;

/** The table of job kinds: a new kind is one row and its file. */
export const createHandlers = (context: JobContext): ReadonlyMap<string, JobHandler> =>
  new Map<string, JobHandler>([
    [propagateKind, propagateJob(propagationOf(context))],
    [dispatchKind, dispatchJob(context.store)],
    [actionKind, actionJob(context)],
    [functionJobKind, functionJob(context)],
  ]);
