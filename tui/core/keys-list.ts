import type { Binding } from "./binding.ts";
import { listOf, stateOf } from "./lists.ts";
import type { Step } from "./message.ts";
import type { Model } from "./model.ts";
import { clearFilter, cyclePane, focusedFilter, focusedKey, moveCursor } from "./navigate.ts";
import { type ListState, selectedId } from "./parts/list.ts";
import { lineOf } from "./parts/prompt.ts";
import { panesOf } from "./place.ts";

const move =
  (place: (state: ListState, window: number) => number) =>
  (model: Model): Step => [moveCursor(model, place), []];

const onlyPane = (model: Model): string | null =>
  panesOf(model).length > 1 ? null : "there is only one pane";

/** The filter of the focused list opened for typing. */
export function openFilter(model: Model): Model {
  const key = focusedKey(model);
  const list = listOf(model, key);
  if (list === undefined) return model;
  const before = stateOf(model, list).filter;
  return { ...model, prompt: { list: key, line: lineOf(before), before } };
}

/** The id of the selected row, or of what the screen shows when it has none. */
function idOnScreen(model: Model): string | null {
  if (model.route.screen === "component") return model.route.componentId;
  if (model.route.screen === "run") return model.route.funcRunId;
  return selectedId(model.lists[focusedKey(model)]);
}

const nothingSelected = (model: Model): string | null =>
  idOnScreen(model) === null ? "nothing is selected" : null;

/** Keys of every list, whatever it shows. */
export const listBindings: readonly Binding[] = [
  {
    keys: ["down", "j"],
    does: "next row",
    group: "move",
    hint: { text: "move", rank: 0 },
    run: move(({ cursor }) => cursor + 1),
  },
  { keys: ["up", "k"], does: "previous row", group: "move", run: move(({ cursor }) => cursor - 1) },
  { keys: ["g", "home"], does: "first row", group: "move", run: move(() => 0) },
  { keys: ["G", "end"], does: "last row", group: "move", run: move(({ order }) => order.length - 1) },
  {
    keys: ["C-d"],
    does: "half a page down",
    group: "move",
    run: move(({ cursor }, window) => cursor + Math.ceil(window / 2)),
  },
  {
    keys: ["C-u"],
    does: "half a page up",
    group: "move",
    run: move(({ cursor }, window) => cursor - Math.ceil(window / 2)),
  },
  {
    keys: ["pagedown", "C-f"],
    does: "a page down",
    group: "move",
    run: move(({ cursor }, window) => cursor + window),
  },
  { keys: ["pageup"], does: "a page up", group: "move", run: move(({ cursor }, window) => cursor - window) },
  {
    keys: ["tab"],
    does: "next pane",
    group: "move",
    hint: { text: "pane", rank: 5 },
    off: onlyPane,
    run: (model) => [cyclePane(model, 1), []],
  },
  {
    keys: ["S-tab"],
    does: "previous pane",
    group: "move",
    off: onlyPane,
    run: (model) => [cyclePane(model, -1), []],
  },
  {
    keys: ["/"],
    does: "filter the list",
    group: "find",
    hint: { text: "filter", rank: 2 },
    run: (model) => [openFilter(model), []],
  },
  {
    keys: ["\\"],
    does: "clear the filter",
    group: "find",
    off: (model) => (focusedFilter(model) === "" ? "there is no filter" : null),
    run: (model) => [clearFilter(model), []],
  },
  {
    keys: ["s"],
    does: "sort by a column, again to reverse",
    group: "find",
    hint: { text: "sort", rank: 3 },
    run: (model) => [{ ...model, popup: { kind: "sort", list: focusedKey(model) } }, []],
  },
  {
    keys: ["y"],
    does: "copy the id",
    group: "look",
    off: nothingSelected,
    run: (model) => {
      const id = idOnScreen(model);
      if (id === null) return [model, []];
      const toast = { text: `copied ${id}`, role: "ok", until: model.now + 3_000 } as const;
      return [{ ...model, toast }, [{ type: "copy", text: id }]];
    },
  },
];
