import { EventEmitter } from "node:events";
import programModule from "blessed/lib/program.js";
import tputModule from "blessed/lib/tput.js";
import screenModule from "blessed/lib/widgets/screen.js";
import type { Size } from "../view/rect.ts";

/** One cell of the library's buffer: attribute and character. */
export type Cell = [attr: number, ch: string | null];
export type Line = Cell[] & { dirty: boolean };

/** The part of the library's screen that the terminal driver uses. */
export interface BlessedScreen {
  readonly lines: Line[];
  /** What the library believes the terminal shows. */
  readonly olines: Line[];
  readonly program: {
    cols: number;
    rows: number;
    tmux: boolean;
    flush(): void;
  };
  readonly tput: { brokenACS: boolean };
  alloc(): void;
  enter(): void;
  leave(): void;
  draw(first: number, last: number): void;
  append(element: BlessedElement): void;
  remove(element: BlessedElement): void;
  destroy(): void;
}

/** The part of a widget that the chart layer uses. */
export interface BlessedElement {
  render(): void;
  destroy(): void;
  setData(...data: readonly unknown[]): void;
}

interface Binding {
  _bound?: boolean;
  [handler: string]: unknown;
}

// The libraries' boundary: their files are untyped, these are the members that are relied on.
const Screen = screenModule as Binding & ((options: object) => BlessedScreen);
const Program = programModule as Binding;
const tput = tputModule as { readonly ipaths: string[] };

/** The library's idea of an output: everything it writes is collected until it is taken. */
class Port extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  columns: number;
  rows: number;
  #text = "";

  constructor(size: Size) {
    super();
    this.columns = size.cols;
    this.rows = size.rows;
  }

  write(text: string): boolean {
    this.#text += text;
    return true;
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }
}

class SilentInput extends EventEmitter {
  resume(): void {}
  pause(): void {}
}

/** A screen whose bytes are taken by the caller, and which neither reads input nor touches the process. */
export interface DetachedScreen {
  readonly screen: BlessedScreen;
  /** The bytes written since the last call. */
  readonly take: () => string;
  readonly resize: (size: Size) => void;
}

/**
 * Starts the library as a cell buffer and nothing else: its own terminal description whatever `TERM` says (the
 * system's are misread down to 8 colours), real border characters instead of the alternate character set, no process
 * listeners, no input, no reaction to resizes on its own.
 */
export function openScreen(size: Size): DetachedScreen {
  tput.ipaths.length = 0;
  stayOffTheProcess();
  const port = new Port(size);
  const screen = Screen({
    input: new SilentInput(),
    output: port,
    terminal: "xterm-256color",
    smartCSR: false,
    fullUnicode: false,
    forceUnicode: true,
  });
  screen.tput.brokenACS = true;
  screen.program.tmux = false;
  return {
    screen,
    take: () => {
      screen.program.flush();
      return port.take();
    },
    resize: ({ cols, rows }) => {
      port.columns = cols;
      port.rows = rows;
      screen.program.cols = cols;
      screen.program.rows = rows;
      screen.alloc();
    },
  };
}

/** The library installs exit and signal handlers that lose exit codes; ours stand in `lifecycle.ts`. */
function stayOffTheProcess(): void {
  const nothing = (): void => {};
  Screen._bound = true;
  Program._bound = true;
  for (const name of [
    "_exceptionHandler",
    "_sigtermHandler",
    "_sigintHandler",
    "_sigquitHandler",
    "_exitHandler",
  ]) {
    Screen[name] = nothing;
    Program[name] = nothing;
  }
}
