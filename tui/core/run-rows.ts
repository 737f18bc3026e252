import { membersOf, textOf, textOrNull } from "./members.ts";
import { timeOf } from "./time.ts";

/** How far a run or a job is, as far as a person cares. */
export type Progress = "queued" | "running" | "ok" | "failed" | "killed" | "unknown";

/** One run of a function, as it is mirrored. */
export interface RunItem {
  readonly id: string;
  readonly state: string;
  readonly functionName: string;
  /** `Create`, `qualification`, …: of an action its kind, else the function's. */
  readonly kind: string;
  readonly componentId: string | null;
  readonly componentName: string | null;
  readonly actionId: string | null;
  /** What the action says of itself; a function may end well and say that the action failed. */
  readonly actionResult: string | null;
  readonly failure: string | null;
  readonly created: number | undefined;
  readonly updated: number | undefined;
}

/** One management or debug job, as it is mirrored. */
export interface JobItem {
  readonly id: string;
  readonly state: string;
  readonly kind: string;
  readonly functionName: string;
  readonly componentId: string | null;
  readonly componentName: string | null;
  readonly funcRunId: string | null;
  readonly failure: string | null;
  readonly created: number | undefined;
  readonly updated: number | undefined;
}

/** Reads one mirrored run; what is missing or of another kind is shown as absent. */
export function runItem(id: string, item: unknown): RunItem {
  const members = membersOf(item);
  return {
    id,
    state: textOf(members["state"]),
    functionName: textOrNull(members["functionDisplayName"]) ?? (textOf(members["functionName"]) || id),
    kind: textOrNull(members["actionKind"]) ?? textOf(members["functionKind"]),
    componentId: textOrNull(members["componentId"]),
    componentName: textOrNull(members["componentName"]),
    actionId: textOrNull(members["actionId"]),
    actionResult: textOrNull(members["actionResultState"]),
    failure: textOrNull(members["failure"]),
    created: timeOf(textOrNull(members["createdAt"])),
    updated: timeOf(textOrNull(members["updatedAt"])),
  };
}

/** Reads one mirrored job. */
export function jobItem(id: string, item: unknown): JobItem {
  const members = membersOf(item);
  return {
    id,
    state: textOf(members["state"]),
    kind: textOf(members["kind"]),
    functionName: textOf(members["functionName"]) || id,
    componentId: textOrNull(members["componentId"]),
    componentName: textOrNull(members["componentName"]),
    funcRunId: textOrNull(members["funcRunId"]),
    failure: textOrNull(members["failure"]),
    created: timeOf(textOrNull(members["createdAt"])),
    updated: timeOf(textOrNull(members["updatedAt"])),
  };
}

const progressOf: Readonly<Record<string, Progress>> = {
  Created: "queued",
  Pending: "queued",
  Running: "running",
  Executing: "running",
  PostProcessing: "running",
  Operating: "running",
  Success: "ok",
  Failure: "failed",
  Killed: "killed",
};

/** How far a run is: an action's function may end well and still say that the action failed. */
export const runProgress = ({ state, actionResult }: Pick<RunItem, "state" | "actionResult">): Progress =>
  state === "Success" && actionResult === "Failure" ? "failed" : (progressOf[state] ?? "unknown");

export const jobProgress = ({ state }: Pick<JobItem, "state">): Progress => progressOf[state] ?? "unknown";

/** Whether nothing more is to come. */
export const isOver = (progress: Progress): boolean =>
  progress === "ok" || progress === "failed" || progress === "killed";

/** True when a person would see no difference between two states of a run. */
export const sameRun = (a: RunItem, b: RunItem): boolean =>
  a.state === b.state && a.actionResult === b.actionResult && a.failure === b.failure;

/** The same of a job. */
export const sameJob = (a: JobItem, b: JobItem): boolean =>
  a.state === b.state && a.funcRunId === b.funcRunId && a.failure === b.failure;
