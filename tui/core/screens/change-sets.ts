import { changeSetsKey } from "../lists.ts";
import { goTo } from "../navigate.ts";
import type { Screen } from "../screen.ts";

/** Every active change set of the workspace. */
export const changeSets: Screen = {
  id: "changeSets",
  title: "Change sets",
  key: "2",
  crumbs: () => ["change sets"],
  bindings: [
    {
      keys: ["enter", "right", "l"],
      does: "components of the change set",
      group: "look",
      hint: { text: "components", rank: 1 },
      off: ({ lists }) => ((lists[changeSetsKey]?.selected ?? null) === null ? "nothing is selected" : null),
      run: (model) => {
        const changeSetId = model.lists[changeSetsKey]?.selected ?? null;
        return [changeSetId === null ? model : goTo(model, { screen: "components", changeSetId }), []];
      },
    },
  ],
};
