import { type Layout, layoutOf, listHeight, sidesHeight } from "../view/layout.ts";
import {
  actionsKey,
  attentionKey,
  attentionRows,
  changeSetsKey,
  componentsKey,
  factsKey,
  lensKey,
  logKey,
  runsKey,
} from "./lists.ts";
import type { Model, PaneId } from "./model.ts";
import { selectedId } from "./parts/list.ts";

/** Where everything of a model's screen is. */
export const placeOf = (model: Model): Layout =>
  layoutOf({ size: model.size, screen: model.route.screen, attention: attentionRows(model).rows.length });

/** The panes of the screen that can have the keyboard, from left and top, the main one marked by `mainPane`. */
export function panesOf(model: Model): readonly PaneId[] {
  const { areas } = placeOf(model);
  const order: readonly PaneId[] =
    model.route.screen === "overview"
      ? ["attention", "changeSets"]
      : ["changeSets", "review", "components", "facts", "actions", "runs", "log"];
  return order.filter((pane) => areas[pane] !== undefined);
}

/** The pane that a screen starts with. */
export function mainPane(screen: Model["route"]["screen"]): PaneId {
  return mainPanes[screen];
}

const mainPanes: Readonly<Record<Model["route"]["screen"], PaneId>> = {
  overview: "changeSets",
  changeSets: "changeSets",
  review: "review",
  components: "components",
  component: "facts",
  actions: "actions",
  runs: "runs",
  run: "log",
};

/** The list that a pane shows. */
export function listKeyOf(model: Model, pane: PaneId): string {
  switch (pane) {
    case "attention":
      return attentionKey;
    case "changeSets":
      return changeSetsKey;
    case "review":
      return lensKey(shownChangeSet(model) ?? "");
    case "components":
      return "changeSetId" in model.route ? componentsKey(model.route.changeSetId) : changeSetsKey;
    case "facts":
      return factsKey(model);
    case "actions":
      return actionsKey;
    case "runs":
      return runsKey;
    case "log":
      return logKey(model.route.screen === "run" ? model.route.funcRunId : "");
  }
}

/** The change set whose review the screen shows: that of the route, else the one under the cursor. */
export const shownChangeSet = (model: Model): string | undefined =>
  "changeSetId" in model.route
    ? model.route.changeSetId
    : (selectedId(model.lists[changeSetsKey]) ?? undefined);

/** Panes whose selected row stands whole at their foot. */
const footed: ReadonlySet<PaneId> = new Set(["review", "facts", "actions", "runs"]);

/** How many rows of a pane's list are seen at once; at least one, so that keys work on the smallest terminal. */
export function windowOf(model: Model, pane: PaneId): number {
  const { areas } = placeOf(model);
  // The page of a component keeps its tabs and a rule above its rows; the inbox and the side list have no titles.
  const rect = areas[pane];
  const side = pane === "changeSets" && model.route.screen === "components";
  const foot = footed.has(pane) ? sidesHeight(rect) : 0;
  const titled = pane !== "attention" && pane !== "log" && !side;
  const height = listHeight(rect, titled) - (pane === "facts" ? 2 : 0) - foot;
  return Math.max(1, height);
}
