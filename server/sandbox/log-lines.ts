import { maximumLine } from "./limits.ts";
import type { ConsoleCall } from "./messages.ts";

/** One line of a run's log. */
export interface LogLine {
  readonly stream: "stdout" | "stderr";
  readonly level: "info" | "error";
  readonly group: "log";
  readonly message: string;
}

/**
 * A console call as log lines: redacted as a whole, so that a secret with line breaks goes too, then one line per
 * physical line. Blank lines are dropped, long ones cut, characters that nothing can keep replaced.
 */
export function linesOf([stream, text]: ConsoleCall, redact: (text: string) => string): LogLine[] {
  const level = stream === "stdout" ? "info" : "error";
  return redact(text.toWellFormed().replaceAll("\0", "\uFFFD"))
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== "")
    .map((line) => ({ stream, level, group: "log", message: cut(line) }));
}

const cut = (line: string): string =>
  line.length > maximumLine
    ? `${line.slice(0, maximumLine).toWellFormed()} … (${line.length - maximumLine} more characters)`
    : line;
