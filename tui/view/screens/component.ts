import type { FactRow } from "../../core/fact-rows.ts";
import { healthOf } from "../../core/health.ts";
import {
  componentOf,
  componentsKey,
  currentTab,
  currentTabs,
  factRows,
  factsKey,
  goneFrom,
  listOf,
  marksOf,
  stateOf,
} from "../../core/lists.ts";
import { markMs } from "../../core/mirror.ts";
import { type Detail, detailKey, type Model, type TabId } from "../../core/model.ts";
import { selectedRow, windowRows } from "../../core/parts/list.ts";
import { windowOf } from "../../core/place.ts";
import type { ComponentRow } from "../../core/rows.ts";
import { changeSetOf } from "../../core/select.ts";
import { type Canvas, count, putSpans, type Span, span } from "../draw/canvas.ts";
import { staleNote } from "../draw/list-pane.ts";
import { drawPane } from "../draw/pane.ts";
import { drawSides } from "../draw/sides.ts";
import { type Column, drawTable } from "../draw/table.ts";
import { sidesHeight } from "../layout.ts";
import type { Rect } from "../rect.ts";
import type { ScreenView } from "../screen.ts";
import { componentMarks, differenceWord, qualifications, resource } from "./cells.ts";
import { differenceNotes, factBefore, factMark, factSides, factValue } from "./fact-cells.ts";

function columnsOf(canvas: Canvas, model: Model): readonly Column<FactRow>[] {
  const { rows } = factRows(model);
  const lensed = model.tab === "diff" || model.tab === "attributes";
  const comparing = lensed && rows.some(({ before }) => before !== null);
  const columns: readonly (Column<FactRow> & { readonly shown?: boolean })[] = [
    { id: "kind", title: "", width: 1, drop: 0, cell: (row) => factMark(canvas, row) },
    {
      id: "path",
      title: pathTitles[model.tab],
      width: { share: 2, min: 20 },
      drop: 0,
      cell: (row) => [span(row.name)],
    },
    {
      id: "before",
      title: "IN THE HEAD",
      width: { share: 2, min: 14 },
      drop: 1,
      shown: comparing,
      cell: (row) => (row.kind === "same" ? [] : factBefore(row)),
    },
    {
      id: "value",
      title: comparing ? "HERE" : "VALUE",
      width: { share: 3, min: 16 },
      drop: 0,
      cell: (row) => factValue(canvas, row),
    },
    {
      id: "note",
      title: "NOTE",
      width: 12,
      drop: 2,
      shown: lensed && rows.some((row) => row.computed || row.headMoved),
      cell: (row) => differenceNotes(canvas, row),
    },
  ];
  return columns.filter(({ shown }) => shown !== false);
}

const pathTitles: Readonly<Record<TabId, string>> = {
  diff: "PATH",
  attributes: "PATH",
  qualifications: "CHECK",
  links: "LINK",
  views: "VIEW",
  resource: "PROPERTY",
};

/** Name, kind and state of the component, for the upper border. */
function titleOf(
  canvas: Canvas,
  model: Model,
  changeSetId: string,
  row: ComponentRow | undefined,
  detail: Detail | undefined,
): readonly Span[] {
  if (row === undefined) {
    if (goneFrom(model) === null) return [{ text: "loading…", role: "title" }];
    const name = detail?.own?.name;
    return [...(name === undefined ? [] : [span(`${name}  `, "muted")]), { text: "gone", role: "title" }];
  }
  const word = differenceWord(canvas, row);
  const marks = componentMarks(canvas, marksOf(model, changeSetId, row));
  return [
    { text: row.name, role: "title" },
    span(`  ${row.schema}`, "muted"),
    ...(word.length === 0 ? [] : [span("  "), ...word]),
    ...(marks.length === 0 ? [] : [span("  "), ...marks]),
    ...(row.qualifications.length === 0 ? [] : [span("  "), ...qualifications(canvas, row)]),
    ...(row.resource === null ? [] : [span("  "), ...resource(canvas, row)]),
  ];
}

function drawTabs(canvas: Canvas, rect: Rect, model: Model): void {
  const active = currentTab(model);
  let x = rect.x + 1;
  for (const tab of currentTabs(model)) {
    const from = x;
    x = putSpans(
      canvas,
      x,
      rect.y,
      [
        { text: ` ${tab.title} `, role: tab === active ? "title" : "muted" },
        span(`${count(tab.count)} `, "muted"),
      ],
      rect.w - 2,
    );
    const area = { x: from, y: rect.y, w: x - from, h: 1 };
    if (tab === active) canvas.frame.restyle(area, canvas.theme.selected);
    canvas.targets.push({ rect: area, click: { type: "tab", tab: tab.id } });
    x++;
  }
  canvas.frame.put(rect.x, rect.y + 1, "─".repeat(rect.w), canvas.theme.attr("border"), rect.w);
}

