import type { Binding } from "../binding.ts";
import type { LensRow } from "../lens.ts";
import { lensKey, lensRows, listOf, stateOf } from "../lists.ts";
import type { Model, Route } from "../model.ts";
import { goTo } from "../navigate.ts";
import { selectedRow } from "../parts/list.ts";
import { shownChangeSet } from "../place.ts";
import type { Screen } from "../screen.ts";
import { changeSetOf, headOf } from "../select.ts";
import { find } from "../table.ts";

/** The line of the diff lens under the cursor. */
function selectedLine(model: Model): LensRow | undefined {
  const changeSetId = shownChangeSet(model);
  if (changeSetId === undefined) return undefined;
  const list = listOf(model, lensKey(changeSetId));
  return list === undefined ? undefined : selectedRow(stateOf(model, list), lensRows(model, changeSetId));
}

/** Where the line of the diff lens under the cursor leads: to its component, in the head when it is only there. */
export function lensTarget(model: Model): Route | null {
  const componentId = selectedLine(model)?.componentId ?? null;
  const own = shownChangeSet(model);
  if (componentId === null || own === undefined) return null;
  const head = headOf(model.mirror)?.id;
  const changeSetId = [own, head].find(
    (id) => id !== undefined && find(model.mirror.components.get(id), componentId) !== undefined,
  );
  return changeSetId === undefined ? null : { screen: "component", changeSetId, componentId };
}

/** Why the line under the cursor leads nowhere; null when it does lead somewhere. */
export function whyNoTarget(model: Model): string | null {
  const line = selectedLine(model);
  if (line === undefined) return "nothing is selected";
  if (line.componentId === null)
    return `this is no component but a ${line.schema || "part"} of the workspace`;
  return lensTarget(model) === null ? "this component is not there any more" : null;
}

/** Opens the diff lens of a change set over the whole screen. */
export const openReview: Pick<Binding, "keys" | "does" | "group" | "off" | "run"> = {
  keys: ["d"],
  does: "everything that the change set changes, attribute by attribute",
  group: "look",
  off: (model) => {
    const changeSetId = shownChangeSet(model);
    if (changeSetId === undefined) return "nothing is selected";
    const set = find(model.mirror.changeSets, changeSetId);
    if (set === undefined) return "this change set is gone";
    return set.isHead ? "this is the head, which everything else is compared with" : null;
  },
  run: (model) => {
    const changeSetId = shownChangeSet(model);
    return [changeSetId === undefined ? model : goTo(model, { screen: "review", changeSetId }), []];
  },
};

/** What one change set changes against the head: each component, and below it each of its attributes. */
export const review: Screen = {
  id: "review",
  title: "Review",
  key: null,
  crumbs: (model) => ["change sets", changeSetOf(model)?.name ?? "gone", "review"],
  bindings: [
    {
      keys: ["enter", "right", "l"],
      does: "look at the component",
      group: "look",
      hint: { text: "component", rank: 1 },
      off: whyNoTarget,
      run: (model) => {
        const route = lensTarget(model);
        return [route === null ? model : goTo(model, route), []];
      },
    },
    {
      keys: ["c"],
      does: "all components of the change set",
      group: "look",
      hint: { text: "components", rank: 3.5 },
      off: (model) => (changeSetOf(model) === undefined ? "this change set is gone" : null),
      run: (model) => {
        const changeSetId = shownChangeSet(model);
        return [changeSetId === undefined ? model : goTo(model, { screen: "components", changeSetId }), []];
      },
    },
  ],
};
