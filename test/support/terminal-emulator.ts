import unicode11 from "@xterm/addon-unicode11";
import headless from "@xterm/headless";
import type { Size } from "../../tui/view/rect.ts";

/** One cell as a person sees it; colours are palette numbers, 0x1ff the terminal's own. */
export interface SeenCell {
  readonly ch: string;
  readonly fg: number;
  readonly bg: number;
  readonly bold: boolean;
  readonly inverse: boolean;
}

/** A real terminal emulator without a window. */
export interface Emulator {
  /** Feeds bytes; resolves when all of them are on the grid. */
  write(bytes: string | Uint8Array): Promise<void>;
  resize(size: Size): void;
  /** One row as text; a wide glyph is followed by nothing. */
  row(y: number): string;
  text(): string;
  cells(y: number): SeenCell[];
  /** Which screen and modes are on now. */
  modes(): {
    readonly alternate: boolean;
    readonly mouse: string;
    readonly paste: boolean;
    readonly focus: boolean;
  };
  dispose(): void;
}

const ownColour = 0x1ff;

/** An emulator of a size; `oldWidths` counts emoji as terminals of ten years ago do. */
export function emulator(size: Size, options: { readonly oldWidths?: boolean } = {}): Emulator {
  const xterm = new headless.Terminal({
    cols: size.cols,
    rows: size.rows,
    allowProposedApi: true,
    scrollback: 0,
  });
  if (options.oldWidths !== true) {
    xterm.loadAddon(new unicode11.Unicode11Addon());
    xterm.unicode.activeVersion = "11";
  }
  const line = (y: number) => xterm.buffer.active.getLine(xterm.buffer.active.viewportY + y);
  const reused = xterm.buffer.active.getNullCell();
  const cells = (y: number): SeenCell[] => {
    const shown = line(y);
    return Array.from({ length: xterm.cols }, (_, x) => {
      const cell = shown?.getCell(x, reused);
      if (cell === undefined) return { ch: " ", fg: ownColour, bg: ownColour, bold: false, inverse: false };
      return {
        ch: cell.getWidth() === 0 ? "" : cell.getChars() || " ",
        fg: cell.isFgDefault() ? ownColour : cell.getFgColor(),
        bg: cell.isBgDefault() ? ownColour : cell.getBgColor(),
        bold: cell.isBold() !== 0,
        inverse: cell.isInverse() !== 0,
      };
    });
  };
  const row = (y: number): string =>
    cells(y)
      .map((cell) => cell.ch)
      .join("");
  return {
    write: (bytes) => new Promise((resolve) => xterm.write(bytes, resolve)),
    resize: ({ cols, rows }) => xterm.resize(cols, rows),
    row,
    cells,
    text: () => Array.from({ length: xterm.rows }, (_, y) => row(y).trimEnd()).join("\n"),
    modes: () => ({
      alternate: xterm.buffer.active.type === "alternate",
      mouse: xterm.modes.mouseTrackingMode,
      paste: xterm.modes.bracketedPasteMode,
      focus: xterm.modes.sendFocusMode,
    }),
    dispose: () => xterm.dispose(),
  };
}
