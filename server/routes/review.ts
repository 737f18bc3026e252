import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { type Context, layerOf } from "../context.ts";
import { reviewOf } from "../read/review.ts";

/** Handlers of the rows in `src/contract/review.ts`. */
export const reviewHandlers: GroupHandlers<typeof api.review, Context> = {
  get: async (_input, context) => {
    const layer = layerOf(context);
    if (layer.id === layer.headId) {
      fail("headNotAllowed", "expected a change set, found the head: there is nothing to compare it with");
    }
    const { store, variants, clock } = context.server;
    return { ...(await reviewOf(store, variants, layer)), at: new Date(clock.now()).toISOString() };
  },
};
