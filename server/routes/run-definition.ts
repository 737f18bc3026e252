import { ApiError, fail } from "../../src/contract/errors.ts";
import { type BuiltDefinition, buildDefinition } from "../domain/definition-build.ts";
import { definitionResult } from "../domain/definition-result.ts";
import type { StoredFunction } from "../domain/functions.ts";
import { Refusal } from "../domain/refusal.ts";
import type { FunctionRuns } from "../runs/runs.ts";
import type { RunOutcome } from "../sandbox/outcome.ts";
import type { Layer } from "../store/layer.ts";

/** Seconds after which a definition that never ran is worth another try. */
const retryAfterSeconds = 5;

type Read = { readonly definition: BuiltDefinition } | { readonly failure: string };

/**
 * Runs the code of a schema, outside of any transaction, and reads what it returned; the run is remembered like any
 * other. Throws `definitionFailed` with the function's error and its line, or with what is wrong about the result.
 */
export async function runDefinition(
  runs: FunctionRuns,
  layer: Layer,
  func: StoredFunction,
): Promise<BuiltDefinition> {
  let read: Read = { failure: "the function did not run" };
  const { ended } = runs.start({
    layer,
    func,
    input: {},
    defines: true,
    judge: (outcome) => {
      read = readOutcome(outcome);
      const result = outcome.ended === "ok" ? (outcome.value ?? null) : null;
      return "failure" in read
        ? { state: "Failure", result, failure: read.failure }
        : { state: "Success", result };
    },
  });
  const { verdict, outcome } = await ended;
  if (outcome.ended === "refused" || outcome.ended === "lost") {
    throw new ApiError("unavailable", outcome.message, { retryAfterSeconds });
  }
  // Assigned by the judge, which the compiler does not see.
  const known = read as Read;
  if ("definition" in known) return known.definition;
  return fail("definitionFailed", `code: ${verdict.failure ?? known.failure}`);
}

function readOutcome(outcome: RunOutcome): Read {
  if (outcome.ended === "threw") {
    const at = outcome.at === undefined ? "" : ` (line ${outcome.at.line}, column ${outcome.at.column})`;
    return { failure: `${outcome.name}: ${outcome.message}${at}` };
  }
  if (outcome.ended !== "ok") return { failure: outcome.message };
  const judged = definitionResult(outcome.value);
  if (!judged.ok) return { failure: judged.message };
  try {
    return { definition: buildDefinition(judged.result) };
  } catch (error) {
    if (error instanceof Refusal) return { failure: error.message };
    throw error;
  }
}
