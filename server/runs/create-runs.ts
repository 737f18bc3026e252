import { setMaxListeners } from "node:events";
import type { FunctionKind } from "../../src/contract/functions.ts";
import type { Clock } from "../../src/lib/clock.ts";
import type { Log } from "../../src/lib/log.ts";
import type { RunLimits } from "../sandbox/limits.ts";
import type { RunOutcome } from "../sandbox/outcome.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { leftBehind } from "../store/func-runs.ts";
import type { Store } from "../store/open.ts";
import { keepRunLeases } from "./run-leases.ts";
import { RunRecord } from "./run-record.ts";
import { createRunWriter } from "./run-writer.ts";
import type { EndedRun, FunctionRuns, RunRequest, RunVerdict, StartedRun } from "./runs.ts";

/** What runs are made of; all of it belongs to the caller, who also closes it. */
export interface FunctionRunsOptions {
  readonly store: Store;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly log: Log;
  /** What each run may use, where that is not the usual. */
  readonly limits?: Partial<RunLimits>;
}

interface Active {
  readonly record: RunRecord;
  readonly abort: () => void;
}

/** Makes the runs of one process. What an earlier process left is ended by `endLeftRuns`. */
export function createFunctionRuns(options: FunctionRunsOptions): FunctionRuns {
  const { store, sandbox, clock, log, limits = {} } = options;
  const writer = createRunWriter(store, clock, log);
  const active = new Map<string, Active>();
  /** Those whose function left the line. */
  const begun = new Set<string>();
  let isClosing = false;

  const cancel = (runIds: readonly string[]): void => {
    for (const id of runIds) active.get(id)?.abort();
  };
  const leases = keepRunLeases({
    store,
    clock,
    log,
    alive: () => [...active.values()].flatMap(({ record }) => (record.isInDatabase ? [record.id] : [])),
    cancel,
  });

  const run = async (request: RunRequest, record: RunRecord, signal: AbortSignal): Promise<RunOutcome> => {
    if (request.recordFirst === true) await record.recorded;
    const { func, input, layer, before, defines } = request;
    const outcome = await sandbox.run({
      code: func.code,
      handler: func.handler,
      input,
      share: layer.workspaceId,
      signal,
      ...(before === undefined ? {} : { before }),
      ...(defines === undefined ? {} : { defines }),
      limits: limitsOf(func.kind, limits),
      onStart: () => {
        record.moveTo("Running", clock.now());
        begun.add(record.id);
        writer.touch(record, "later");
      },
      onLog: ({ stream, message }) => {
        record.log(stream, message, clock.now());
        writer.touch(record, "later");
      },
    });
    return isClosing && isUnfinished(outcome) ? { ended: "lost", message: leftBehind } : outcome;
  };

  const judged = (request: RunRequest, outcome: RunOutcome, runId: string): RunVerdict => {
    try {
      const verdict = request.judge(outcome, runId);
      return outcome.ended === "killed" ? { ...verdict, state: "Killed" } : verdict;
    } catch (error) {
      log.error("a function's result could not be judged", { reason: String(error) });
      return { state: "Failure", result: null, failure: "the server could not read the function's result" };
    }
  };

  const start = (request: RunRequest): StartedRun => {
    const id = request.id ?? store.id();
    const record = new RunRecord(request, { id, owner: store.instance, now: clock.now() });
    if (isClosing) return refused(request, id, judged);
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    if (request.signal !== undefined) {
      // Many runs of one job share its signal.
      setMaxListeners(0, request.signal);
      if (request.signal.aborted) abort();
      request.signal.addEventListener("abort", abort, { once: true });
    }
    active.set(id, { record, abort });
    writer.touch(record, request.recordFirst === true ? "soon" : "later");
    const ended = (async (): Promise<EndedRun> => {
      try {
        const outcome = await run(request, record, controller.signal);
        const verdict = judged(request, outcome, id);
        record.end(verdict, isSure(outcome), clock.now());
        writer.touch(record, request.amongMany === true ? "later" : "soon");
        await record.ended;
        return { id, began: begun.has(id), outcome, verdict };
      } finally {
        active.delete(id);
        begun.delete(id);
        request.signal?.removeEventListener("abort", abort);
      }
    })();
    ended.catch(() => {});
    return { id, recorded: record.recorded, ended };
  };

  return {
    start,
    cancel,
    close: async () => {
      isClosing = true;
      const ending = [...active.values()].map(({ record }) => record.ended.catch(() => {}));
      cancel([...active.keys()]);
      await Promise.all(ending);
      await leases.stop();
      await writer.settled();
    },
  };
}

/** How long functions may take whose results others wait for: while one runs, its change set cannot be applied. */
const longestValueMs = 120_000;
const patientKinds: ReadonlySet<FunctionKind> = new Set(["Action", "Management", "Debug"]);

/** Computing that judging a component's values by their formats takes at most: ten thousand values take half of it. */
const longestJudgementMs = 2_000;

/** Limits by what a function is for: what creates a database may take long, what computes a value may not. */
function limitsOf(kind: FunctionKind, limits: Partial<RunLimits>): Partial<RunLimits> {
  if (patientKinds.has(kind)) return limits;
  const valued = { ...limits, wallMs: Math.min(limits.wallMs ?? longestValueMs, longestValueMs) };
  if (kind !== "Intrinsic") return valued;
  return { ...valued, cpuMs: Math.min(limits.cpuMs ?? longestJudgementMs, longestJudgementMs) };
}

/** Whether a run might have gone on, had nobody ended it. */
const isUnfinished = ({ ended }: RunOutcome): boolean =>
  ended === "killed" || ended === "lost" || ended === "refused";

/** Whether the same function with the same input would end the same again. */
const isSure = ({ ended }: RunOutcome): boolean =>
  ended === "ok" || ended === "threw" || ended === "invalidResult" || ended === "tooMuchOutput";

/** A run that a stopping server was asked for: it leaves nothing. */
function refused(
  request: RunRequest,
  id: string,
  judged: (request: RunRequest, outcome: RunOutcome, runId: string) => RunVerdict,
): StartedRun {
  const outcome: RunOutcome = {
    ended: "refused",
    message: "the server is stopping and runs no more functions",
  };
  const ended = Promise.resolve({ id, began: false, outcome, verdict: judged(request, outcome, id) });
  return { id, recorded: Promise.resolve(), ended };
}
