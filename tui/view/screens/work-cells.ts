import type { ActionLine } from "../../core/actions.ts";
import type { Progress } from "../../core/run-rows.ts";
import { type Canvas, type Span, span, symbol } from "../draw/canvas.ts";
import type { SymbolName } from "../symbols.ts";

const progressSymbols: Readonly<Record<Progress, SymbolName>> = {
  queued: "queued",
  running: "running",
  ok: "ok",
  failed: "failed",
  killed: "killed",
  unknown: "unknown",
};

/** `● running`: how far a run is, with the state as the server calls it where that says more. */
export function progressSpans(canvas: Canvas, progress: Progress, state: string): readonly Span[] {
  const mark = symbol(canvas, progressSymbols[progress]);
  const word = progress === "ok" || progress === "failed" ? progress : wordsOf(state) || "unknown";
  return [mark, span(` ${word}`, mark.role)];
}

const actionSymbols: Readonly<Record<string, SymbolName>> = {
  Pending: "queued",
  OnHold: "waiting",
  Dispatched: "running",
  Running: "running",
  Failed: "failed",
};

/** `✗ failed`, `‖ on hold`: where an action stands. */
export function actionState(canvas: Canvas, { state }: ActionLine): readonly Span[] {
  const mark = symbol(canvas, actionSymbols[state] ?? "unknown");
  return [mark, span(` ${wordsOf(state)}`, mark.role)];
}

/** `PostProcessing` as `post processing`. */
export const wordsOf = (state: string): string => state.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();

/** How long something took: `0.3s`, `12s`, `3m 5s`. */
export function tookText(ms: number): string {
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)}s`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)}m${rest === 0 ? "" : ` ${rest}s`}`;
}
