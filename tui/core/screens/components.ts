import { componentsKey, listOf, stateOf } from "../lists.ts";
import type { Model } from "../model.ts";
import { focusPane, goTo, setList } from "../navigate.ts";
import { selectedId } from "../parts/list.ts";
import type { Screen } from "../screen.ts";
import { changeSetOf } from "../select.ts";
import { latestLogOf, openLog } from "./open-log.ts";
import { openReview } from "./review.ts";

const onlyDifferent = "!diff:none";

function selected(model: Model): string | null {
  return model.route.screen === "components"
    ? selectedId(model.lists[componentsKey(model.route.changeSetId)])
    : null;
}

/** The filter with the condition that hides what is as in the head, or without it. */
function toggleDifferent(filter: string): string {
  const words = filter.split(" ").filter((word) => word !== "" && word !== onlyDifferent);
  return filter.includes(onlyDifferent) ? words.join(" ") : [...words, onlyDifferent].join(" ");
}

/** The components of one change set, what differs from the head first. */
export const components: Screen = {
  id: "components",
  title: "Components",
  key: "3",
  crumbs: (model) => ["change sets", changeSetOf(model)?.name ?? "gone", "components"],
  bindings: [
    {
      keys: ["enter", "right", "l"],
      does: "look at the component",
      group: "look",
      hint: { text: "detail", rank: 1 },
      off: (model) => (selected(model) === null ? "nothing is selected" : null),
      run: (model) => {
        if (model.pane === "changeSets") return [focusPane(model, "components"), []];
        const componentId = selected(model);
        if (componentId === null || model.route.screen !== "components") return [model, []];
        return [goTo(model, { screen: "component", changeSetId: model.route.changeSetId, componentId }), []];
      },
    },
    { ...openReview, hint: { text: "review", rank: 3.6 } },
    openLog(
      "log of the latest run for the component",
      3.7,
      (model) => {
        const componentId = selected(model);
        return componentId === null || model.route.screen !== "components"
          ? null
          : latestLogOf(model, model.route.changeSetId, componentId);
      },
      (model) => (selected(model) === null ? "nothing is selected" : "nothing has run for it yet"),
    ),
    {
      keys: ["u"],
      does: "only what differs from the head, or all",
      group: "find",
      hint: { text: "differing", rank: 3.5 },
      off: (model) => (changeSetOf(model)?.isHead === true ? "this is the head" : null),
      run: (model) => {
        if (model.route.screen !== "components") return [model, []];
        const list = listOf(model, componentsKey(model.route.changeSetId));
        if (list === undefined) return [model, []];
        const state = stateOf(model, list);
        return [setList(model, list.key, { ...state, filter: toggleDifferent(state.filter) }), []];
      },
    },
  ],
};
