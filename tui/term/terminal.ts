import type { Frame } from "../view/frame.ts";
import type { Rect, Size } from "../view/rect.ts";
import type { Scene } from "../view/scene.ts";
import { type BlessedScreen, type DetachedScreen, openScreen } from "./blessed.ts";
import type { ChartLayer } from "./charts.ts";
import { frameEnd, frameStart, modesOff, modesOn } from "./modes.ts";

/** Where the terminal's bytes go; standard output is one. */
export interface TerminalOutput {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  readonly writableNeedDrain?: boolean;
  write(text: string): boolean;
}

export interface TerminalOptions {
  readonly mouse: boolean;
  readonly alternateScreen: boolean;
}

const smallest: Size = { cols: 80, rows: 24 };

/** Shows scenes on a terminal: enters and leaves it, draws only what changed, and never waits for a slow one. */
export class Terminal {
  readonly #output: TerminalOutput;
  readonly #options: TerminalOptions;
  #detached: DetachedScreen | null = null;
  #shown = false;
  #charts: ChartLayer | null = null;

  constructor(output: TerminalOutput, options: TerminalOptions) {
    this.#output = output;
    this.#options = options;
  }

  /** The terminal's size as the system tells it; 80x24 where it tells nothing. */
  size(): Size {
    return { cols: this.#output.columns || smallest.cols, rows: this.#output.rows || smallest.rows };
  }

  /** Whether the dashboard holds the terminal. */
  get shown(): boolean {
    return this.#shown;
  }

  /** Takes the terminal, at the start or again after `close`. */
  open(): void {
    if (this.#shown) return;
    this.#shown = true;
    if (this.#detached === null) this.#detached = openScreen(this.size());
    else {
      this.#detached.screen.enter();
      this.#detached.resize(this.size());
    }
    this.#output.write(this.#detached.take() + modesOn(this.#options.mouse));
  }

  /** Gives the terminal back as it was; may be called at any time, also while the process dies. */
  close(): void {
    if (!this.#shown || this.#detached === null) return;
    this.#shown = false;
    this.#detached.screen.leave();
    this.#output.write(this.#detached.take() + modesOff(!this.#options.alternateScreen));
  }

  /** Closes for good and frees what the library holds. */
  destroy(): void {
    this.close();
    this.#charts?.clear();
    this.#detached?.screen.destroy();
    this.#detached?.take();
    this.#detached = null;
  }

  /** From now on charts are drawn by widgets, where a scene has some. */
  useCharts(load: (screen: BlessedScreen) => ChartLayer): void {
    if (this.#detached !== null) this.#charts = load(this.#detached.screen);
  }

  /** Forgets what the terminal shows, so that the next frame draws every cell. */
  redraw(): void {
    this.#charts?.clear();
    this.#detached?.resize(this.size());
  }

  /** Draws a scene of the terminal's size; false when the terminal has not taken the last one yet. */
  paint(scene: Scene<unknown>): boolean {
    if (!this.#shown || this.#detached === null) return true;
    if (this.#output.writableNeedDrain === true) return false;
    const { screen } = this.#detached;
    const { frame } = scene;
    this.#charts?.arrange(scene.charts);
    paintCells(screen, frame, { x: 0, y: 0, w: frame.cols, h: frame.rows });
    if (this.#charts !== null) {
      this.#charts.paint();
      for (const rect of scene.over) paintCells(screen, frame, rect);
    }
    screen.draw(0, screen.lines.length - 1);
    const bytes = this.#detached.take();
    if (bytes !== "") this.#output.write(frameStart + bytes + frameEnd);
    return true;
  }
}

/** Copies cells of a frame into the library's buffer. */
function paintCells(screen: BlessedScreen, frame: Frame, rect: Rect): void {
  const bottom = Math.min(screen.lines.length, frame.rows, rect.y + rect.h);
  for (let y = Math.max(0, rect.y); y < bottom; y++) {
    const line = screen.lines[y];
    if (line === undefined) continue;
    const right = Math.min(line.length, frame.cols, rect.x + rect.w);
    for (let x = Math.max(0, rect.x), i = y * frame.cols + x; x < right; x++, i++) {
      const cell = line[x];
      if (cell === undefined) continue;
      const attr = frame.at[i] ?? 0;
      const ch = cellText(frame, x, i);
      if (cell[0] === attr && cell[1] === ch) continue;
      cell[0] = attr;
      cell[1] = ch;
      line.dirty = true;
    }
  }
}

/**
 * What is sent for one cell. For a glyph of two cells: both cells blanked, the glyph, then the cursor on its second
 * cell by column number, where the library counts it to be; for its second cell: the cursor after it. A terminal that
 * thinks the glyph narrow still shows the rest of the row in its place, and nothing stale in between.
 */
function cellText(frame: Frame, x: number, index: number): string {
  const ch = frame.ch[index] ?? " ";
  if (ch === "") return `\x1b[${x + 2}G`;
  if (x + 1 >= frame.cols || frame.ch[index + 1] !== "") return ch;
  return `  \x1b[${x + 1}G${ch}\x1b[${x + 2}G`;
}
