import type { FactRow } from "../../core/fact-rows.ts";
import { healthOf } from "../../core/health.ts";
import { marksOf, tabsFor } from "../../core/lists.ts";
import { detailKey, type Model } from "../../core/model.ts";
import type { ComponentRow } from "../../core/rows.ts";
import { type Canvas, count, putSpans, type Span, span } from "../draw/canvas.ts";
import { staleNote } from "../draw/list-pane.ts";
import { drawPane } from "../draw/pane.ts";
import type { Rect } from "../rect.ts";
import { componentMarks, differenceWord, qualifications, resource } from "./cells.ts";
import { differenceNotes, factMark, factValue } from "./fact-cells.ts";

/** What the selected component is and what differs, beside its list. */
export function drawComponentPreview(
  canvas: Canvas,
  rect: Rect,
  model: Model,
  changeSetId: string,
  row: ComponentRow | undefined,
): void {
  const inner = drawPane(canvas, rect, {
    title: [{ text: row?.name ?? "nothing selected", role: "title" }],
    note: staleNote(model),
    ...(row === undefined ? {} : { foot: [span("enter opens it", "muted")] }),
  });
  if (row === undefined) return;
  previewLines(canvas, model, changeSetId, row)
    .slice(0, inner.h)
    .forEach((line, index) => {
      putSpans(canvas, inner.x + 1, inner.y + index, line, inner.w - 2);
    });
  if (healthOf(model).stale) canvas.frame.restyle(inner, canvas.theme.dimmed);
}

function previewLines(
  canvas: Canvas,
  model: Model,
  changeSetId: string,
  row: ComponentRow,
): readonly (readonly Span[])[] {
  const detail = model.details.get(detailKey(changeSetId, row.id));
  const state: readonly Span[] = [
    ...differenceWord(canvas, row),
    ...(row.qualifications.length === 0 ? [] : [span("   "), ...qualifications(canvas, row)]),
    ...(row.resource === null ? [] : [span("   "), ...resource(canvas, row)]),
  ];
  const marks = componentMarks(canvas, marksOf(model, changeSetId, row));
  const head = [[span(row.schema, "muted")], state, ...(marks.length === 0 ? [] : [marks]), []];
  const tabs = tabsFor(model, changeSetId, row.id);
  const diff = tabs.find(({ id }) => id === "diff");
  if ((detail?.own ?? null) === null && (diff?.count ?? 0) === 0) {
    const why = detail?.state === "failed" ? (detail.error ?? "it could not be read") : "reading…";
    return [...head, [span(why, detail?.state === "failed" ? "failed" : "muted")]];
  }
  const shown = diff !== undefined && diff.count > 0 ? diff : tabs.find(({ id }) => id === "attributes");
  const others = tabs.filter((tab) => tab !== shown && tab.count > 0);
  return [
    ...head,
    [span(`${shown?.title ?? ""} ${count(shown?.count ?? 0)}`, "title")],
    ...(shown?.rows ?? []).map((fact) => factLine(canvas, fact)),
    [],
    ...others.map((tab) => [span(`${tab.title} ${count(tab.count)}`, "muted")]),
  ];
}

const factLine = (canvas: Canvas, fact: FactRow): readonly Span[] => [
  ...factMark(canvas, fact),
  span(` ${fact.name}  `, "muted"),
  ...differenceNotes(canvas, fact),
  ...(differenceNotes(canvas, fact).length === 0 ? [] : [span("  ")]),
  ...(fact.kind === "changed" ? [span(`${fact.before ?? "–"} → `, "muted")] : []),
  ...(fact.kind === "removed" ? [span(`was ${fact.before ?? ""}`, "muted")] : factValue(canvas, fact)),
];
