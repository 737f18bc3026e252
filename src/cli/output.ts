import type { Failure } from "./failure.ts";
import { aligned, type Column, printable, tabbed } from "./table.ts";

/** Where text goes; a subset of a process's stream. */
export interface Sink {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** How the output is formed. */
export interface OutputOptions {
  readonly out: Sink;
  readonly err: Sink;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly debug: boolean;
}

export type Paint = (text: string) => string;

/** Everything that a command prints. The only writer to both streams. */
export interface Output {
  readonly json: boolean;
  /** Whether a person reads the standard output on a terminal. */
  readonly terminal: boolean;
  /** The command's one result: the document with --json, else the lines. */
  result(document: unknown, lines: readonly string[]): void;
  /** The same for rows: aligned with titles on a terminal, tabs between cells otherwise. */
  table<T>(document: unknown, columns: readonly Column<T>[], rows: readonly T[], empty: string): void;
  /** One line or document of a stream that goes on. */
  event(document: unknown, line: string): void;
  /** Raw text that is the result itself, such as a script; the same with --json. */
  text(text: string): void;
  /** A piece of such a text, where it comes bit by bit. */
  raw(text: string): void;
  /** A remark on standard error, unless --quiet or --json. */
  note(line: string): void;
  /** A warning on standard error, unless --quiet. */
  warn(line: string): void;
  /** A question on standard error; no line end is added. */
  ask(text: string): void;
  failure(failure: Failure): void;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly red: Paint;
}

const style =
  (on: boolean, start: number, end: number): Paint =>
  (text) =>
    on ? `\u001b[${start}m${text}\u001b[${end}m` : text;

/** Builds the output of one run. A second result is a fault of the command and throws. */
export function createOutput(options: OutputOptions): Output {
  const { out, err, json, quiet } = options;
  const terminal = out.isTTY === true && !json;
  // Each stream decides for itself: a redirected result carries no colours while warnings on the terminal still do.
  const outColor = options.color && terminal;
  const errColor = options.color && err.isTTY === true && !json;
  let printed = false;
  const once = (): void => {
    if (printed) throw new Error("a command printed two results");
    printed = true;
  };
  const bold = style(outColor, 1, 22);
  return {
    json,
    terminal,
    result: (document, lines) => {
      once();
      if (json) out.write(pretty(document));
      else if (lines.length > 0) out.write(`${lines.join("\n")}\n`);
    },
    table: (document, columns, rows, empty) => {
      once();
      if (json) out.write(pretty(document));
      else if (!terminal)
        out.write(
          tabbed(columns, rows)
            .map((line) => `${line}\n`)
            .join(""),
        );
      else if (rows.length === 0) out.write(`${empty}\n`);
      else {
        const [titles = "", ...lines] = aligned(columns, rows);
        out.write(`${[bold(titles), ...lines].join("\n")}\n`);
      }
    },
    event: (document, line) => {
      out.write(json ? `${JSON.stringify(document)}\n` : `${line}\n`);
    },
    text: (text) => {
      once();
      out.write(text);
    },
    raw: (text) => {
      out.write(text);
    },
    note: (line) => {
      if (!quiet && !json) err.write(`${line}\n`);
    },
    warn: (line) => {
      if (!quiet) err.write(`${style(errColor, 33, 39)("warning:")} ${line}\n`);
    },
    ask: (text) => {
      err.write(text);
    },
    failure: ({ message, code, hint, stack }) => {
      const trace = options.debug ? stack : undefined;
      if (json) {
        const document = { error: message, code, ...(hint === undefined ? {} : { hint }) };
        err.write(pretty(trace === undefined ? document : { ...document, stack: trace }));
        return;
      }
      // A message may repeat what a server said.
      err.write(`${style(errColor, 31, 39)("error:")} ${printable(message)}\n`);
      if (hint !== undefined) err.write(`${style(errColor, 2, 22)("hint:")} ${printable(hint)}\n`);
      if (trace !== undefined) err.write(`${trace}\n`);
    },
    bold,
    dim: style(outColor, 2, 22),
    green: style(outColor, 32, 39),
    yellow: style(outColor, 33, 39),
    red: style(outColor, 31, 39),
  };
}

const pretty = (document: unknown): string => `${JSON.stringify(document, undefined, 2)}\n`;
