import { attentionKey, attentionRows, changeSetsKey } from "../lists.ts";
import type { Model, Route } from "../model.ts";
import { goTo } from "../navigate.ts";
import { selectedId } from "../parts/list.ts";
import type { Screen } from "../screen.ts";
import { find } from "../table.ts";

/** Where the selected row of the focused pane leads. */
function target(model: Model): Route | null {
  if (model.pane === "attention") {
    const selected = selectedId(model.lists[attentionKey]) ?? "";
    return find(attentionRows(model), selected)?.route ?? null;
  }
  const changeSetId = selectedId(model.lists[changeSetsKey]);
  return changeSetId === null ? null : { screen: "components", changeSetId };
}

/** What waits for a person, the change sets, and what has been going on. */
export const overview: Screen = {
  id: "overview",
  title: "Overview",
  key: "1",
  crumbs: () => ["overview"],
  bindings: [
    {
      keys: ["enter", "right", "l"],
      does: "open what is selected",
      group: "look",
      hint: { text: "open", rank: 1 },
      off: (model) => (target(model) === null ? "nothing to open is selected" : null),
      run: (model) => {
        const route = target(model);
        return [route === null ? model : goTo(model, route), []];
      },
    },
  ],
};
