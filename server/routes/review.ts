import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { Review } from "../../src/contract/review.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { RawJson } from "../../src/http/raw.ts";
import { type Context, layerOf } from "../context.ts";
import { componentView } from "../read/component-view.ts";
import { listDrift } from "../read/drift.ts";
import { reviewOf } from "../read/review.ts";
import { rulesFor } from "../read/rules.ts";
import { findComponent } from "../store/components.ts";
import { writingOf } from "./change-component.ts";
import { componentIdOf } from "./component-ids.ts";
import { discardComponent } from "./discard-component.ts";

/** Handlers of the rows in `src/contract/review.ts`. */
export const reviewHandlers: GroupHandlers<typeof api.review, Context> = {
  get: async (_input, context) => {
    const layer = layerOf(context);
    if (layer.id === layer.headId) {
      fail("headNotAllowed", "expected a change set, found the head: there is nothing to compare it with");
    }
    const { store, variants, clock } = context.server;
    const review: Review = {
      ...(await reviewOf(store, variants, layer)),
      drift: await listDrift(store, variants, layer),
      at: new Date(clock.now()).toISOString(),
    };
    // Megabytes where a change set is large: written once, from what the compiler has checked.
    return new RawJson(JSON.stringify(review));
  },
  discard: async ({ componentId, body }, context) => {
    const id = componentIdOf(componentId);
    await discardComponent(writingOf(context), id, body.attribute ?? undefined);
    const { store, variants } = context.server;
    const layer = layerOf(context);
    const shown = await findComponent(store, rulesFor(store, variants), layer, id);
    return { component: shown === undefined ? null : await componentView(store, variants, layer, shown) };
  },
};
