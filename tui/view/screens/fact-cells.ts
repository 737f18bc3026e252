import type { FactRow } from "../../core/fact-rows.ts";
import { type Canvas, type Span, span, symbol } from "../draw/canvas.ts";
import { type Sides, sideSpans } from "../draw/sides.ts";
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
  if (row.computed) return sideSpans(row.value, "muted");
  const name = isState(row) ? marks[row.kind] : null;
  const role =
    name === null
      ? row.kind === "added" || row.kind === "changed"
        ? "strong"
        : "text"
      : symbol(canvas, name).role;
  return sideSpans(row.value, role ?? "text");
}

/** What is to be known of a difference beside its values. */
export function differenceNotes(
  canvas: Canvas,
  row: Pick<FactRow, "computed" | "headMoved">,
): readonly Span[] {
  if (row.headMoved) {
    const mark = symbol(canvas, "moved");
    return [mark, span(" head moved", mark.role)];
  }
  return row.computed ? [span("computed", "muted")] : [];
}

export const factBefore = (row: FactRow): readonly Span[] => sideSpans(row.before ?? "–", "muted");

/** The whole values of a line, for the foot of the page. */
export const factSides = (row: FactRow): Sides => ({
  title: row.name,
  values: [
    ...(row.kind === "same" || (row.before === null && row.kind !== "changed")
      ? []
      : [{ label: "head", text: row.before ?? "–", role: "text" as const }]),
    ...(row.value === null ? [] : [{ label: "here", text: row.value, role: "strong" as const }]),
  ],
});
