import lineModule from "blessed-contrib/lib/widget/charts/line.js";
import sparklineModule from "blessed-contrib/lib/widget/sparkline.js";
import type { Rect } from "../view/rect.ts";
import type { ChartSpec } from "../view/scene.ts";
import type { BlessedElement, BlessedScreen } from "./blessed.ts";

/** Chart widgets over the frame. They do not survive a resize, so a changed rectangle makes a new widget. */
export interface ChartLayer {
  /** Makes the widgets that a scene needs and drops the others; this blanks their cells, so it comes before the frame. */
  arrange(charts: readonly ChartSpec[]): void;
  /** Draws the widgets into the library's buffer, over the frame. */
  paint(): void;
  /** Drops every widget, for a screen that was allocated anew. */
  clear(): void;
}

// The library's boundary: constructors that are called as functions.
const line = lineModule as (options: object) => BlessedElement;
const sparkline = sparklineModule as (options: object) => BlessedElement;

interface Shown {
  readonly shape: string;
  readonly element: BlessedElement;
  chart: ChartSpec;
  /** What the widget was given last. */
  values: readonly number[] | null;
}

const defaultColour = 0x1ff;
const place = ({ x, y, w, h }: Rect): object => ({ left: x, top: y, width: w, height: h });
/** What must be the same for a widget to be used again. */
function shapeOf(chart: ChartSpec): string {
  const { kind, rect, colour } = chart;
  return JSON.stringify([kind, rect, colour, chart.kind === "line" ? chart.text : chart.title]);
}

/** The chart layer of one screen. */
export function chartLayer(screen: BlessedScreen): ChartLayer {
  const shown: Shown[] = [];
  const drop = (from: number): void => {
    for (const { element } of shown.splice(from)) {
      screen.remove(element);
      element.destroy();
    }
  };
  return {
    clear: () => drop(0),
    arrange: (charts) => {
      drop(charts.length);
      charts.forEach((chart, index) => {
        const shape = shapeOf(chart);
        const current = shown[index];
        if (current?.shape === shape) {
          current.chart = chart;
          return;
        }
        drop(index);
        const element = create(chart);
        screen.append(element);
        shown[index] = { shape, element, chart, values: null };
      });
    },
    paint: () => {
      for (const current of shown) {
        const { chart, element } = current;
        if (current.values !== chart.values) {
          current.values = chart.values;
          feed(element, chart);
        }
        element.render();
        if (chart.colour === undefined) withoutColour(screen, chart.rect);
      }
    },
  };
}

function create(chart: ChartSpec): BlessedElement {
  if (chart.kind === "sparkline") {
    return sparkline({
      ...place(chart.rect),
      tags: true,
      style: { fg: chart.colour ?? "default", titleFg: "default" },
    });
  }
  const widget = line({
    ...place(chart.rect),
    xPadding: 5,
    numYLabels: 4,
    wholeNumbersOnly: true,
    minY: 0,
    maxY: ceiling(chart.values),
    showLegend: false,
    style: { line: chart.colour ?? "white", text: chart.text ?? "white", baseline: chart.text ?? "white" },
  });
  // A cell is 2 dots wide and 4 high. The widget reserves room for a border that it does not have, and a row below its labels.
  const canvasSize = { width: chart.rect.w * 2, height: chart.rect.h * 4 + 4 };
  return Object.assign(widget, { calcSize: () => Object.assign(widget, { canvasSize }) });
}

function feed(element: BlessedElement, chart: ChartSpec): void {
  if (chart.kind === "sparkline") {
    // It shows the first points that fit, and a person wants the last.
    element.setData([chart.title], [chart.values.slice(-(chart.rect.w - 2))]);
    return;
  }
  Object.assign(element, { options: { ...optionsOf(element), maxY: ceiling(chart.values) } });
  element.setData([{ title: "", x: chart.labels, y: chart.values }]);
}

const optionsOf = (element: BlessedElement): object =>
  "options" in element && typeof element.options === "object" && element.options !== null
    ? element.options
    : {};

/** The top of the scale: room above the highest point, and never a scale of nothing. */
const ceiling = (values: readonly number[]): number => Math.max(4, Math.ceil(Math.max(0, ...values) * 1.25));

/** Widgets colour their cells whatever the terminal may show; here they are taken back. */
function withoutColour(screen: BlessedScreen, rect: Rect): void {
  for (let y = rect.y; y < rect.y + rect.h; y++) {
    for (let x = rect.x; x < rect.x + rect.w; x++) {
      const cell = screen.lines[y]?.[x];
      if (cell !== undefined) cell[0] |= (defaultColour << 9) | defaultColour;
    }
  }
}
