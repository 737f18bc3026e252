import type { MirrorEvent } from "../../../src/mirror/resources.ts";
import { healthOf } from "../../core/health.ts";
import type { Model } from "../../core/model.ts";
import { activity } from "../../core/select.ts";
import { find } from "../../core/table.ts";
import { clockText, timeOf } from "../../core/time.ts";
import { styleOf } from "../attr.ts";
import { type Canvas, counted, putRight, putSpans, type Span, span, symbol } from "../draw/canvas.ts";
import { staleNote } from "../draw/list-pane.ts";
import { drawPane } from "../draw/pane.ts";
import { columnText, sparkText } from "../draw/spark.ts";
import type { Rect } from "../rect.ts";
import type { Role } from "../theme.ts";

/** The widget needs a blank row, its title and the bars; and two columns that it leaves free. */
const sparkRows = 3;
const chartMinutes = 60;
/** Below this the line chart has no room for its axes. */
const smallestChart = { w: 40, h: 8 };

const colourOf = (canvas: Canvas, role: Role): number | undefined =>
  canvas.theme.depth === "none" ? undefined : styleOf(canvas.theme.attr(role)).fg;

/** How much has changed in each minute, and what changed last. */
export function drawActivity(canvas: Canvas, rect: Rect, model: Model): void {
  const inner = drawPane(canvas, rect, {
    title: [{ text: "Activity", role: "title" }],
    note: healthOf(model).stale ? staleNote(model) : summary(model, rect.w),
  });
  if (inner.h < 2) return;
  const drawn = inner.h >= sparkRows;
  // The row that the widget leaves blank belongs to the changes above it.
  const lines = drawn ? inner.h - sparkRows + 1 : inner.h;
  const blank = inner.y + lines - 1;
  if (drawn) drawSpark(canvas, { x: inner.x + 1, y: blank, w: inner.w - 1, h: sparkRows }, model);
  const newest = model.mirror.events.slice(-lines).reverse();
  if (newest.length === 0 && model.mirror.instance !== null)
    putSpans(
      canvas,
      inner.x + 1,
      inner.y,
      [span("No change since the daemon began to watch.", "muted")],
      inner.w - 2,
    );
  newest.forEach((event, index) => {
    putSpans(canvas, inner.x + 1, inner.y + index, eventLine(canvas, model, event), inner.w - 2);
  });
  if (drawn) canvas.over.push({ ...inner, y: blank, h: 1 });
  if (healthOf(model).stale) canvas.frame.restyle(inner, canvas.theme.dimmed);
}

function drawSpark(canvas: Canvas, rect: Rect, model: Model): void {
  const cells = rect.w - 2;
  const values = activity(model, cells);
  const title = `changes per minute over the last ${cells} minutes`;
  const role: Role = healthOf(model).stale ? "stale" : "accent";
  putSpans(canvas, rect.x, rect.y + 1, [{ text: `${title}:`, bold: true }], cells);
  putSpans(canvas, rect.x, rect.y + 2, [span(sparkText(values, cells), role)], cells);
  if (!canvas.theme.ascii) {
    canvas.charts.push({ kind: "sparkline", rect, title, values, colour: colourOf(canvas, role) });
  }
}

function summary(model: Model, cells: number): readonly Span[] {
  const values = activity(model, chartMinutes);
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total === 0) return [];
  const peak = Math.max(...values);
  const rest = cells < 60 ? "" : `, at most ${peak} a minute`;
  return [span(`${counted(total, "change")} in the last hour${rest}`, "muted")];
}

const nouns: Readonly<Record<string, string>> = {
  changeSets: "change set",
  components: "component",
  actions: "action",
  jobs: "job",
};

function eventLine(canvas: Canvas, model: Model, event: MirrorEvent): readonly Span[] {
  const time = timeOf(event.at);
  const mark = symbol(canvas, event.kind);
  const set = event.changeSetId === null ? undefined : find(model.mirror.changeSets, event.changeSetId)?.name;
  const what = nouns[event.resource] ?? event.resource;
  return [
    span(time === undefined ? "" : `${clockText(time, model.zoneMinutes)} `, "muted"),
    mark,
    span(` ${event.kind} `, mark.role),
    span(`${what} `, "muted"),
    span(event.name),
    ...(set === undefined ? [] : [span(` in ${set}`, "muted")]),
  ];
}

/** The changes of the last hour as a curve, where there is room for axes. */
export function drawChart(canvas: Canvas, rect: Rect, model: Model): void {
  const inner = drawPane(canvas, rect, { title: [{ text: "Changes per minute", role: "title" }] });
  if (inner.w < smallestChart.w || inner.h < smallestChart.h) return;
  const values = activity(model, chartMinutes);
  const stale = healthOf(model).stale;
  const axis = `${chartMinutes} m ago`;
  columnText(stretch(values, inner.w - 2), inner.w - 2, inner.h - 1).forEach((line, index) => {
    putSpans(canvas, inner.x + 1, inner.y + index, [span(line, stale ? "stale" : "accent")], inner.w - 2);
  });
  putSpans(canvas, inner.x + 1, inner.y + inner.h - 1, [span(axis, "muted")], inner.w - 2);
  putRight(canvas, inner.x + inner.w - 1, inner.y + inner.h - 1, [span("now", "muted")], 4);
  if (canvas.theme.ascii) return;
  canvas.charts.push({
    kind: "line",
    rect: inner,
    labels: values.map((_, index) =>
      clockText(model.now - (chartMinutes - 1 - index) * 60_000, model.zoneMinutes).slice(0, 5),
    ),
    values,
    colour: colourOf(canvas, stale ? "stale" : "accent"),
    text: colourOf(canvas, "muted"),
  });
}

/** The values over a number of cells, each as wide as its share. */
const stretch = (values: readonly number[], cells: number): readonly number[] =>
  Array.from({ length: cells }, (_, cell) => values[Math.floor((cell * values.length) / cells)] ?? 0);
