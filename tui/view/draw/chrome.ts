import { type Binding, keyName } from "../../core/binding.ts";
import { healthOf } from "../../core/health.ts";
import { bindingsOf } from "../../core/keymap.ts";
import { attentionRows, listOf, stateOf } from "../../core/lists.ts";
import type { Model, Popup, Route, ScreenId } from "../../core/model.ts";
import { usualChangeSet } from "../../core/navigate.ts";
import { screenOf, screens } from "../../core/screens/index.ts";
import { clockText } from "../../core/time.ts";
import type { Layout } from "../layout.ts";
import type { Rect } from "../rect.ts";
import type { SymbolName } from "../symbols.ts";
import { type Canvas, counted, putRight, putSpans, type Span, span, spansWidth, symbol } from "./canvas.ts";

const badges = {
  live: "live",
  partial: "warn",
  behind: "behind",
  connecting: "connecting",
  "signed-out": "failed",
  offline: "offline",
  "no-daemon": "offline",
} as const satisfies Record<string, SymbolName>;

/** The first row: where this is, and how far what it shows can be trusted. */
export function drawHeader(canvas: Canvas, rect: Rect, model: Model, layout: Layout): void {
  const health = healthOf(model);
  const mark = symbol(canvas, badges[health.state]);
  const clock =
    layout.tabs === null ? [] : [span("   "), span(clockText(model.now, model.zoneMinutes), "muted")];
  const badge = [
    mark,
    span(" "),
    { ...span(health.short), ...(mark.role === undefined ? {} : { role: mark.role }) },
    ...clock,
  ];
  const end = putRight(canvas, rect.x + rect.w - 1, rect.y, badge, rect.w - 8);
  const host = layout.tabs === null ? undefined : model.mirror.status?.serverUrl.replace(/^https?:\/\//, "");
  const names = [
    ...(host === undefined ? ["svc"] : [`svc ${host}`]),
    ...screenOf(model.route.screen).crumbs(model),
  ];
  const room = end - rect.x - 3;
  let crumbs = crumbSpans(names);
  for (let first = 1; spansWidth(crumbs) > room && first < names.length; first++) {
    crumbs = [span("… › ", "muted"), ...crumbSpans(names.slice(first))];
  }
  putSpans(canvas, rect.x + 1, rect.y, crumbs, room);
}

const crumbSpans = (names: readonly string[]): readonly Span[] =>
  names.flatMap((name, index) => [
    ...(index === 0 ? [] : [span(" › ", "muted")]),
    { text: name, role: index === names.length - 1 ? ("title" as const) : ("text" as const) },
  ]);

/** Screens without a key of their own stand under the one that they are reached from. */
const parents: Readonly<Partial<Record<ScreenId, ScreenId>>> = { component: "components", run: "runs" };

/** The row of screens with the keys that open them, and how much waits. */
export function drawScreens(canvas: Canvas, rect: Rect, model: Model): void {
  let x = rect.x + 1;
  const current = parents[model.route.screen] ?? model.route.screen;
  for (const screen of screens) {
    if (screen.key === null) continue;
    const active = screen.id === current;
    const from = x;
    x = putSpans(
      canvas,
      x,
      rect.y,
      [span(screen.key, "key"), span(" "), { text: screen.title, role: active ? "title" : "muted" }],
      rect.w,
    );
    if (active) canvas.frame.restyle({ x: from, y: rect.y, w: x - from, h: 1 }, canvas.theme.selected);
    const route = routeOf(model, screen.id);
    if (route !== undefined) {
      canvas.targets.push({ rect: { x: from, y: rect.y, w: x - from, h: 1 }, click: { type: "go", route } });
    }
    x += 2;
  }
  const waiting = attentionRows(model).rows.length;
  if (waiting > 0) {
    const note = [
      span("! ", "key"),
      span(`${counted(waiting, "thing")} ${waiting === 1 ? "needs" : "need"} you`, "warn"),
    ];
    putRight(canvas, rect.x + rect.w - 1, rect.y, note, rect.w - x);
  }
}

function routeOf(model: Model, id: string): Route | undefined {
  if (id === "overview") return { screen: "overview" };
  if (id === "changeSets" || id === "actions" || id === "runs") return { screen: id };
  const changeSetId = usualChangeSet(model);
  return changeSetId === undefined ? undefined : { screen: "components", changeSetId };
}

/** The row above the hints: the line being typed, else what just happened, else what is wrong. */
export function drawStatus(canvas: Canvas, rect: Rect, model: Model): void {
  if (model.prompt !== null) {
    drawPrompt(canvas, rect, model);
    return;
  }
  const { toast } = model;
  if (toast !== null) {
    const mark = symbol(canvas, toast.role === "ok" ? "ok" : toast.role === "failed" ? "failed" : "warn");
    putSpans(canvas, rect.x + 1, rect.y, [mark, span(" "), span(toast.text, toast.role)], rect.w - 2);
    return;
  }
  const health = healthOf(model);
  if (health.sentence === null) return;
  const mark = symbol(canvas, badges[health.state]);
  putSpans(canvas, rect.x + 1, rect.y, [mark, span(" "), span(health.sentence, "warn")], rect.w - 2);
}

function drawPrompt(canvas: Canvas, rect: Rect, model: Model): void {
  const { prompt } = model;
  const list = prompt === null ? undefined : listOf(model, prompt.list);
  if (prompt === null || list === undefined) return;
  const state = stateOf(model, list);
  const letters = [...prompt.line.text];
  const before = letters.slice(0, prompt.line.cursor).join("");
  const after = letters.slice(prompt.line.cursor).join("");
  const found = counted(state.order.length, "match", "matches");
  const help = list.choices(prompt.line.text).slice(0, 8).join(" ");
  const note: readonly Span[] =
    state.filterError === null
      ? [
          span(found, "text"),
          span(`   tab ${help === "" ? "completes" : help}   enter keeps   esc clears`, "muted"),
        ]
      : [span(state.filterError, "failed")];
  const x = putSpans(
    canvas,
    rect.x + 1,
    rect.y,
    [span("/", "key"), span(before), span("▏", "key"), span(after)],
    rect.w - 2,
  );
  const room = rect.x + rect.w - 2 - x;
  if (room > 12) putSpans(canvas, x + 3, rect.y, note, room - 3);
}

/** The last row: the keys that matter most here, those that are off with the reason last. */
export function drawHints(canvas: Canvas, rect: Rect, model: Model): void {
  let x = rect.x + 1;
  for (const hint of hintsOf(model)) {
    const spans = [span(hint.key, "key"), span(" "), span(hint.text, "muted")];
    const cells = spansWidth(spans);
    if (x + cells > rect.x + rect.w - 1) break;
    x = putSpans(canvas, x, rect.y, spans, cells) + 2;
  }
}

function hintsOf(model: Model): readonly { readonly key: string; readonly text: string }[] {
  if (model.popup !== null) return [{ key: "esc", text: "close" }, ...popupHints(model.popup.kind)];
  if (model.prompt !== null) return [];
  const ranked = bindingsOf(model).flatMap((binding) =>
    binding.hint === undefined ? [] : [{ binding, rank: binding.hint.rank, text: binding.hint.text }],
  );
  const usable = ranked.filter(({ binding }) => (binding.off?.(model) ?? null) === null);
  return usable.sort((a, b) => a.rank - b.rank).map(({ binding, text }) => ({ key: hintKey(binding), text }));
}

const hintKey = (binding: Binding): string =>
  binding.keys[0] === "down" ? "↑↓" : keyName(binding.keys[0] ?? "");

function popupHints(kind: Popup["kind"]): readonly { readonly key: string; readonly text: string }[] {
  if (kind === "help")
    return [
      { key: "?", text: "all keys or this screen's" },
      { key: "↑↓", text: "scroll" },
    ];
  if (kind === "confirm") return [{ key: "enter", text: "do it" }];
  return kind === "sort" ? [{ key: "letter", text: "sort, again to reverse" }] : [];
}
