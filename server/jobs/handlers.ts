import type { Store } from "../store/open.ts";
import { createPropagate } from "../store/propagate.ts";
import { propagateKind } from "../store/roots.ts";
import type { ComponentRules } from "../store/rules.ts";
import { propagateJob } from "./propagate.ts";

/** Does one kind of job; `subject` is the part of its key after the kind. Must stop soon after `lost` aborts. */
export type JobHandler = (subject: string, lost: AbortSignal) => Promise<void>;

/** The table of job kinds: a new kind is one row and its file. */
export const createHandlers = (store: Store, rules: ComponentRules): ReadonlyMap<string, JobHandler> =>
  new Map([[propagateKind, propagateJob(createPropagate(store, rules))]]);
