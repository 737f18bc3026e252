import type { ChangeSetRow } from "../../core/change-set-rows.ts";
import type { Deed } from "../../core/merge.ts";
import type { Model } from "../../core/model.ts";
import type { ChangeKind } from "../../core/review-rows.ts";
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
  if ((row.components === undefined && row.review === undefined) || row.isHead) return nothing;
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
  Ready: "ok",
  NeedsApproval: "waiting",
  Approved: "ok",
  Rejected: "warn",
  Applied: "ok",
  Abandoned: "unknown",
  Failed: "failed",
};
const statusWords: Readonly<Record<string, string>> = { NeedsApproval: "needs approval" };

/** The status in words: `needs approval`, and `computing` where what it shows may change by itself. */
export const statusWordsOf = (row: ChangeSetRow): readonly string[] => [
  row.isHead ? "head" : (statusWords[row.state] ?? row.state.toLowerCase()),
  ...(row.isHead || row.review?.pending !== true ? [] : ["computing"]),
];

export function changeSetStatus(canvas: Canvas, row: ChangeSetRow): readonly Span[] {
  const [word = "", computing] = statusWordsOf(row);
  if (row.isHead) return [symbol(canvas, "ok"), span(` ${word}`, "muted")];
  const mark = symbol(canvas, statusSymbols[row.state] ?? "unknown");
  const words = [mark, span(` ${word}`, mark.role)];
  if (computing === undefined) return words;
  const running = symbol(canvas, "running");
  return [...words, span(" "), running, span(` ${computing}`, running.role)];
}

const deeds: Readonly<Record<string, { readonly what: string; readonly of: "requested" | "reviewed" }>> = {
  NeedsApproval: { what: "asked", of: "requested" },
  Approved: { what: "approved", of: "reviewed" },
  Rejected: { what: "rejected", of: "reviewed" },
};

/** Who brought a change set into its status, and how long ago; nothing where that is nobody, or nobody tells. */
export function lastDeed(row: ChangeSetRow): (Deed & { readonly what: string }) | undefined {
  const { merge } = row;
  const kind = deeds[row.status];
  // A status that the merge status has not heard of yet has nobody's name.
  const heard = merge?.status === row.status || merge?.status === "Ready";
  if (merge === undefined || kind === undefined || !heard) return undefined;
  const deed = { ...merge[kind.of], what: kind.what };
  return deed.by === null && deed.at === undefined ? undefined : deed;
}

/** `ana, 5m ago`, as far as it is known. */
export const deedText = (model: Model, { by, at }: Deed): string => {
  const when = at === undefined ? "" : `${ageText(model.now - at)} ago`;
  return by === null ? when : when === "" ? by : `${by}, ${when}`;
};

/** `◌3 ●1 ✗1`: how many actions are queued, held, running, failed; a dash without any. */
export function actions(canvas: Canvas, row: ChangeSetRow): readonly Span[] {
  const counts = row.actions;
  if (counts === undefined) return nothing;
  const parts = [
    { value: counts.failed, name: "failed" },
    { value: counts.running, name: "running" },
    { value: counts.queued, name: "queued" },
    { value: counts.held, name: "waiting" },
  ] as const;
  const shown = parts.filter(({ value }) => value > 0);
  if (shown.length === 0) return nothing;
  return shown.flatMap(({ value, name }, index) => {
    const mark = symbol(canvas, name);
    return [span(index === 0 ? "" : " "), { ...mark, text: `${mark.text}${count(value)}` }];
  });
}

/** `≠ 2` where the head has changed what was edited here; a dash elsewhere. */
export function headMoved(canvas: Canvas, row: ChangeSetRow): readonly Span[] {
  const moved = row.review?.headMoved ?? 0;
  if (moved === 0) return nothing;
  const mark = symbol(canvas, "moved");
  return [mark, span(` ${count(moved)}`, mark.role)];
}

/** The sign of a change: `+ ~ −`. */
export const changeMark = (canvas: Canvas, kind: ChangeKind): Span => symbol(canvas, kind);

/** What is special about a component, each with its sign and its word. */
export function componentMarks(
  canvas: Canvas,
  row: Pick<ComponentRow, "marked" | "upgradable" | "headMoved">,
  words: "short" | "whole" = "whole",
): readonly Span[] {
  const parts = [
    { is: row.marked, name: "marked", word: words === "short" ? "delete" : "to delete" },
    { is: row.headMoved, name: "moved", word: words === "short" ? "moved" : "head moved" },
    { is: row.upgradable, name: "upgradable", word: "upgrade" },
  ] as const;
  return parts
    .filter(({ is }) => is)
    .flatMap(({ name, word }, index) => {
      const mark = symbol(canvas, name);
      return [span(index === 0 ? "" : "  "), mark, span(` ${word}`, mark.role)];
    });
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
