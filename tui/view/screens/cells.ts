import type { ChangeSetRow } from "../../core/kinds.ts";
import type { Model } from "../../core/model.ts";
import type { ComponentRow } from "../../core/rows.ts";
import { ageText } from "../../core/time.ts";
import { type Canvas, count, type Span, span, symbol } from "../draw/canvas.ts";
import type { SymbolName } from "../symbols.ts";

const nothing: readonly Span[] = [span("–", "muted")];

/** How long ago, or a dash. */
export const age = (model: Model, time: number | undefined): readonly Span[] =>
  time === undefined ? nothing : [span(ageText(model.now - time), "muted")];

/** `+2 ~5 −1`, or a dash when nothing differs. */
export function difference(canvas: Canvas, row: ChangeSetRow): readonly Span[] {
  if (row.components === undefined || row.isHead) return nothing;
  const parts = [
    { name: "added", value: row.added },
    { name: "changed", value: row.modified },
    { name: "removed", value: row.removed },
  ] as const;
  const shown = parts.filter(({ value }) => value > 0);
  if (shown.length === 0) return [span("none", "muted")];
  return shown.flatMap(({ name, value }, index) => {
    const mark = symbol(canvas, name);
    return [span(index === 0 ? "" : " "), { ...mark, text: `${mark.text}${count(value)}` }];
  });
}

const statusSymbols: Readonly<Record<string, SymbolName>> = {
  Open: "queued",
  NeedsApproval: "waiting",
  Approved: "ok",
  Rejected: "warn",
  Applied: "ok",
  Abandoned: "unknown",
  Failed: "failed",
};
const statusWords: Readonly<Record<string, string>> = { NeedsApproval: "needs approval" };

export function changeSetStatus(canvas: Canvas, row: ChangeSetRow): readonly Span[] {
  if (row.isHead) return [symbol(canvas, "ok"), span(" head", "muted")];
  const mark = symbol(canvas, statusSymbols[row.status] ?? "unknown");
  return [mark, span(` ${statusWords[row.status] ?? row.status.toLowerCase()}`, mark.role)];
}

/** `3✓ 1✗`: how the qualifications went; a dash without any. */
export function qualifications(canvas: Canvas, row: ComponentRow): readonly Span[] {
  const parts = [
    { value: row.failed, name: "failed" },
    { value: row.warned, name: "warn" },
    { value: row.passed, name: "ok" },
    { value: row.pending, name: "queued" },
  ] as const;
  const shown = parts.filter(({ value }) => value > 0);
  if (shown.length === 0) return nothing;
  return shown.flatMap(({ value, name }, index) => {
    const mark = symbol(canvas, name);
    return [span(index === 0 ? "" : " "), { ...mark, text: `${value}${mark.text}` }];
  });
}

export function resource(canvas: Canvas, row: ComponentRow): readonly Span[] {
  if (row.resource === null) return nothing;
  const word = row.resource.toLowerCase();
  const mark = symbol(
    canvas,
    word === "ok" ? "ok" : word === "warning" ? "warn" : word === "error" ? "failed" : "unknown",
  );
  return [mark, span(` ${word}`, mark.role)];
}

/** The gutter of the diff: `+ ~ −`, nothing where a component is as in the head. */
export function differenceMark(canvas: Canvas, row: ComponentRow): readonly Span[] {
  switch (row.difference) {
    case "added":
      return [symbol(canvas, "added")];
    case "modified":
      return [symbol(canvas, "changed")];
    case "removed":
      return [symbol(canvas, "removed")];
    default:
      return [span(" ")];
  }
}

const differenceWords = {
  added: "added",
  modified: "modified",
  removed: "removed",
  none: "as in the head",
} as const;

export function differenceWord(canvas: Canvas, row: ComponentRow): readonly Span[] {
  if (row.difference === null) return [];
  const mark = differenceMark(canvas, row)[0] ?? span(" ");
  return [
    mark,
    span(row.difference === "none" ? "" : " "),
    span(differenceWords[row.difference], mark.role ?? "muted"),
  ];
}
