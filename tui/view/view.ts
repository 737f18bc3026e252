import { healthOf } from "../core/health.ts";
import { attentionRows } from "../core/lists.ts";
import type { Message } from "../core/message.ts";
import type { Model } from "../core/model.ts";
import { placeOf } from "../core/place.ts";
import { type Canvas, counted, putSpans, type Span, span, symbol } from "./draw/canvas.ts";
import { drawHeader, drawHints, drawScreens, drawStatus } from "./draw/chrome.ts";
import { drawPopup } from "./draw/popup.ts";
import { Frame } from "./frame.ts";
import { minimum } from "./layout.ts";
import type { Scene } from "./scene.ts";
import { screenViewOf } from "./screens/index.ts";
import type { Theme } from "./theme.ts";

/** The picture of a model: pure, total, and exactly as large as the terminal. */
export function view(model: Model, theme: Theme): Scene<Message> {
  const { cols, rows } = model.size;
  const frame = new Frame(cols, rows, theme.ascii);
  const canvas: Canvas = { frame, theme, targets: [], charts: [], over: [] };
  const layout = placeOf(model);
  if (layout.size === "XS") drawSmall(canvas, model);
  else {
    drawHeader(canvas, layout.header, model, layout);
    if (layout.tabs !== null) drawScreens(canvas, layout.tabs, model);
    screenViewOf(model.route.screen).draw(canvas, layout, model);
    drawStatus(canvas, layout.status, model);
    drawHints(canvas, layout.hints, model);
    drawPopup(canvas, layout.body, model);
  }
  return canvas;
}

/** What still fits on a terminal too small for lists: the connection, what waits, and the size that is missing. */
function drawSmall(canvas: Canvas, model: Model): void {
  const { cols, rows } = model.size;
  const health = healthOf(model);
  const waiting = attentionRows(model).rows.length;
  const mark = symbol(canvas, health.stale ? "offline" : "live");
  const lines: readonly (readonly Span[])[] = [
    [mark, span(" svc "), span(health.short, "muted")],
    [
      waiting === 0
        ? span("nothing needs you", "muted")
        : span(`${counted(waiting, "thing")} waiting`, "warn"),
    ],
    [span(`${cols}x${rows}: lists need ${minimum.cols}x${minimum.rows}`, "muted")],
    [span("q", "key"), span(" quit", "muted")],
  ];
  lines.slice(0, rows).forEach((line, y) => {
    putSpans(canvas, 0, y, line, cols);
  });
}
