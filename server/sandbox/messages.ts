import type { AskKind, Storage } from "./guest/host.ts";
import type { RunLimits } from "./limits.ts";

/** One function of a run, compiled. */
export interface CompiledFunction {
  /** An expression that gives the handler: see `compile.ts`. */
  readonly code: string;
  /** Name of its file in stacks. */
  readonly file: string;
  readonly handler: string;
  /** Its argument as JSON. */
  readonly input: string;
}

/** A run as a child gets it: authentication functions first, then the function itself. */
export interface Order {
  readonly type: "run";
  readonly run: number;
  readonly before: readonly CompiledFunction[];
  readonly main: CompiledFunction;
  readonly defines: boolean;
  readonly limits: RunLimits;
  /** Whether nothing of this run may stay in memory. */
  readonly wipe: boolean;
}

/** The answer to what a run asked the parent for: JSON of `{value}` or `{error}`. */
export interface Answer {
  readonly type: "answer";
  readonly run: number;
  readonly ask: number;
  readonly text: string;
}

/** What a parent says to its child. */
export type ToChild = Order | Answer;

/** How a run ended in the child; `settled` is JSON of a `Settled`. */
export type ChildEnd =
  | { readonly how: "settled"; readonly text: string }
  | { readonly how: "time" | "cpu" | "memory" | "log-lines" | "log-size" | "stalled" | "depth" | "broken" };

/** A console call: its stream and the text, whole. */
export type ConsoleCall = readonly [stream: "stdout" | "stderr", text: string];

/** What a child says to its parent; nothing of it is trusted: see {@link readFromChild}. */
export type FromChild =
  | { readonly type: "ready" }
  | { readonly type: "log"; readonly run: number; readonly calls: readonly ConsoleCall[] }
  | {
      readonly type: "ask";
      readonly run: number;
      readonly ask: number;
      readonly kind: "fetch" | "exec";
      readonly text: string;
    }
  | { readonly type: "waits"; readonly run: number; readonly waits: boolean }
  | { readonly type: "end"; readonly run: number; readonly end: ChildEnd; readonly cpuMs: number };

const hows = ["settled", "time", "cpu", "memory", "log-lines", "log-size", "stalled", "depth", "broken"];

/** A message as a child may send it, undefined for anything else: a child that says it has been taken over. */
export function readFromChild(message: unknown): FromChild | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { type, run, calls, ask, kind, text, waits, end, cpuMs } = message as Record<string, unknown>;
  if (type === "ready") return { type };
  if (typeof run !== "number") return undefined;
  if (type === "log" && isCalls(calls)) return { type, run, calls };
  if (type === "waits" && typeof waits === "boolean") return { type, run, waits };
  if (
    type === "ask" &&
    typeof ask === "number" &&
    typeof text === "string" &&
    (kind === "fetch" || kind === "exec")
  )
    return { type, run, ask, kind, text };
  if (type === "end" && typeof cpuMs === "number" && isEnd(end)) return { type, run, end, cpuMs };
  return undefined;
}

const isCalls = (calls: unknown): calls is ConsoleCall[] =>
  Array.isArray(calls) &&
  calls.every(
    (call) =>
      Array.isArray(call) && (call[0] === "stdout" || call[0] === "stderr") && typeof call[1] === "string",
  );

function isEnd(end: unknown): end is ChildEnd {
  if (typeof end !== "object" || end === null || !("how" in end)) return false;
  if (end.how === "settled") return "text" in end && typeof end.text === "string";
  return typeof end.how === "string" && hows.includes(end.how);
}

/** What the parent is asked for; pauses are the child's own. */
export type ParentAsk = Exclude<AskKind, "sleep">;

/** Nothing handed on yet. */
export const emptyStorage: Storage = { env: {}, data: {} };
