import type { FuncRunSummary, FuncRunView } from "../contract/function-runs.ts";
import { sleep } from "../lib/clock.ts";
import type { Place } from "./component-lookup.ts";
import type { Context } from "./context.ts";
import { type Column, printable } from "./table.ts";

/** How runs are listed. */
export const runColumns: readonly Column<FuncRunSummary>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "STATE", text: (run) => stateOf(run) },
  { title: "KIND", text: ({ functionKind, actionKind }) => actionKind ?? functionKind },
  { title: "FUNCTION", text: ({ functionName }) => functionName },
  { title: "COMPONENT", text: ({ componentName, componentId }) => componentName ?? componentId ?? "" },
  { title: "AT", text: ({ createdAt }) => createdAt },
  { title: "FAILURE", text: ({ failure }) => failure ?? "" },
];

/** The state that concerns a person: an action's function may end well and still say that the action failed. */
export const stateOf = (run: Pick<FuncRunSummary, "state" | "actionResultState">): string =>
  run.state === "Success" && run.actionResultState === "Failure" ? "Failure" : run.state;

/** Whether a run has ended, and all of its log is there. */
export const hasEnded = ({ state, logs }: Pick<FuncRunView, "state" | "logs">): boolean =>
  (state === "Success" || state === "Failure" || state === "Killed") && (logs?.finalized ?? true);

/** How long one request of a run that is followed is held. */
const heldSeconds = 30;
const pauseMs = 250;

/**
 * Prints the log of a run, as it comes where `follow` says so, until the run has ended or the person stops it; resolves
 * with the run as it was seen last.
 */
export async function printLog(
  context: Context,
  place: Place,
  funcRunId: string,
  { follow }: { readonly follow: boolean },
): Promise<FuncRunView> {
  const { functionRuns } = await context.api();
  const signal = follow ? context.untilStopped() : new AbortController().signal;
  let run = (await functionRuns.get({ ...place, funcRunId })).funcRun;
  let printed = printNew(context, run, 0);
  let etag: string | undefined;
  while (follow && !hasEnded(run) && !signal.aborted) {
    const asked = functionRuns.get.conditional(
      { ...place, funcRunId },
      { etag, waitSeconds: heldSeconds, signal },
    );
    const answer = await asked.catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (answer === undefined || answer.unchanged) {
      // A server that is stopping lets go of what it holds.
      await sleep(context.clock, pauseMs, signal);
      continue;
    }
    run = answer.body.funcRun;
    printed = printNew(context, run, printed);
    // Servers without tags are asked again after a pause.
    if (answer.etag === undefined) await sleep(context.clock, pauseMs, signal);
    etag = answer.etag;
  }
  return run;
}

function printNew(context: Context, run: FuncRunView, printed: number): number {
  const lines = run.logs?.logs ?? [];
  for (const line of lines.slice(printed)) {
    const mark = line.stream === "stdout" ? "" : `${line.stream}: `;
    const text = line.message.split("\n").map((part) => `${mark}${printable(part)}`);
    context.output.event(line, text.join("\n"));
  }
  return lines.length;
}
