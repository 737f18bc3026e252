import type { Binding } from "../binding.ts";
import type { FactRow } from "../fact-rows.ts";
import {
  componentNamed,
  componentOf,
  componentsKey,
  currentTabs,
  factRows,
  factsKey,
  listOf,
  stateOf,
} from "../lists.ts";
import type { Model, Route } from "../model.ts";
import { cycleTab, goTo, showTab } from "../navigate.ts";
import { selectedRow } from "../parts/list.ts";
import type { Screen } from "../screen.ts";
import { changeSetOf } from "../select.ts";
import { latestLogOf, openLog } from "./open-log.ts";

/** The component before or after this one, in the order of the list it came from. */
export function neighbour(model: Model, by: 1 | -1): string | undefined {
  if (model.route.screen !== "component") return undefined;
  const list = listOf(model, componentsKey(model.route.changeSetId));
  if (list === undefined) return undefined;
  const state = stateOf(model, list);
  const position = list.table?.index.get(model.route.componentId);
  const at = position === undefined ? -1 : state.order.indexOf(position);
  return at < 0 ? undefined : list.table?.rows[state.order[at + by] ?? -1]?.id;
}

const step = (by: 1 | -1): Pick<Binding, "off" | "run"> => ({
  off: (model) =>
    neighbour(model, by) === undefined ? `this is the ${by === 1 ? "last" : "first"} one` : null,
  run: (model) => {
    const componentId = neighbour(model, by);
    if (componentId === undefined || model.route.screen !== "component") return [model, []];
    const { tab, history } = model;
    const next = goTo(model, { ...model.route, componentId });
    return [{ ...next, tab, history }, []];
  },
});

/** The line under the cursor. */
function selectedLine(model: Model): FactRow | undefined {
  const list = listOf(model, factsKey(model));
  return list === undefined ? undefined : selectedRow(stateOf(model, list), factRows(model));
}

/** Where the run that the line under the cursor tells of can be read, else the latest one of the component. */
function logHere(model: Model): Route | null {
  if (model.route.screen !== "component") return null;
  const { changeSetId, componentId } = model.route;
  const funcRunId = selectedLine(model)?.funcRunId ?? null;
  return funcRunId === null
    ? latestLogOf(model, changeSetId, componentId)
    : { screen: "run", changeSetId, funcRunId };
}

/** The component that the line under the cursor leads to: one of the same change set. */
function linked(model: Model): string | undefined {
  if (model.route.screen !== "component") return undefined;
  const line = selectedLine(model);
  if (line === undefined || line.target === null) return undefined;
  return componentNamed(model, model.route.changeSetId, line.target);
}

/** One component: what differs from the head, its attributes, and whatever else is known of it. */
export const component: Screen = {
  id: "component",
  title: "Component",
  key: null,
  crumbs: (model) => [
    "change sets",
    changeSetOf(model)?.name ?? "gone",
    "components",
    componentOf(model)?.name ?? "gone",
  ],
  bindings: [
    {
      keys: ["enter"],
      does: "go to the component that the line names",
      group: "look",
      hint: { text: "follow", rank: 1.2 },
      off: (model) =>
        linked(model) === undefined ? "this line leads to no component of the change set" : null,
      run: (model) => {
        const componentId = linked(model);
        if (componentId === undefined || model.route.screen !== "component") return [model, []];
        return [goTo(model, { ...model.route, componentId }), []];
      },
    },
    {
      keys: ["right", "l", "]"],
      does: "next page",
      group: "look",
      hint: { text: "page", rank: 1 },
      off: (model) => (currentTabs(model).length > 1 ? null : "there is only one page"),
      run: (model) => [cycleTab(model, 1), []],
    },
    {
      keys: ["left", "h", "["],
      does: "previous page",
      group: "look",
      run: (model) => [cycleTab(model, -1), []],
    },
    {
      keys: ["d"],
      does: "what differs from the head",
      group: "look",
      run: (model) => [showTab(model, "diff"), []],
    },
    openLog(
      "log of the run that the line tells of, else of the latest one of the component",
      2.5,
      logHere,
      () => "nothing has run for it yet",
    ),
    { keys: ["a"], does: "attributes", group: "look", run: (model) => [showTab(model, "attributes"), []] },
    {
      keys: ["J", "n"],
      does: "next component of the list",
      group: "move",
      hint: { text: "next", rank: 4.5 },
      ...step(1),
    },
    { keys: ["K", "p"], does: "previous component of the list", group: "move", ...step(-1) },
  ],
};
