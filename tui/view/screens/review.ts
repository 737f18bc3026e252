import { changeSetOf } from "../../core/select.ts";
import type { ScreenView } from "../screen.ts";
import { drawLens } from "./review-lens.ts";

/** The diff lens of one change set over the whole screen. */
export const review: ScreenView = {
  id: "review",
  draw: (canvas, { areas }, model) => {
    if (areas.review === undefined || model.route.screen !== "review") return;
    const title = changeSetOf(model)?.name ?? "Review";
    drawLens(canvas, areas.review, model, model.route.changeSetId, title);
  },
};
