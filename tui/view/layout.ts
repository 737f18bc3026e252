import type { ScreenId } from "../core/model.ts";
import { columns, emptyRect, inside, type Rect, rows, type Size } from "./rect.ts";

/** How much room there is; every class shows what the smaller ones show, and more. */
export type SizeClass = "XS" | "S" | "M" | "L" | "XL";

/** Areas of the screens, by what they show. */
export type Area =
  | "attention"
  | "now"
  | "changeSets"
  | "activity"
  | "chart"
  | "review"
  | "components"
  | "preview"
  | "facts"
  | "actions"
  | "runs"
  | "log"
  | "outcome";

/** Where everything is. Areas that have no room are absent. */
export interface Layout {
  readonly size: SizeClass;
  readonly header: Rect;
  /** The row of screens; absent where rows are scarce. */
  readonly tabs: Rect | null;
  readonly body: Rect;
  readonly status: Rect;
  readonly hints: Rect;
  readonly areas: Readonly<Partial<Record<Area, Rect>>>;
}

/** What the layout of a screen depends on beyond its size. */
export interface LayoutInput {
  readonly size: Size;
  readonly screen: ScreenId;
  /** How many things wait for a person. */
  readonly attention: number;
}

/** The smallest terminal that shows a list; below it there is a summary only. */
export const minimum: Size = { cols: 60, rows: 12 };

export function sizeClass({ cols, rows: height }: Size): SizeClass {
  if (cols < minimum.cols || height < minimum.rows) return "XS";
  if (cols >= 200 && height >= 50) return "XL";
  if (cols >= 140 && height >= 30) return "L";
  return cols >= 100 || height >= 30 ? "M" : "S";
}

/** Divides the screen: integers only, without gap or overlap, the same for the same input. */
export function layoutOf(input: LayoutInput): Layout {
  const { cols, rows: height } = input.size;
  const size = sizeClass(input.size);
  const screen: Rect = { x: 0, y: 0, w: cols, h: height };
  const hasTabs = size !== "XS" && size !== "S";
  const [header = emptyRect, tabs = emptyRect, body = emptyRect, status = emptyRect, hints = emptyRect] =
    rows(screen, [1, hasTabs ? 1 : 0, { share: 1 }, 1, 1]);
  const areas = size === "XS" ? {} : areasOf(input, size, body);
  return { size, header, tabs: hasTabs ? tabs : null, body, status, hints, areas };
}

/** Rows of a list inside a bordered pane: without the border and the column titles. */
export const listHeight = (pane: Rect | undefined, titles: boolean): number =>
  pane === undefined ? 0 : Math.max(0, inside(pane).h - (titles ? 1 : 0));

/** Rows at the foot of a pane for the whole values of its selected row: a rule, and 3 or 2 lines for each side. */
export function sidesHeight(pane: Rect | undefined): number {
  const height = pane === undefined ? 0 : inside(pane).h;
  return height >= 26 ? 7 : height >= 14 ? 5 : 0;
}

function areasOf(input: LayoutInput, size: SizeClass, body: Rect): Layout["areas"] {
  switch (input.screen) {
    case "overview":
      return overview(input, size, body);
    case "changeSets":
      return changeSets(body);
    case "review":
      return { review: body };
    case "components":
      return components(size, body);
    case "component":
      return { facts: body };
    case "actions":
      return { actions: body };
    case "runs":
      return { runs: body };
    case "run":
      return run(body);
  }
}

function overview(input: LayoutInput, size: SizeClass, body: Rect): Layout["areas"] {
  if (size === "S") {
    const waiting = input.attention === 0 ? 3 : 2 + Math.min(4, input.attention);
    const active = body.h >= 17 ? 6 : 0;
    const [attention, sets, activity] = rows(body, [waiting, { share: 1 }, active]);
    return { ...area("attention", attention), ...area("changeSets", sets), ...area("activity", activity) };
  }
  const roomy = body.h >= 30;
  const top = roomy ? (size === "XL" ? 13 : 10) : 8;
  const low = roomy ? (size === "XL" ? 16 : 12) : 7;
  const [upper = emptyRect, sets, lower = emptyRect] = rows(body, [top, { share: 1 }, low]);
  const side = input.size.cols >= 100 ? Math.min(60, Math.max(46, Math.floor(input.size.cols / 3))) : 0;
  const [attention, now] = columns(upper, [{ share: 1 }, side]);
  const charted = roomy && input.size.cols >= 100;
  const [activity, chart] = columns(lower, [{ share: 1 }, charted ? Math.floor(input.size.cols / 2) : 0]);
  return {
    ...area("attention", attention),
    ...area("now", now),
    ...area("changeSets", sets),
    ...area("activity", activity),
    ...area("chart", chart),
  };
}

/** A review with values side by side takes 80 cells; what is known of a change set has what it leaves, if it is 40. */
const reviewCells = 80;

/** The list is as wide as the screen, so that a wider terminal never shows less of it. */
function changeSets(body: Rect): Layout["areas"] {
  const spare = body.w - reviewCells;
  const lensed = body.h >= (spare < 40 ? 22 : 16) ? 3 : 0;
  const [list, below = emptyRect] = rows(body, [{ share: 2 }, { share: lensed }]);
  const [review, preview] = columns(below, [{ share: 1 }, spare < 40 ? 0 : Math.min(56, spare)]);
  return { ...area("changeSets", list), ...area("preview", preview), ...area("review", review) };
}

function components(size: SizeClass, body: Rect): Layout["areas"] {
  if (size === "L" || size === "XL") {
    const [sets, list, preview] = columns(body, [size === "XL" ? 34 : 26, { share: 3 }, { share: 2 }]);
    return { ...area("changeSets", sets), ...area("components", list), ...area("preview", preview) };
  }
  if (body.w >= 120) {
    const [list, preview] = columns(body, [{ share: 16 }, { share: 9 }]);
    return { ...area("components", list), ...area("preview", preview) };
  }
  if (body.h >= 28) {
    const [list, preview] = rows(body, [{ share: 3 }, { share: 2 }]);
    return { ...area("components", list), ...area("preview", preview) };
  }
  return { components: body };
}

/** How a run ended stands below its log, in as many rows as it can use. */
function run(body: Rect): Layout["areas"] {
  const [log, outcome] = rows(body, [{ share: 1 }, body.h >= 40 ? 16 : body.h >= 24 ? 10 : 7]);
  return { ...area("log", log), ...area("outcome", outcome) };
}

const area = (name: Area, rect: Rect | undefined): Partial<Record<Area, Rect>> =>
  rect === undefined || rect.w < 3 || rect.h < 3 ? {} : { [name]: rect };
