import type { TerminalOutput } from "../../tui/term/terminal.ts";
import type { Size } from "../../tui/view/rect.ts";
import { type Emulator, emulator } from "./terminal-emulator.ts";

/** A terminal output whose bytes go into an emulator. */
export interface FakeTty extends TerminalOutput {
  columns: number;
  rows: number;
  /** When true, the terminal says it has not taken the last bytes yet. */
  writableNeedDrain: boolean;
  readonly emulator: Emulator;
  /** Everything written so far. */
  readonly bytes: () => string;
  /** Resolves when the emulator shows everything written so far. */
  settled(): Promise<void>;
  resizeTo(size: Size): void;
}

/** A terminal of a size with a person's eyes on it. */
export function fakeTty(size: Size, options: { readonly oldWidths?: boolean } = {}): FakeTty {
  const screen = emulator(size, options);
  let written = "";
  let last: Promise<void> = Promise.resolve();
  return {
    columns: size.cols,
    rows: size.rows,
    writableNeedDrain: false,
    emulator: screen,
    write(text) {
      written += text;
      last = screen.write(text);
      return true;
    },
    bytes: () => written,
    settled: () => last,
    resizeTo(next) {
      this.columns = next.cols;
      this.rows = next.rows;
      screen.resize(next);
    },
  };
}
