import { changeSetsKey } from "../lists.ts";
import type { Model, Route } from "../model.ts";
import { goTo } from "../navigate.ts";
import { selectedId } from "../parts/list.ts";
import type { Screen } from "../screen.ts";
import { lensTarget, openReview, whyNoTarget } from "./review.ts";

/** Where enter leads: from the diff lens to the component, else to the components of the change set. */
function target(model: Model): Route | null {
  if (model.pane === "review") return lensTarget(model);
  const changeSetId = selectedId(model.lists[changeSetsKey]);
  return changeSetId === null ? null : { screen: "components", changeSetId };
}

/** Every active change set of the workspace. */
export const changeSets: Screen = {
  id: "changeSets",
  title: "Change sets",
  key: "2",
  crumbs: () => ["change sets"],
  bindings: [
    {
      keys: ["enter", "right", "l"],
      does: "components of the change set; in its review, the component",
      group: "look",
      hint: { text: "open", rank: 1 },
      off: (model) => {
        if (model.pane === "review") return whyNoTarget(model);
        return target(model) === null ? "nothing is selected" : null;
      },
      run: (model) => {
        const route = target(model);
        return [route === null ? model : goTo(model, route), []];
      },
    },
    { ...openReview, hint: { text: "review", rank: 1.5 } },
  ],
};
