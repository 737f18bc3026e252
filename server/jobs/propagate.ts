import { ApiError } from "../../src/contract/errors.ts";
import { beforeFunctions } from "../read/authentication.ts";
import { rulesFor } from "../read/rules.ts";
import { queueDerivedUpdates } from "../routes/queue-derived-updates.ts";
import { createComponentFunctions } from "../runs/component-functions.ts";
import { createPropagate, type Propagate, type PropagateOptions } from "../store/propagate.ts";
import type { JobHandler } from "./handlers.ts";
import type { JobContext } from "./job-context.ts";

/** The propagation of a process that runs functions. */
export function propagationOf(
  { store, variants, keys, runs }: Pick<JobContext, "store" | "variants" | "keys" | "runs">,
  options: Pick<PropagateOptions, "beforeCommit"> = {},
): Propagate {
  const functions = createComponentFunctions({
    store,
    variants,
    runs,
    authenticate: (layer, componentIds) => beforeFunctions(store, { keys, variants }, layer, componentIds),
  });
  return createPropagate(store, rulesFor(store, variants), {
    ...options,
    functions,
    follow: queueDerivedUpdates,
  });
}

/** Works off a layer's roots until none are left; a change set that was applied or abandoned meanwhile needs none. */
export const propagateJob =
  (propagate: Propagate): JobHandler =>
  async (layerId, lost) => {
    try {
      while (!lost.aborted && (await propagate(layerId, lost)) !== "idle");
    } catch (error) {
      // What ran was ended, and whoever takes the job over does it again.
      if (lost.aborted) return;
      const isOver =
        error instanceof ApiError &&
        (error.error === "changeSetNotActive" || error.error === "changeSetNotFound");
      if (!isOver) throw error;
    }
  };
