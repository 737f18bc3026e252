import { type Binding, helpGroups, keyName } from "../../core/binding.ts";
import { bindingsOf } from "../../core/keymap.ts";
import { globalBindings } from "../../core/keys-global.ts";
import { listBindings } from "../../core/keys-list.ts";
import { listOf, stateOf } from "../../core/lists.ts";
import type { Deed, Model } from "../../core/model.ts";
import { sortLetters } from "../../core/parts/sort-letters.ts";
import { screenOf, screens } from "../../core/screens/index.ts";
import type { Rect } from "../rect.ts";
import { type Canvas, putSpans, type Span, span, spansWidth } from "./canvas.ts";
import { daemonLines } from "./daemon-lines.ts";
import { drawPane } from "./pane.ts";

/** Draws what lies over the screen, and makes a click beside it close it. */
export function drawPopup(canvas: Canvas, body: Rect, model: Model): void {
  const { popup } = model;
  if (popup === null) return;
  const top = popup.kind === "help" ? popup.top : 0;
  const { title, lines } =
    popup.kind === "help"
      ? help(model, popup.all)
      : popup.kind === "daemon"
        ? { title: "daemon", lines: daemonLines(canvas, model) }
        : popup.kind === "confirm"
          ? question(popup.deed)
          : sortMenu(model, popup.list);
  const wanted = Math.max(24, ...lines.map(spansWidth)) + 4;
  const w = Math.min(body.w, wanted);
  const h = Math.min(body.h, lines.length + 2);
  const rect = { x: body.x + Math.floor((body.w - w) / 2), y: body.y + Math.floor((body.h - h) / 2), w, h };
  canvas.frame.fill(rect, " ", canvas.theme.attr("text"));
  const first = Math.max(0, Math.min(top, lines.length - (h - 2)));
  const more =
    lines.length > h - 2 ? { foot: [span(`${first + 1}-${first + h - 2} of ${lines.length}`, "muted")] } : {};
  const inner = drawPane(canvas, rect, { title: [{ text: title, role: "title" }], focused: true, ...more });
  lines.slice(first, first + inner.h).forEach((line, index) => {
    putSpans(canvas, inner.x + 1, inner.y + index, line, inner.w - 2);
  });
  canvas.over.push(rect);
  const whole = { x: 0, y: 0, w: canvas.frame.cols, h: canvas.frame.rows };
  canvas.targets.push({ rect: whole, click: { type: "close" } }, { rect });
}

type Lines = readonly (readonly Span[])[];

/** Help is the key map: for this screen by groups, or of every screen. */
function help(model: Model, all: boolean): { readonly title: string; readonly lines: Lines } {
  if (!all) {
    const here = bindingsOf(model);
    const lines = helpGroups.flatMap((group) =>
      groupLines(
        group,
        here.filter((binding) => binding.group === group),
        model,
      ),
    );
    return {
      title: `keys on ${screenOf(model.route.screen).title.toLowerCase()}`,
      lines: [...lines, ...filterHelp],
    };
  }
  const sections = [
    ...groupLines("everywhere", globalBindings, null),
    ...groupLines("lists", listBindings, null),
    ...screens.flatMap(({ title, bindings }) => groupLines(title.toLowerCase(), bindings, null)),
  ];
  return { title: "all keys", lines: [...sections, ...filterHelp] };
}

const keyCells = 17;

function groupLines(name: string, bindings: readonly Binding[], model: Model | null): Lines {
  return bindings.map((binding, index) => {
    const keys = binding.keys.map(keyName).join(" ");
    const reason = model === null ? null : (binding.off?.(model) ?? null);
    return [
      span((index === 0 ? name : "").padEnd(11), "title"),
      span(keys.padEnd(keyCells), reason === null ? "key" : "muted"),
      span(binding.does, reason === null ? "text" : "muted"),
      ...(reason === null ? [] : [span(`  off: ${reason}`, "warn")]),
    ];
  });
}

const filterHelp: Lines = [
  [],
  [
    span("filter     ", "title"),
    span("words on the name   field:value   field:~letters   age<10m   !not", "text"),
  ],
  [span("           "), span("a first click selects, a second one opens; the wheel scrolls", "muted")],
];

/** What is about to be done, and what follows from it. */
const question = ({ title, because }: Deed): { readonly title: string; readonly lines: Lines } => ({
  title,
  lines: [
    ...because.map((sentence) => [span(sentence)]),
    [],
    [span("enter", "key"), span(" does it   ", "muted"), span("esc", "key"), span(" leaves it", "muted")],
  ],
});

function sortMenu(model: Model, key: string): { readonly title: string; readonly lines: Lines } {
  const list = listOf(model, key);
  if (list === undefined) return { title: "sort", lines: [] };
  const { sort } = stateOf(model, list);
  const lines = sortLetters(list.columns).map(({ letter, column }) => [
    span(letter, "key"),
    span("  "),
    span(column.title, column.id === sort.column ? "title" : "text"),
    span(column.id === sort.column ? (sort.descending ? "  ↓" : "  ↑") : "", "key"),
  ]);
  return { title: `sort ${list.nouns}`, lines };
}
