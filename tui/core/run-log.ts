import { type Members, mapped, membersOf, textOf, textOrNull } from "./members.ts";
import type { ListRow } from "./parts/list.ts";
import { isOver, type Progress, type RunItem, runItem, runProgress } from "./run-rows.ts";
import { remembered } from "./select.ts";
import type { Table } from "./table.ts";

/** One line that a run has written, or that tells what it did. */
export interface LogRow extends ListRow {
  /** `stdout`, `stderr`, or `output` for what the function returned. */
  readonly stream: string;
  readonly isError: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number | undefined;
}

/** A run as it was read, with its log so far. */
export interface RunReading extends RunItem {
  readonly progress: Progress;
  /** Whether nothing more is to come, neither a line nor another state. */
  readonly ended: boolean;
  readonly lines: readonly LogRow[];
  readonly changeSetName: string | null;
  /** What it returned, as JSON over several lines; empty where that is nothing. */
  readonly result: readonly string[];
}

/** A run that is followed on its own page; what was read stays when it cannot be read any more. */
export interface RunLog {
  readonly reading: RunReading | null;
  readonly error: string | null;
}

/** Result lines that are kept; more than this is for `svc run get`. */
const resultLines = 200;

/** Reads a run as the server tells it; what is missing or of another kind is shown as absent. */
export function runReading(id: string, value: unknown): RunReading {
  const members = membersOf(value);
  const log = membersOf(members["logs"]);
  const item = runItem(id, value);
  const progress = runProgress(item);
  const result = members["resultValue"];
  const text = result === undefined || result === null ? "" : (JSON.stringify(result, undefined, 2) ?? "");
  return {
    ...item,
    progress,
    ended: hasEnded(value),
    lines: numbered(log["logs"]),
    changeSetName: textOrNull(members["actionOriginatingChangeSetName"]),
    result: text === "" ? [] : text.split("\n", resultLines),
  };
}

/** Whether a run, as the server tells it, has ended, and all of its log is there. */
export function hasEnded(value: unknown): boolean {
  const members = membersOf(value);
  const state = textOf(members["state"]);
  return (
    isOver(runProgress({ state, actionResult: null })) && membersOf(members["logs"])["finalized"] !== false
  );
}

/** A message of several lines is as many rows. */
function numbered(value: unknown): readonly LogRow[] {
  let number = 0;
  return mapped(value, (line) => line).flatMap((line) =>
    textOf(line["message"])
      .split("\n")
      .map((text) => logRow(line, text, number++)),
  );
}

/** Lines are known by their number: a log only grows. */
function logRow(line: Members, message: string, number: number): LogRow {
  const seconds = line["timestamp"];
  return {
    id: String(number),
    name: message,
    sortName: message.toLowerCase(),
    stream: textOf(line["stream"]),
    isError: line["level"] === "error" || line["stream"] === "stderr",
    at: typeof seconds === "number" && seconds > 0 ? seconds * 1_000 : undefined,
  };
}

/** The lines of a reading as a list. */
export const logTable = remembered(
  ({ lines }: RunReading): Table<LogRow> => ({
    version: 0,
    rows: lines,
    index: new Map(lines.map(({ id }, position) => [id, position])),
    changed: null,
  }),
);
