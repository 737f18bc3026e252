import { followAbsence } from "./absence.ts";
import { applyAnswer } from "./answer.ts";
import { askForDetail, detailArrived, outdateDetails, rested } from "./details.ts";
import { followRunOnScreen, runArrived } from "./follow-run.ts";
import { findBinding } from "./keymap.ts";
import { pasteText, pressKey } from "./keys.ts";
import { componentsKey, currentTab, listOf, stateOf } from "./lists.ts";
import type { Message, Step } from "./message.ts";
import { fadeMarks } from "./mirror.ts";
import type { Model } from "./model.ts";
import { focusPane, followSide, goTo, setList, showTab } from "./navigate.ts";
import { keepInWindow, moveTo, scrollBy } from "./parts/list.ts";
import { listKeyOf, mainPane, panesOf, windowOf } from "./place.ts";

const toastMs = 4_000;

/** The model after a message, and what is to be done: pure, total, and the only way in which the model changes. */
export function update(model: Model, message: Message): Step {
  const [reduced, commands] = reduce(model, message);
  const [settled, more] = askForDetail(settle(reduced));
  const [followed, last] = followRunOnScreen(settled);
  const further = [...more, ...last];
  return [followed, further.length === 0 ? commands : [...commands, ...further]];
}

function reduce(model: Model, message: Message): Step {
  switch (message.type) {
    case "key":
      return pressKey(model, message.key, message.text);
    case "paste":
      return [pasteText(model, message.text), []];
    case "resize":
      return [{ ...model, size: message.size }, []];
    case "tick":
      return [passTime(model, message.now), []];
    case "answer": {
      const { mirror, changed } = applyAnswer(model.mirror, message.answer, message.now);
      const next = outdateDetails(model, heard({ ...model, mirror }, message.now));
      return [followAbsence(next, changed), []];
    }
    case "heard":
      return [followAbsence(heard(model, message.now), 0), []];
    case "lost": {
      const { now, error, nextRetryAt } = message;
      const since = model.link.state === "closed" ? model.link.since : now;
      const link = { ...model.link, state: "closed", since, error, nextRetryAt } as const;
      return [followAbsence({ ...model, now, link }, 0), []];
    }
    case "component":
      return [detailArrived({ ...model, now: message.now }, message.key, message.result, message.now), []];
    case "run":
      return [runArrived({ ...model, now: message.now }, message.funcRunId, message.result), []];
    case "rested":
      return rested(model, message.key);
    case "done": {
      const role = message.failed ? "failed" : "ok";
      return [
        { ...model, now: message.now, toast: { text: message.text, role, until: message.now + toastMs } },
        [],
      ];
    }
    case "row":
      return chooseRow(model, message.pane, message.list, message.place);
    case "wheel":
      return [turnWheel(model, message.list, message.rows), []];
    case "go":
      return [goTo(model, message.route), []];
    case "tab":
      return [showTab(model, message.tab), []];
    case "close":
      return [{ ...model, popup: null }, []];
  }
}

function heard(model: Model, now: number): Model {
  const since = model.link.state === "open" ? model.link.since : now;
  return { ...model, now, link: { state: "open", since, heardAt: now, nextRetryAt: null, error: null } };
}

function passTime(model: Model, now: number): Model {
  const toast = model.toast !== null && model.toast.until <= now ? null : model.toast;
  return followAbsence({ ...model, now, toast, mirror: fadeMarks(model.mirror, now) }, 0);
}

/** A click on a row selects it; on the selected row of the focused pane it opens it. */
function chooseRow(model: Model, pane: Model["pane"], key: string, place: number): Step {
  const list = listOf(model, key);
  if (list === undefined || model.popup !== null) return [model, []];
  const state = stateOf(model, list);
  const again = model.pane === pane && state.cursor === place;
  const chosen = followSide(setList(focusPane(model, pane), key, moveTo(state, list.table, place)));
  if (!again) return [chosen, []];
  const open = findBinding(chosen, "enter");
  return open === undefined || (open.off?.(chosen) ?? null) !== null ? [chosen, []] : open.run(chosen);
}

function turnWheel(model: Model, key: string, rows: number): Model {
  const list = listOf(model, key);
  const pane = panesOf(model).find((candidate) => listKeyOf(model, candidate) === key);
  if (list === undefined || pane === undefined || model.popup !== null) return model;
  return setList(model, key, scrollBy(stateOf(model, list), list.table, rows, windowOf(model, pane)));
}

/** Brings what is on the screen in step: panes that exist, lists in order, cursors in their windows. */
function settle(model: Model): Model {
  const panes = panesOf(model);
  const main = mainPane(model.route.screen);
  const pane = panes.includes(model.pane) ? model.pane : panes.includes(main) ? main : (panes[0] ?? main);
  const tab = model.route.screen === "component" ? (currentTab(model)?.id ?? model.tab) : model.tab;
  let next = pane === model.pane && tab === model.tab ? model : { ...model, pane, tab };
  for (const visible of panes.length === 0 ? [main] : panes) {
    const list = listOf(next, listKeyOf(next, visible));
    if (list === undefined) continue;
    const state = keepInWindow(list.refresh(stateOf(next, list)), windowOf(next, visible));
    next = setList(next, list.key, state);
  }
  // The neighbours of a component are found in the list it came from.
  if (next.route.screen === "component") {
    const list = listOf(next, componentsKey(next.route.changeSetId));
    if (list !== undefined) next = setList(next, list.key, list.refresh(stateOf(next, list)));
  }
  return next;
}
