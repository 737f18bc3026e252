import type { FuncRunView } from "../src/contract/function-runs.ts";
import type { Api } from "../src/contract/index.ts";
import type { JobView } from "../src/contract/jobs.ts";
import type { Client, ConditionalOptions } from "../src/http/client.ts";
import { type MirroredRun, resources } from "../src/mirror/resources.ts";

/** What can be asked for by its id. */
export const trackedKinds = ["run", "managementJob", "debugJob"] as const;
export type TrackedKind = (typeof trackedKinds)[number];

/** One run or job that is asked for by its id. */
export interface Tracked {
  readonly kind: TrackedKind;
  readonly workspaceId: string;
  readonly changeSetId: string;
  readonly id: string;
  /** What whoever started it knows of it; answers do not name it again. */
  readonly known: Partial<JobView>;
}

/** What an answer says of it. */
export interface Seen {
  readonly item: MirroredRun | JobView;
  readonly ended: boolean;
  /** The run of a job's function, which is to be followed too. */
  readonly funcRunId: string | undefined;
  readonly etag: string | undefined;
}

/** Asks the server for one run or job; undefined when it is as it was. `findRun` gives what is known of a run. */
export async function askFor(
  api: Client<Api>,
  tracked: Tracked,
  options: ConditionalOptions,
  now: string,
  findRun: (funcRunId: string) => MirroredRun | undefined,
): Promise<Seen | undefined> {
  const { kind, workspaceId, changeSetId, id } = tracked;
  if (kind === "run") {
    const answer = await api.functionRuns.get.conditional(
      { workspaceId, changeSetId, funcRunId: id },
      options,
    );
    if (answer.unchanged) return undefined;
    const item = summaryOf(answer.body.funcRun);
    return { item, ended: runHasEnded(item), funcRunId: undefined, etag: answer.etag };
  }
  const answer =
    kind === "managementJob"
      ? await api.managementJobs.get.conditional(
          { workspaceId, changeSetId, managementFuncJobStateId: id },
          options,
        )
      : await api.debugJobs.get.conditional({ workspaceId, changeSetId, debugFuncJobStateId: id }, options);
  if (answer.unchanged) return undefined;
  const { body, etag } = answer;
  const state = debugStates[body.state] ?? body.state;
  const funcRunId = body.funcRunId ?? undefined;
  const run = funcRunId === undefined ? undefined : findRun(funcRunId);
  const item: JobView = {
    id,
    kind: kind === "managementJob" ? "management" : "debug",
    functionName: run?.functionName ?? "",
    componentId: run?.componentId ?? "",
    componentName: run?.componentName ?? null,
    prototypeId: null,
    actor: "",
    createdAt: now,
    ...tracked.known,
    state,
    funcRunId: funcRunId ?? null,
    failure: failureIn(body) ?? run?.failure ?? null,
    updatedAt: now,
  };
  return { item, ended: state === "Success" || state === "Failure", funcRunId, etag };
}

/** Only debug jobs say why they failed. */
const failureIn = (body: { readonly state: string; readonly failure?: string | null }): string | undefined =>
  body.failure ?? undefined;

/** Debug jobs spell their states in a way of their own. */
const debugStates: Readonly<Record<string, string>> = {
  pending: "Pending",
  running: "Executing",
  success: "Success",
  failure: "Failure",
};

const members = Object.keys(resources.functionRuns.item.properties);

/** A run as lists show it: without code, arguments, result and log. */
function summaryOf(run: FuncRunView): MirroredRun {
  const kept = Object.entries(run).filter(([name]) => members.includes(name));
  // The members of a summary are members of a run, save for the one that is optional here.
  return Object.fromEntries(kept) as unknown as MirroredRun;
}

const endStates: ReadonlySet<string> = new Set(["Success", "Failure", "Killed"]);

/** Whether nothing more is to come of a run. */
export const runHasEnded = ({ state }: Pick<MirroredRun, "state">): boolean => endStates.has(state);

/** The ids of runs that an action or a component tells of, with those that go on first. */
export function runIdsIn(item: unknown): readonly string[] {
  const { funcRunId, actionFunctions, managementFunctions, qualificationFunctions } = membersOf(item);
  const functions = [actionFunctions, managementFunctions, qualificationFunctions]
    .flatMap(listOf)
    .map(membersOf);
  const statuses = functions.map(({ executionStatus }) => membersOf(executionStatus));
  const histories = functions.flatMap(({ executionHistory }) => listOf(executionHistory)).map(membersOf);
  const ids = [
    funcRunId,
    ...statuses.map((one) => one["funcRunId"]),
    ...histories.map((one) => one["funcRunId"]),
  ];
  return ids.filter((id): id is string => typeof id === "string" && id !== "");
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
