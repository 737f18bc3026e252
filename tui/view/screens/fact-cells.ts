import type { FactRow } from "../../core/fact-table.ts";
import { type Canvas, type Span, span, symbol } from "../draw/canvas.ts";
import type { SymbolName } from "../symbols.ts";

const marks: Readonly<Record<FactRow["kind"], SymbolName | null>> = {
  added: "added",
  changed: "changed",
  removed: "removed",
  same: null,
  passed: "ok",
  failed: "failed",
  warned: "warn",
  pending: "queued",
};

/** The sign before a line of the detail. */
export function factMark(canvas: Canvas, row: FactRow): readonly Span[] {
  const name = marks[row.kind];
  return name === null ? [span(" ")] : [symbol(canvas, name)];
}

const isState = (row: FactRow): boolean => ["passed", "failed", "warned", "pending"].includes(row.kind);

/** A value, in the colour of what happened to it. */
export function factValue(canvas: Canvas, row: FactRow): readonly Span[] {
  if (row.value === null) return [span("–", "muted")];
  const name = isState(row) ? marks[row.kind] : null;
  const role =
    name === null
      ? row.kind === "added" || row.kind === "changed"
        ? "strong"
        : "text"
      : symbol(canvas, name).role;
  return [span(row.value, role ?? "text")];
}

export const factBefore = (row: FactRow): readonly Span[] => [span(row.before ?? "–", "muted")];
