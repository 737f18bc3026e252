import type { Binding } from "./binding.ts";
import { attentionRows } from "./lists.ts";
import type { Model } from "./model.ts";
import { clearFilter, focusedFilter, goBack, goTo, goUp, usualChangeSet } from "./navigate.ts";

const noDaemon = (model: Model): string | null =>
  model.link.state === "open" ? null : "the daemon cannot be reached";

/** Keys that work on every screen. */
export const globalBindings: readonly Binding[] = [
  {
    keys: ["1"],
    does: "overview",
    group: "screens",
    run: (model) => [goTo(model, { screen: "overview" }), []],
  },
  {
    keys: ["2"],
    does: "change sets",
    group: "screens",
    run: (model) => [goTo(model, { screen: "changeSets" }), []],
  },
  {
    keys: ["3"],
    does: "components of the change set last looked at",
    group: "screens",
    off: (model) => (usualChangeSet(model) === undefined ? "no change set is known yet" : null),
    run: (model) => {
      const changeSetId = usualChangeSet(model);
      return [changeSetId === undefined ? model : goTo(model, { screen: "components", changeSetId }), []];
    },
  },
  {
    keys: ["4"],
    does: "actions: what is queued, what runs, what failed",
    group: "screens",
    run: (model) => [goTo(model, { screen: "actions" }), []],
  },
  {
    keys: ["5"],
    does: "runs of functions and jobs, the newest first",
    group: "screens",
    run: (model) => [goTo(model, { screen: "runs" }), []],
  },
  {
    keys: ["!"],
    does: "what needs you",
    group: "screens",
    off: (model) => (attentionRows(model).rows.length === 0 ? "nothing needs you" : null),
    run: (model) => [{ ...goTo(model, { screen: "overview" }), pane: "attention" }, []],
  },
  {
    keys: ["escape"],
    does: "clear the filter, else up one level",
    group: "move",
    hint: { text: "up", rank: 6 },
    off: (model) =>
      model.route.screen === "overview" && focusedFilter(model) === "" ? "this is the top" : null,
    run: (model) => [focusedFilter(model) === "" ? goUp(model) : clearFilter(model), []],
  },
  {
    keys: ["-"],
    does: "the screen before",
    group: "move",
    off: (model) => (model.history.length === 0 ? "there is none yet" : null),
    run: (model) => [goBack(model), []],
  },
  {
    keys: ["R"],
    does: "ask the server now",
    group: "data",
    hint: { text: "refresh", rank: 7 },
    off: noDaemon,
    run: (model) => [model, [{ type: "refresh" }]],
  },
  {
    keys: ["C-r"],
    does: "connect to the daemon anew",
    group: "data",
    run: (model) => [model, [{ type: "reconnect" }]],
  },
  {
    keys: ["D"],
    does: "daemon, connection and lists",
    group: "data",
    hint: { text: "daemon", rank: 8 },
    run: (model) => [{ ...model, popup: { kind: "daemon" } }, []],
  },
  {
    keys: ["?", "f1"],
    does: "help; again for every key",
    group: "look",
    hint: { text: "help", rank: 4 },
    run: (model) => [{ ...model, popup: { kind: "help", all: false, top: 0 } }, []],
  },
  {
    keys: ["C-l"],
    does: "draw the screen anew",
    group: "leave",
    run: (model) => [model, [{ type: "redraw" }]],
  },
  {
    keys: ["C-z"],
    does: "suspend; fg comes back",
    group: "leave",
    run: (model) => [model, [{ type: "suspend" }]],
  },
  {
    keys: ["q", "C-c"],
    does: "quit",
    group: "leave",
    hint: { text: "quit", rank: 6.5 },
    run: (model) => [model, [{ type: "quit" }]],
  },
];
