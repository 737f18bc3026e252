import { readFile } from "node:fs/promises";
import { type JobView, jobKinds, jobStates } from "../../contract/jobs.ts";
import { sleep } from "../../lib/clock.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { Problem } from "../../lib/problem.ts";
import { readFlag, writeFlag } from "../change-set-choice.ts";
import { type AnyCommand, command } from "../command.ts";
import { findComponent, type Place } from "../component-lookup.ts";
import type { Context } from "../context.ts";
import { usageProblem } from "../failure.ts";
import { printLog } from "../run-text.ts";
import { type Column, printable } from "../table.ts";
import { changePlace, component, readPlace } from "./component-target.ts";

const columns: readonly Column<JobView>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "KIND", text: ({ kind }) => kind },
  { title: "STATE", text: ({ state }) => state },
  { title: "FUNCTION", text: ({ functionName }) => functionName },
  { title: "COMPONENT", text: ({ componentName, componentId }) => componentName ?? componentId },
  { title: "AT", text: ({ createdAt }) => createdAt },
  { title: "FAILURE", text: ({ failure }) => failure ?? "" },
];

const noWait = { kind: "switch", doc: "Print the job's id and do not wait for its end" } as const;

/** `svc job …`. */
export const jobCommands: readonly AnyCommand[] = [
  command({
    path: "job list",
    aliases: ["ls"],
    summary: "List management and debug jobs of a change set, the newest first",
    needs: "key",
    options: {
      "change-set": readFlag,
      kind: { kind: "text", value: "kind", doc: "Only those of it", choices: jobKinds },
      state: { kind: "text", value: "state", doc: "Only those in it", choices: jobStates },
    },
    examples: [{ line: "job list --change-set edit --state Failure", does: "those that failed" }],
    run: async (args, context) => {
      const place = await readPlace(context, args["change-set"]);
      const { kind, state } = args;
      const query = { ...(kind === undefined ? {} : { kind }), ...(state === undefined ? {} : { state }) };
      const answer = await (await context.api()).jobs.list({ ...place, query });
      context.output.table(answer, columns, answer.jobs, "no jobs");
    },
  }),
  command({
    path: "job start",
    summary: "Run a management function of a component, and follow it to its end",
    details: "What the function returns is done to the change set: all of it, or nothing.",
    needs: "key",
    positionals: { component, function: { doc: "Name of the management function" } },
    options: {
      "change-set": writeFlag,
      view: { kind: "text", value: "name", doc: "The view that it works in; default the default view" },
      "no-wait": noWait,
    },
    examples: [{ line: "job start network importSubnets --change-set edit", does: "prints its log" }],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const { component: found } = await findComponent(context, place, args.component);
      const body = {
        managementFunction: { function: args.function },
        ...(args.view === undefined ? {} : { viewName: args.view }),
      };
      const { managementJobs } = await context.api();
      const answer = await managementJobs.execute({ ...place, componentId: found.id, body });
      const id = answer.managementFuncJobStateId;
      context.output.note(`started ${printable(args.function)} for ${printable(found.name)}`);
      if (args["no-wait"]) return context.output.result(answer, [id]);
      await followJob(context, place, id);
    },
  }),
  command({
    path: "job debug",
    summary: "Run a function from a file over a component, without any effect, and print what it returns",
    needs: "key",
    positionals: { component },
    options: {
      "change-set": readFlag,
      file: { kind: "text", value: "file", doc: "TypeScript with the function" },
      handler: { kind: "text", value: "name", doc: "Name of the function in it; default main" },
      input: { kind: "text", value: "json", doc: "Given to it as debugInput" },
      "no-wait": noWait,
    },
    examples: [{ line: "job debug web --file look.ts --input '{}'", does: "prints the result" }],
    run: async (args, context) => {
      if (args.file === undefined) throw usageProblem("job debug: --file is missing", "add --file FILE");
      const code = await readCode("--file", args.file);
      const debugInput = args.input === undefined ? null : parsed("--input", args.input);
      const place = await readPlace(context, args["change-set"]);
      const { component: found } = await findComponent(context, place, args.component);
      const handler = args.handler ?? "main";
      const body = { name: handler, handler, code, componentId: found.id, debugInput };
      const { debugJobs } = await context.api();
      const answer = await debugJobs.create({ ...place, body });
      const debugFuncJobStateId = answer.debugFuncJobStateId;
      if (args["no-wait"]) return context.output.result(answer, [debugFuncJobStateId]);
      const job = await ended(context, place, debugFuncJobStateId);
      if (job.funcRunId != null && !context.output.json)
        await printLog(context, place, job.funcRunId, { follow: false });
      if (job.state === "Failure") throw failed(job);
      const { result } = await debugJobs.get({ ...place, debugFuncJobStateId });
      context.output.result(result, [JSON.stringify(result, undefined, 2)]);
    },
  }),
  command({
    path: "job cancel",
    summary: "End a job; what its function returned is not applied",
    needs: "key",
    positionals: { job: { doc: "Id of the job" } },
    options: { "change-set": readFlag },
    examples: [{ line: "job cancel 01J0000000000000000000000J --change-set edit", does: "it fails" }],
    run: async (args, context) => {
      const place = await readPlace(context, args["change-set"]);
      const answer = await (await context.api()).jobs.cancel({ ...place, jobId: args.job });
      context.output.note("cancelled the job");
      context.output.result(answer, []);
    },
  }),
];

/** Follows a job and the log of its function to the end; throws a Problem when the job has failed. */
async function followJob(context: Context, place: Place, jobId: string): Promise<void> {
  const begun = await jobWhere(context, place, jobId, (job) => job.funcRunId != null || isOver(job));
  if (begun.funcRunId != null && !context.output.json)
    await printLog(context, place, begun.funcRunId, { follow: true });
  const job = await ended(context, place, jobId);
  if (job.state === "Failure") throw failed(job);
  context.output.note("done");
  context.output.result(job, []);
}

const isOver = ({ state }: JobView): boolean => state === "Success" || state === "Failure";
const ended = (context: Context, place: Place, jobId: string) => jobWhere(context, place, jobId, isOver);
const failed = ({ functionName, failure }: JobView): Problem =>
  new Problem(`${functionName} failed: ${failure ?? "nobody knows why"}`, { code: "job_failed" });

/** Soon enough for a person, seldom enough for a server. */
const lookMs = 300;

async function jobWhere(
  context: Context,
  place: Place,
  jobId: string,
  holds: (job: JobView) => boolean,
): Promise<JobView> {
  const { jobs } = await context.api();
  const signal = context.untilStopped();
  while (!signal.aborted) {
    const page = await jobs.list({ ...place, query: {} });
    const job = page.jobs.find(({ id }) => id === jobId);
    if (job !== undefined && holds(job)) return job;
    await sleep(context.clock, lookMs, signal);
  }
  throw new Problem("stopped waiting; the job goes on", { code: "cancelled", hint: "svc job list" });
}

/** What a file holds that a command takes code from; `-` is standard input. */
export async function readCode(option: string, path: string): Promise<string> {
  return readFile(path === "-" ? "/dev/stdin" : path, "utf8").catch((error: unknown) => {
    const why = errorMessage(error);
    throw usageProblem(`${option}: could not read "${path}": ${why}`);
  });
}

function parsed(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageProblem(`${option}: expected JSON, got ${JSON.stringify(text.slice(0, 100))}`);
  }
}
