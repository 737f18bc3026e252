import { createHash } from "node:crypto";
import type { FunctionCall } from "../domain/computation.ts";
import type { Ended, Settled } from "../domain/computed-results.ts";
import type { Authentication } from "../read/authentication.ts";
import { type RunOutcome, reasonOf } from "../sandbox/outcome.ts";
import type { LastRun } from "../store/func-run-reads.ts";
import type { RunVerdict } from "./runs.ts";

/** Stands for everything that a result depends on, but for what a function asks the world. */
export const fingerprintOf = (
  { func, input, place }: FunctionCall,
  before: Authentication | undefined,
): string =>
  createHash("sha256")
    .update(JSON.stringify([func.handler, func.responseType ?? "", place, before?.fingerprint ?? ""]))
    .update("\n")
    .update(func.code)
    .update("\n")
    .update(JSON.stringify(input))
    .digest("base64url");

/** How a run ended, as who asked for the call sees it. */
export const endedAs = (outcome: RunOutcome): Ended =>
  outcome.ended === "ok" ? { ok: true, value: outcome.value } : { ok: false, message: reasonOf(outcome) };

/** The same of one that is remembered. */
export const remembered = ({ state, result, failure }: LastRun): Ended =>
  state === "Success" ? { ok: true, value: JSON.parse(result) } : { ok: false, message: failure ?? "" };

/** What is remembered of a run, with the line that ends its log. */
export function verdictOf(
  { state, result, failure }: Settled,
  outcome: RunOutcome,
  executionId: string,
): RunVerdict {
  if (failure === undefined) {
    const data = { unset: result === null, data: result };
    return { state, result, output: { protocol: "result", status: "success", executionId, ...data } };
  }
  const kind = outcome.ended === "ok" ? "InvalidReturnType" : outcome.ended;
  const error = { kind, message: failure };
  return { state, result, failure, output: { protocol: "result", status: "failure", executionId, error } };
}
