import type { ActionResultState, FunctionRunState } from "../../src/contract/function-runs.ts";
import { isRunEnded } from "./function-runs.ts";
import type { Binding } from "./functions.ts";
import { isObject, type Json } from "./json.ts";

/** The kinds of functions that a component's list item speaks of. */
export const relatedKinds = ["action", "management", "qualification"] as const;
export type RelatedKind = (typeof relatedKinds)[number];

/** Most runs that are listed of each function. */
export const maximumHistory = 10;

/** What is known of a run. */
export interface RunFacts {
  readonly state: FunctionRunState;
  readonly actionResult: ActionResultState | undefined;
  /** What a qualification returned. */
  readonly result: Json | undefined;
}

/** How a run came out, in the words of a component's functions. */
export type RunWord = "Running" | "Succeeded" | "Failed" | "Warning" | "Completed" | "Unknown";

/**
 * How a run came out: a qualification by what it found, an action and a management function by what they did, since they
 * may say themselves that they failed.
 */
export function wordFor(kind: RelatedKind, { state, actionResult, result }: RunFacts): RunWord {
  if (!isRunEnded(state)) return "Running";
  if (state !== "Success") return "Failed";
  return kind === "qualification" ? found(result) : did(actionResult);
}

function found(result: Json | undefined): RunWord {
  const word = isObject(result) ? result["result"] : undefined;
  if (word === "success") return "Succeeded";
  if (word === "failure") return "Failed";
  return word === "warning" ? "Warning" : "Completed";
}

function did(actionResult: ActionResultState | undefined): RunWord {
  if (actionResult === "Failure") return "Failed";
  return actionResult === "Unknown" ? "Unknown" : "Succeeded";
}

/** What a function is called where people read it. */
export const titleOf = ({ func }: Pick<Binding, "func">): string => func.displayName ?? func.name;
