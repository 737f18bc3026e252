import { rulesFor } from "../read/rules.ts";
import { createPropagate } from "../store/propagate.ts";
import { propagateKind } from "../store/roots.ts";
import type { JobContext } from "./job-context.ts";
import { propagateJob } from "./propagate.ts";

/** Does one kind of job; `subject` is the part of its key after the kind. Must stop soon after `lost` aborts. */
export type JobHandler = (subject: string, lost: AbortSignal) => Promise<void>;

/** The table of job kinds: a new kind is one row and its file. */
export const createHandlers = (context: JobContext): ReadonlyMap<string, JobHandler> =>
  new Map([
    [propagateKind, propagateJob(createPropagate(context.store, rulesFor(context.store, context.variants)))],
  ]);
