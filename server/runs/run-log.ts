import type { LogLine } from "../sandbox/log-lines.ts";

/** One line of a run's log as the API shows it; `timestamp` in seconds. */
export interface RunLogLine {
  readonly stream: string;
  readonly level: string;
  readonly group: string | null;
  readonly message: string;
  readonly executionId: string;
  readonly timestamp: number;
}

/** A line as it is kept; everything else of it follows from the stream. */
export type KeptLine = readonly [
  stream: LogLine["stream"] | "output" | "return",
  message: string,
  timestamp: number,
];

/** A part of a run's log as a row keeps it. */
export const packLines = (lines: readonly KeptLine[]): string => JSON.stringify(lines);

/** The lines of a row. */
export function unpackLines(text: string, runId: string): RunLogLine[] {
  const lines: readonly KeptLine[] = JSON.parse(text);
  return lines.map(([stream, message, timestamp]) => ({
    stream,
    level: stream === "stderr" || stream === "return" ? "error" : "info",
    group: stream === "return" ? null : "log",
    message,
    executionId: stream === "output" ? runId : "",
    timestamp,
  }));
}
