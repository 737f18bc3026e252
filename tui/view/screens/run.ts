import { healthOf } from "../../core/health.ts";
import { listOf, logKey } from "../../core/lists.ts";
import type { Model } from "../../core/model.ts";
import type { LogRow, RunLog } from "../../core/run-log.ts";
import { logTable } from "../../core/run-log.ts";
import type { RunRow } from "../../core/runs.ts";
import { shownRun } from "../../core/screens/run.ts";
import { clockText } from "../../core/time.ts";
import { type Canvas, putSpans, type Span, span } from "../draw/canvas.ts";
import { drawListPane, staleNote } from "../draw/list-pane.ts";
import { drawPane } from "../draw/pane.ts";
import type { Column } from "../draw/table.ts";
import type { Rect } from "../rect.ts";
import type { ScreenView } from "../screen.ts";
import { wrap } from "../width.ts";
import { progressSpans, tookText, wordsOf } from "./work-cells.ts";

const columnsOf = (model: Model, lines: readonly LogRow[]): readonly Column<LogRow>[] => {
  const several = lines.some(({ stream }) => stream !== "stdout");
  const columns: readonly (Column<LogRow> & { readonly shown?: boolean })[] = [
    {
      id: "at",
      title: "",
      width: 8,
      drop: 2,
      shown: lines.some(({ at }) => at !== undefined),
      cell: (row) => [span(row.at === undefined ? "" : clockText(row.at, model.zoneMinutes), "muted")],
    },
    {
      id: "stream",
      title: "",
      width: 6,
      drop: 1,
      shown: several,
      cell: (row) => [span(row.stream, row.isError ? "failed" : "muted")],
    },
    {
      id: "line",
      title: "",
      width: { share: 1, min: 20 },
      drop: 0,
      cell: (row) => [span(row.name, row.isError ? "failed" : "text")],
    },
  ];
  return columns.filter(({ shown }) => shown !== false);
};

/** State, function, component and how long it has been going on, for the upper border. */
function titleOf(
  canvas: Canvas,
  model: Model,
  row: RunRow | undefined,
  log: RunLog | undefined,
): readonly Span[] {
  if (row === undefined) return [span("  "), span(log?.error ?? "reading…", log?.error ? "failed" : "muted")];
  const reading = log?.reading ?? null;
  const state = reading !== null && row.jobId === null ? reading : row;
  const until = row.took ?? (row.created === undefined ? undefined : Math.max(0, model.now - row.created));
  return [
    span("  "),
    ...progressSpans(canvas, state.progress, state.state),
    span(row.component === "" ? "" : `  ${row.component}`, "strong"),
    span(row.kind === "" ? "" : `  ${wordsOf(row.kind)}`, "muted"),
    span(until === undefined ? "" : `  ${tookText(Math.floor(until / 100) * 100)}`, "muted"),
  ];
}

function emptyReason(model: Model, row: RunRow | undefined, log: RunLog | undefined): string {
  if (log?.error != null) return `It could not be read: ${log.error}. It is tried again.`;
  if (log?.reading == null)
    return healthOf(model).stale ? "It was not read before the connection was lost." : "reading…";
  return log.reading.ended || row === undefined ? "It wrote nothing." : "It has written nothing yet.";
}

/** How it ended and what it returned; while it runs, that it runs. */
function drawOutcome(
  canvas: Canvas,
  rect: Rect,
  model: Model,
  row: RunRow | undefined,
  log: RunLog | undefined,
): void {
  const reading = log?.reading ?? null;
  const inner = drawPane(canvas, rect, {
    title: [{ text: reading?.ended === true ? "Outcome" : "So far", role: "title" }],
    note: staleNote(model),
    ...(row === undefined ? {} : { foot: [span(`${row.changeSet}  ${row.id}`, "muted")] }),
  });
  const state = reading === null || row?.jobId != null ? row : reading;
  const failure = row?.failure ?? reading?.failure ?? null;
  const cells = inner.w - 2;
  const lines: readonly (readonly Span[])[] = [
    ...(state === undefined ? [] : [progressSpans(canvas, state.progress, state.state)]),
    ...(failure === null ? [] : wrap(failure, cells).map((text) => [span(text, "failed")])),
    ...(log?.error == null || reading === null ? [] : [[span(`not up to date: ${log.error}`, "warn")]]),
    ...(reading?.result ?? []).map((text) => [span(text, "muted")]),
  ];
  const more = [span("… svc run get shows all of it", "muted")];
  const shown = lines.length > inner.h ? [...lines.slice(0, inner.h - 1), more] : lines;
  shown.forEach((line, index) => {
    putSpans(canvas, inner.x + 1, inner.y + index, line, cells);
  });
  if (healthOf(model).stale) canvas.frame.restyle(inner, canvas.theme.dimmed);
}

/** The log of one run as it grows, and below it how it ended. */
export const run: ScreenView = {
  id: "run",
  draw: (canvas, { areas }, model) => {
    if (model.route.screen !== "run") return;
    const { funcRunId } = model.route;
    const list = listOf(model, logKey(funcRunId));
    const log = model.runLogs.get(funcRunId);
    const row = shownRun(model);
    if (areas.log !== undefined && list !== undefined) {
      const reading = log?.reading ?? null;
      const table = reading === null ? undefined : logTable(reading);
      drawListPane(canvas, areas.log, {
        model,
        pane: "log",
        list,
        table: table ?? noLines,
        columns: columnsOf(model, reading?.lines ?? []),
        title: row?.name ?? "Run",
        more: titleOf(canvas, model, row, log),
        titles: false,
        empty: emptyReason(model, row, log),
      });
    }
    if (areas.outcome !== undefined) drawOutcome(canvas, areas.outcome, model, row, log);
  },
};

const noLines = { version: 0, rows: [], index: new Map<string, number>(), changed: null };
