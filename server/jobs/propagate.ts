import { ApiError } from "../../src/contract/errors.ts";
import type { Propagate } from "../store/propagate.ts";
import type { JobHandler } from "./handlers.ts";

/** Works off a layer's roots until none are left; a change set that was applied or abandoned meanwhile needs none. */
export const propagateJob =
  (propagate: Propagate): JobHandler =>
  async (layerId, lost) => {
    try {
      while (!lost.aborted && (await propagate(layerId)) !== "idle");
    } catch (error) {
      const isOver =
        error instanceof ApiError &&
        (error.error === "changeSetNotActive" || error.error === "changeSetNotFound");
      if (!isOver) throw error;
    }
  };
