import { statesBefore } from "../domain/function-jobs.ts";
import { authenticationOf } from "../read/authentication.ts";
import type { EndedRun, RunRequest } from "../runs/runs.ts";
import { moveFunctionJob } from "../store/function-jobs.ts";
import type { FunctionWork } from "./function-work.ts";

/**
 * Runs the function of a job, the authentication functions of its component first, with the job `Executing`. Undefined
 * when the job was cancelled meanwhile, or is no longer this process's to do.
 */
export async function runForComponent(
  { context, job, layer, lost }: FunctionWork,
  request: Omit<RunRequest, "layer" | "before" | "signal">,
): Promise<EndedRun | undefined> {
  const { store, runs } = context;
  const before = await authenticationOf(context, layer, job.componentId);
  const run = runs.start({ ...request, layer, before, signal: lost });
  await run.recorded;
  const move = { from: statesBefore("Executing", job.kind), to: "Executing", funcRunId: run.id } as const;
  const isOurs = await moveFunctionJob(store, job, move);
  if (!isOurs) runs.cancel([run.id]);
  const ended = await run.ended;
  return isOurs && !lost.aborted ? ended : undefined;
}
