import { type ActionLine, actionTable } from "../actions.ts";
import type { Binding } from "../binding.ts";
import { confirm, perform, whyNoDeeds } from "../deeds.ts";
import { actionsKey } from "../lists.ts";
import type { Deed, Model, Route } from "../model.ts";
import { goTo } from "../navigate.ts";
import { selectedId } from "../parts/list.ts";
import type { Screen } from "../screen.ts";
import { find } from "../table.ts";
import { latestLogOf, openLog } from "./open-log.ts";

/** The action under the cursor. */
const selected = (model: Model): ActionLine | undefined =>
  find(actionTable(model.mirror), selectedId(model.lists[actionsKey]) ?? "");

/** Where the log of the action's run is, else of the latest one of its component. */
function logOf(model: Model): Route | null {
  const action = selected(model);
  if (action === undefined) return null;
  const { changeSetId, componentId, funcRunId } = action;
  if (funcRunId !== null) return { screen: "run", changeSetId, funcRunId };
  return componentId === null ? null : latestLogOf(model, changeSetId, componentId);
}

const isRunning = ({ state }: ActionLine): boolean => state === "Running" || state === "Dispatched";

const deedFor = (
  action: ActionLine,
  operation: "actions.retry" | "actions.putOnHold" | "actions.cancel",
  title: string,
  done: string,
  because: readonly string[] = [],
): Deed => ({
  title,
  because,
  done,
  request: { operation, input: { changeSetId: action.changeSetId, actionId: action.id } },
});

/** A key that does something to the action under the cursor; `why` says why it cannot. */
const doing = (
  why: (action: ActionLine) => string | null,
  run: (model: Model, action: ActionLine) => ReturnType<Binding["run"]>,
): Pick<Binding, "off" | "run"> => ({
  off: (model) => {
    const action = selected(model);
    return action === undefined ? "nothing is selected" : (why(action) ?? whyNoDeeds(model));
  },
  run: (model) => {
    const action = selected(model);
    return action === undefined ? [model, []] : run(model, action);
  },
});

const runs = "it runs: L shows its log, where x ends it";

/** Actions of the head and of every open change set: what runs, what failed, what waits for what. */
export const actions: Screen = {
  id: "actions",
  title: "Actions",
  key: "4",
  crumbs: () => ["actions"],
  bindings: [
    {
      keys: ["enter", "right", "l"],
      does: "look at its component",
      group: "look",
      hint: { text: "component", rank: 1 },
      off: (model) => {
        const action = selected(model);
        if (action === undefined) return "nothing is selected";
        return action.componentId === null ? "it is of no component" : null;
      },
      run: (model) => {
        const action = selected(model);
        if (action === undefined || action.componentId === null) return [model, []];
        const { changeSetId, componentId } = action;
        return [goTo(model, { screen: "component", changeSetId, componentId }), []];
      },
    },
    openLog("log of its run, else of the latest one of its component", 1.2, logOf, (model) =>
      selected(model) === undefined ? "nothing is selected" : "nothing has run for it yet",
    ),
    {
      keys: ["r"],
      does: "retry: let it run again, or at last",
      group: "do",
      hint: { text: "retry", rank: 1.4 },
      ...doing(
        (action) =>
          action.state === "Failed" || action.state === "OnHold"
            ? null
            : "only what failed or is held is retried",
        (model, action) =>
          perform(model, deedFor(action, "actions.retry", "Retry", `${action.name} will run again`)),
      ),
    },
    {
      keys: ["H"],
      does: "hold: keep it, and what depends on it, from running",
      group: "do",
      hint: { text: "hold", rank: 1.5 },
      ...doing(
        (action) => (action.state === "OnHold" ? "it is held already" : isRunning(action) ? runs : null),
        (model, action) =>
          perform(model, deedFor(action, "actions.putOnHold", "Hold", `${action.name} is held`)),
      ),
    },
    {
      keys: ["x"],
      does: "cancel: take it off the queue",
      group: "do",
      hint: { text: "cancel…", rank: 1.6 },
      ...doing(
        (action) => (isRunning(action) ? runs : null),
        (model, action) =>
          confirm(
            model,
            deedFor(action, "actions.cancel", `Cancel ${action.name}?`, `${action.name} is cancelled`, [
              `${action.kind} of ${action.component === "" ? "no component" : action.component} in ${action.changeSet}.`,
              action.inHead
                ? "It leaves the queue at once; what waits for it goes on without it."
                : "It will not run after the apply.",
            ]),
          ),
      ),
    },
  ],
};
