import { healthOf, serverWord } from "../../core/health.ts";
import type { Model } from "../../core/model.ts";
import { activity, componentFacts, headOf } from "../../core/select.ts";
import { ageText, timeOf } from "../../core/time.ts";
import { type Canvas, count, counted, putSpans, type Span, span, symbol } from "../draw/canvas.ts";
import { staleNote } from "../draw/list-pane.ts";
import { drawPane } from "../draw/pane.ts";
import { sparkText } from "../draw/spark.ts";
import type { Rect } from "../rect.ts";
import { actionNumbers } from "./actions.ts";
import { runNumbers } from "./runs.ts";

const label = (text: string): Span => span(text.padEnd(12), "muted");

function connection(canvas: Canvas, model: Model): readonly Span[] {
  const server = model.mirror.status?.server;
  if (server === undefined) return [span("waiting for the daemon", "muted")];
  const last = timeOf(server.lastSuccessAt);
  const answered = last === undefined ? "" : `, answered ${ageText(model.now - last)} ago`;
  const mark = symbol(
    canvas,
    server.state === "online" ? "ok" : server.state === "offline" ? "offline" : "connecting",
  );
  return [mark, span(` ${serverWord(server)}${answered}`)];
}

const numbers = (name: string, spans: readonly Span[]): readonly Span[] =>
  spans.length === 0 ? [] : [label(name), ...spans];

/** What the whole workspace is made of and how much of it moves, in a few lines. */
function nowLines(canvas: Canvas, model: Model, cells: number): readonly (readonly Span[])[] {
  const { status, changeSets, components } = model.mirror;
  const head = headOf(model.mirror);
  const headTable = head === undefined ? undefined : components.get(head.id);
  const facts = headTable === undefined ? undefined : componentFacts(headTable);
  const open = (changeSets?.rows.length ?? 0) - (head === undefined ? 0 : 1);
  const hour = activity(model, 60);
  const total = hour.reduce((sum, value) => sum + value, 0);
  const online = status?.server.state === "online";
  const failing = online ? status.lists.filter(({ error }) => error !== null).length : 0;
  const quals: readonly Span[] =
    facts === undefined || facts.passed + facts.warned + facts.failed + facts.pending === 0
      ? []
      : [
          label("head checks"),
          symbol(canvas, "ok"),
          span(` ${count(facts.passed)}  `),
          symbol(canvas, "failed"),
          span(` ${count(facts.failed)}  `),
          symbol(canvas, "warn"),
          span(` ${count(facts.warned)}`),
        ];
  return [
    [label("server"), ...connection(canvas, model)],
    failing === 0
      ? []
      : [label("lists"), symbol(canvas, "failed"), span(` ${counted(failing, "fails", "fail")}`, "failed")],
    numbers("actions", actionNumbers(canvas, model)),
    numbers("runs", runNumbers(canvas, model)),
    [
      label("change sets"),
      changeSets === undefined ? span("–", "muted") : span(`${count(open)} open over the head`),
    ],
    [
      label("components"),
      facts === undefined
        ? span("–", "muted")
        : span(
            `${count(facts.total)} in the head${facts.resources === 0 ? "" : `, ${count(facts.resources)} real`}`,
          ),
    ],
    quals,
    [
      label("changes"),
      span(sparkText(hour, Math.max(8, Math.min(30, cells - 27))), "accent"),
      span(`  ${count(total)} in 60 m`),
    ],
    [
      label("signed in"),
      status === null ? span("–", "muted") : span(status.session.username ?? status.session.state),
    ],
  ].filter((line) => line.length > 0);
}

export function drawNow(canvas: Canvas, rect: Rect, model: Model): void {
  const inner = drawPane(canvas, rect, {
    title: [{ text: "Right now", role: "title" }],
    note: staleNote(model),
  });
  nowLines(canvas, model, inner.w)
    .slice(0, inner.h)
    .forEach((line, index) => {
      putSpans(canvas, inner.x + 1, inner.y + index, line, inner.w - 2);
    });
  if (healthOf(model).stale) canvas.frame.restyle(inner, canvas.theme.dimmed);
}
