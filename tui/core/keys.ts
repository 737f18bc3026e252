import { keyName } from "./binding.ts";
import { perform } from "./deeds.ts";
import { findBinding } from "./keymap.ts";
import { globalBindings } from "./keys-global.ts";
import { type BoundList, listOf, stateOf } from "./lists.ts";
import type { Step } from "./message.ts";
import type { Deed, Model } from "./model.ts";
import { moveCursor, setList } from "./navigate.ts";
import { editLine, insert, type Line, lineOf } from "./parts/prompt.ts";
import { sortLetters } from "./parts/sort-letters.ts";

const reasonMs = 3_000;
/** These reach the dashboard whatever lies over it. */
const always = new Set(["C-c", "C-l", "C-z"]);

/** What a key does: to the popup, to the line being typed, or by the key map. */
export function pressKey(model: Model, key: string, text: string | undefined): Step {
  if (always.has(key))
    return globalBindings.find(({ keys }) => keys.includes(key))?.run(model) ?? [model, []];
  if (model.popup?.kind === "confirm") return inQuestion(model, model.popup.deed, key);
  if (model.popup !== null) return [inPopup(model, key), []];
  if (model.prompt !== null) return [inPrompt(model, key, text), []];
  const binding = findBinding(model, key);
  if (binding === undefined) return [model, []];
  const reason = binding.off?.(model) ?? null;
  if (reason === null) return binding.run({ ...model, toast: null });
  const toast = {
    text: `${keyName(key)} is off: ${reason}`,
    role: "warn",
    until: model.now + reasonMs,
  } as const;
  return [{ ...model, toast }, []];
}

/** What pasted text does: it goes into the line being typed, and nowhere else. */
export function pasteText(model: Model, text: string): Model {
  return model.prompt === null ? model : typed(model, model.prompt.list, insert(model.prompt.line, text));
}

/** A question is answered with enter; escape and q leave everything as it is. */
function inQuestion(model: Model, deed: Deed, key: string): Step {
  if (key === "escape" || key === "q") return [{ ...model, popup: null }, []];
  return key === "enter" ? perform({ ...model, popup: null }, deed) : [model, []];
}

function inPopup(model: Model, key: string): Model {
  const { popup } = model;
  const closed = { ...model, popup: null };
  if (popup === null || key === "escape" || key === "q") return closed;
  if (popup.kind === "help") {
    if (key === "?") return { ...model, popup: { kind: "help", all: !popup.all, top: 0 } };
    const by =
      key === "down" || key === "j"
        ? 1
        : key === "up" || key === "k"
          ? -1
          : key === "pagedown"
            ? 10
            : key === "pageup"
              ? -10
              : 0;
    return by === 0 ? model : { ...model, popup: { ...popup, top: Math.max(0, popup.top + by) } };
  }
  if (popup.kind === "daemon") return key === "D" || key === "enter" ? closed : model;
  const list = popup.kind === "sort" ? listOf(model, popup.list) : undefined;
  if (list === undefined || key === "enter" || key === "s") return closed;
  const column = sortLetters(list.columns).find(({ letter }) => letter === key)?.column;
  return column === undefined ? model : sortBy(model, list, column.id);
}

/** Sorts by a column; the one that is already sorted by turns around. */
export function sortBy(model: Model, list: BoundList, columnId: string): Model {
  const state = stateOf(model, list);
  const column = list.columns.find(({ id }) => id === columnId);
  if (column === undefined) return model;
  const again = state.sort.column === columnId;
  const sort = { column: columnId, descending: again ? !state.sort.descending : (column.down ?? false) };
  return { ...setList(model, list.key, { ...state, sort }), sorts: { ...model.sorts, [list.kindId]: sort } };
}

function inPrompt(model: Model, key: string, text: string | undefined): Model {
  const { prompt } = model;
  if (prompt === null) return model;
  const list = listOf(model, prompt.list);
  if (list === undefined) return { ...model, prompt: null };
  // A filter that cannot be used is not kept: the line stays open beside the reason.
  if (key === "enter") return stateOf(model, list).filterError === null ? { ...model, prompt: null } : model;
  if (key === "escape") return { ...typed(model, prompt.list, lineOf("")), prompt: null };
  if (key === "tab") return typed(model, prompt.list, lineOf(list.complete(prompt.line.text)));
  if (key === "down") return moveCursor(model, ({ cursor }) => cursor + 1);
  if (key === "up") return moveCursor(model, ({ cursor }) => cursor - 1);
  const line = editLine(prompt.line, key, text);
  return line === null ? model : typed(model, prompt.list, line);
}

/** The line as typed, already filtering: every key shows what it leaves. */
function typed(model: Model, key: string, line: Line): Model {
  const list = listOf(model, key);
  if (list === undefined || model.prompt === null) return model;
  const filtered = setList(model, key, { ...stateOf(model, list), filter: line.text });
  return { ...filtered, prompt: { ...model.prompt, line } };
}
