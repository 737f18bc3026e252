import { propagateKind } from "../store/roots.ts";
import type { JobContext } from "./job-context.ts";
import { propagateJob, propagationOf } from "./propagate.ts";

/** Does one kind of job; `subject` is the part of its key after the kind. Must stop soon after `lost` aborts. */
export type JobHandler = (subject: string, lost: AbortSignal) => Promise<void>;

/** The table of job kinds: a new kind is one row and its file. */
export const createHandlers = (context: JobContext): ReadonlyMap<string, JobHandler> =>
  new Map([[propagateKind, propagateJob(propagationOf(context))]]);