const goneSentences = {
  component: "This component is gone.",
  "change set": "The change set of this component is gone.",
} as const;

/** Over what is left of a component that is not there any more: that it is gone, in the rule above the rows. */
function drawGone(canvas: Canvas, rect: Rect, gone: keyof typeof goneSentences): void {
  const words = ` ${goneSentences[gone]} Below is what it was. `;
  putSpans(canvas, rect.x + 2, rect.y + 1, [span(words, "warn")], rect.w - 4);
}

/** Where this component stands in the list it came from. */
function positionNote(model: Model): readonly Span[] {
  if (model.route.screen !== "component") return [];
  const list = listOf(model, componentsKey(model.route.changeSetId));
  const state = list === undefined ? undefined : stateOf(model, list);
  const position = list?.table?.index.get(model.route.componentId);
  const at = position === undefined ? -1 : (state?.order.indexOf(position) ?? -1);
  return at < 0 ? [] : [span(`${count(at + 1)} of ${count(state?.order.length ?? 0)}`, "muted")];
}

function emptyReason(
  model: Model,
  detail: Detail | undefined,
  row: ComponentRow | undefined,
): readonly Span[] {
  const gone = goneFrom(model);
  if (gone !== null) return [span(`${goneSentences[gone]} esc leads back to the list.`, "muted")];
  if (row === undefined) return [span("loading components…", "muted")];
  if (detail?.state === "failed" && detail.own === null)
    return [span(detail.error ?? "It could not be read.", "failed"), span("  It is tried again.", "muted")];
  if (detail === undefined || detail.own === null) {
    return [
      span(healthOf(model).stale ? "It was not read before the connection was lost." : "reading…", "muted"),
    ];
  }
  if (currentFilter(model) !== "") {
    return [
      span("Nothing matches ", "muted"),
      span(currentFilter(model), "key"),
      span(". esc clears the filter.", "muted"),
    ];
  }
  if (model.tab === "diff") {
    return changeSetOf(model)?.isHead === true
      ? [span("This is the head, which everything else is compared with. a shows the attributes.", "muted")]
      : [span("Nothing differs from the head. a shows the attributes.", "muted")];
  }
  return [span("There is nothing here.", "muted")];
}

const currentFilter = (model: Model): string => model.lists[factsKey(model)]?.filter ?? "";

function drawFacts(canvas: Canvas, rect: Rect, model: Model): void {
  if (model.route.screen !== "component") return;
  const list = listOf(model, factsKey(model));
  if (list === undefined) return;
  const { changeSetId, componentId } = model.route;
  const detail = model.details.get(detailKey(changeSetId, componentId));
  const row = componentOf(model);
  const filter = currentFilter(model);
  const focused = model.popup === null;
  const note = staleNote(model);
  const inner = drawPane(canvas, rect, {
    title: [
      ...titleOf(canvas, model, changeSetId, row, detail),
      ...(filter === "" ? [] : [span("  "), span(`/${filter}`, "key")]),
    ],
    note: note.length === 0 ? positionNote(model) : note,
    foot: [span(componentId, "muted")],
    focused,
  });
  drawTabs(canvas, inner, model);
  const foot = sidesHeight(rect);
  const below = { x: inner.x, y: inner.y + 2, w: inner.w, h: Math.max(0, inner.h - 2 - foot) };
  const table = factRows(model);
  const state = stateOf(model, list);
  drawTable(canvas, below, {
    columns: columnsOf(canvas, model),
    rows: windowRows(state, table, windowOf(model, "facts")),
    state,
    list: list.key,
    pane: "facts",
    focused,
    titles: true,
    mark: (fact) =>
      model.now - (detail?.fresh.get(fact.id) ?? Number.NEGATIVE_INFINITY) < markMs ? "fresh" : null,
  });
  if (foot > 0) {
    const chosen = selectedRow(state, table);
    const at = { ...inner, y: inner.y + inner.h - foot, h: foot };
    drawSides(canvas, at, chosen === undefined ? undefined : factSides(chosen));
  }
  const gone = goneFrom(model);
  if (gone !== null && state.order.length > 0) drawGone(canvas, inner, gone);
  if (healthOf(model).stale || gone !== null)
    canvas.frame.restyle({ ...below, h: below.h + foot }, canvas.theme.dimmed);
  if (state.order.length === 0)
    putSpans(canvas, below.x + 3, below.y + 1, emptyReason(model, detail, row), below.w - 4);
}

/** One component on a page of its own. */
export const component: ScreenView = {
  id: "component",
  draw: (canvas, { areas }, model) => {
    if (areas.facts !== undefined) drawFacts(canvas, areas.facts, model);
  },
};
