import { changeSetsKey, componentsKey, currentTab, currentTabs, listOf, runsKey, stateOf } from "./lists.ts";
import type { Model, PaneId, Route, TabId } from "./model.ts";
import { keepInWindow, type ListState, moveTo } from "./parts/list.ts";
import { listKeyOf, mainPane, panesOf, windowOf } from "./place.ts";
import { headOf } from "./select.ts";
import { find } from "./table.ts";

/** Earlier routes that are remembered for going back. */
const historyLimit = 50;
const sameRoute = (a: Route, b: Route): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Another screen; the one before is remembered. */
export function goTo(model: Model, route: Route): Model {
  if (sameRoute(model.route, route)) return model;
  const history = [...model.history, model.route].slice(-historyLimit);
  return selectRoute({
    ...model,
    route,
    history,
    pane: mainPane(route.screen),
    tab: firstTab(model, route),
    popup: null,
    prompt: null,
  });
}

/** What differs comes first; where nothing can differ, the attributes do. */
function firstTab(model: Model, route: Route): TabId {
  if (route.screen !== "component") return model.tab;
  const row = find(model.mirror.components.get(route.changeSetId), route.componentId);
  const same = row?.difference === "none" || headOf(model.mirror)?.id === route.changeSetId;
  return same ? "attributes" : "diff";
}

/** Where esc leads: up one level, to the overview at last. */
export function goUp(model: Model): Model {
  const { route } = model;
  if (route.screen === "component")
    return goTo(model, { screen: "components", changeSetId: route.changeSetId });
  if (route.screen === "components" || route.screen === "review")
    return goTo(model, { screen: "changeSets" });
  if (route.screen === "run") return goTo(model, { screen: "runs" });
  return goTo(model, { screen: "overview" });
}

/** Where `-` leads: the screen before. */
export function goBack(model: Model): Model {
  const previous = model.history.at(-1);
  if (previous === undefined) return model;
  const next = goTo(model, previous);
  return { ...next, history: model.history.slice(0, -1) };
}

/** The change set that the components screen opens: the one last looked at, else the one selected, else the head. */
export function usualChangeSet(model: Model): string | undefined {
  const { changeSets } = model.mirror;
  const before = [...model.history, model.route].reverse().find((route) => "changeSetId" in route);
  const candidates = [
    before !== undefined && "changeSetId" in before ? before.changeSetId : undefined,
    model.lists[changeSetsKey]?.selected ?? undefined,
    headOf(model.mirror)?.id,
  ];
  return candidates.find((id) => id !== undefined && changeSets?.index.has(id) === true);
}

/** Selects in the lists what the route shows, so that going back finds it. */
function selectRoute(model: Model): Model {
  const { route } = model;
  let next = model;
  if ("changeSetId" in route) next = selectIn(next, changeSetsKey, route.changeSetId);
  if (route.screen === "component")
    next = selectIn(next, componentsKey(route.changeSetId), route.componentId);
  if (route.screen === "run") next = selectIn(next, runsKey, route.funcRunId);
  return next;
}

function selectIn(model: Model, key: string, id: string): Model {
  const list = listOf(model, key);
  if (list === undefined || find(list.table, id) === undefined) return model;
  return setList(model, key, { ...stateOf(model, list), selected: id, madeFrom: null });
}

export const setList = (model: Model, key: string, state: ListState): Model =>
  model.lists[key] === state ? model : { ...model, lists: { ...model.lists, [key]: state } };

/** The key of the list that has the keyboard. */
export const focusedKey = (model: Model): string => listKeyOf(model, model.pane);

/** The filter of the list that has the keyboard; empty when there is none. */
export const focusedFilter = (model: Model): string => model.lists[focusedKey(model)]?.filter ?? "";

/** The focused list without its filter. */
export function clearFilter(model: Model): Model {
  const list = listOf(model, focusedKey(model));
  return list === undefined ? model : setList(model, list.key, { ...stateOf(model, list), filter: "" });
}

/** The cursor of the focused list moved to a row of its order. */
export function moveCursor(model: Model, place: (state: ListState, window: number) => number): Model {
  const list = listOf(model, focusedKey(model));
  if (list === undefined) return model;
  const state = stateOf(model, list);
  const window = windowOf(model, model.pane);
  const moved = keepInWindow(moveTo(state, list.table, place(state, window)), window);
  return followSide(setList(model, list.key, moved));
}

/** Moving in the list of change sets beside the components shows the components of the one that is chosen. */
export function followSide(model: Model): Model {
  const { route } = model;
  const selected = model.lists[changeSetsKey]?.selected;
  if (route.screen !== "components" || model.pane !== "changeSets") return model;
  return selected === undefined || selected === null || selected === route.changeSetId
    ? model
    : { ...model, route: { screen: "components", changeSetId: selected } };
}

export function cyclePane(model: Model, by: 1 | -1): Model {
  const panes = panesOf(model);
  const at = panes.indexOf(model.pane);
  const pane = panes[(at + by + panes.length) % Math.max(1, panes.length)];
  return pane === undefined ? model : { ...model, pane };
}

export const focusPane = (model: Model, pane: PaneId): Model =>
  model.pane === pane ? model : { ...model, pane };

export const showTab = (model: Model, tab: TabId): Model => (model.tab === tab ? model : { ...model, tab });

export function cycleTab(model: Model, by: 1 | -1): Model {
  const tabs = currentTabs(model);
  const at = tabs.findIndex(({ id }) => id === currentTab(model)?.id);
  const next = tabs[(at + by + tabs.length) % Math.max(1, tabs.length)];
  return next === undefined ? model : showTab(model, next.id);
}
