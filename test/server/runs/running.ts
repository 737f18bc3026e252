import { afterAll, beforeAll } from "vitest";
import type { StoredFunction } from "../../../server/domain/functions.ts";
import { createFunctionRuns } from "../../../server/runs/create-runs.ts";
import type { FunctionRuns, RunRequest, RunVerdict } from "../../../server/runs/runs.ts";
import type { RunOutcome } from "../../../server/sandbox/outcome.ts";
import { createSandbox, type Sandbox } from "../../../server/sandbox/sandbox.ts";
import type { Layer } from "../../../server/store/layer.ts";
import type { Store } from "../../../server/store/open.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";

/** A sandbox of two children for the tests of a file. */
export function suiteSandbox(): { readonly sandbox: Sandbox } {
  let sandbox: Sandbox | undefined;
  beforeAll(() => {
    sandbox = createSandbox({ children: 2, spareChildren: 0 });
  });
  afterAll(() => sandbox?.close());
  return {
    get sandbox() {
      if (sandbox === undefined) throw new Error("the sandbox is there inside tests only");
      return sandbox;
    },
  };
}

/** Runs of a process that writes to this store, on real time. */
export const runsOn = (store: Store, sandbox: Sandbox): FunctionRuns =>
  createFunctionRuns({ store, sandbox, clock: systemClock, log: silentLog });

/** A function of a test; qualifications unless it says otherwise. */
export const functionOf = (code: string, more: Partial<StoredFunction> = {}): StoredFunction => ({
  id: "FUNCTION",
  name: "test:function",
  displayName: null,
  description: null,
  link: null,
  kind: "Qualification",
  handler: "main",
  code,
  isLocked: false,
  arguments: [],
  isTransformation: false,
  ...more,
});

/** What it returned is the result; what did not return failed. */
export const plainly = (outcome: RunOutcome): RunVerdict =>
  outcome.ended === "ok"
    ? { state: "Success", result: outcome.value ?? null }
    : { state: "Failure", result: null, failure: outcome.message };

/** A request to run this code in a layer. */
export const requestOf = (layer: Layer, code: string, more: Partial<RunRequest> = {}): RunRequest => ({
  layer,
  func: functionOf(code),
  input: {},
  judge: plainly,
  ...more,
});
