import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import { type JobView, jobKinds, jobStates } from "../../src/contract/jobs.ts";
import { clampLimit } from "../../src/contract/page.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { actorOf, type Context, layerOf } from "../context.ts";
import { isEnded, statesBefore } from "../domain/function-jobs.ts";
import { rulesFor } from "../read/rules.ts";
import { listNames } from "../store/components.ts";
import { recordEvent } from "../store/events.ts";
import { askToCancelRun } from "../store/func-runs.ts";
import {
  type FunctionJob,
  findFunctionJob,
  listFunctionJobs,
  moveFunctionJobIn,
} from "../store/function-jobs.ts";
import { touchLayers } from "../store/layer.ts";
import { idIn, oneOf } from "./query-members.ts";

/** Handlers of the rows in `src/contract/jobs.ts`. */
export const jobHandlers: GroupHandlers<typeof api.jobs, Context> = {
  list: async ({ query }, context) => {
    const { store, variants } = context.server;
    const layer = layerOf(context);
    const limit = clampLimit(query.limit);
    // One more than asked tells whether there is another page.
    const found = await listFunctionJobs(store, layer, {
      limit: limit + 1,
      cursor: query.cursor === undefined ? undefined : idIn(query.cursor, "cursor"),
      componentId: query.componentId === undefined ? undefined : idIn(query.componentId, "componentId"),
      kind: query.kind === undefined ? undefined : oneOf(jobKinds, query.kind, "kind"),
      state: query.state === undefined ? undefined : oneOf(jobStates, query.state, "state"),
    });
    const page = found.slice(0, limit);
    const componentIds = [...new Set(page.map((job) => job.componentId))];
    const names = await listNames(store, rulesFor(store, variants), layer, componentIds);
    return {
      jobs: page.map((job) => jobView(job, names.get(job.componentId))),
      nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  },
  cancel: async ({ jobId }, context) => {
    const { store } = context.server;
    const layer = layerOf(context);
    const job = (await findFunctionJob(store, jobId.toUpperCase(), layer.id)) ?? fail("jobNotFound");
    const actor = actorOf(context);
    const isOver = await store.write(async (tx) => {
      await touchLayers(tx, [layer.id]);
      const failure = "it was cancelled before it had ended; nothing of it was applied";
      const move = { from: statesBefore("Failure", job.kind), to: "Failure", failure } as const;
      if (!(await moveFunctionJobIn(tx, job.id, move))) return true;
      const { workspaceId, id: changeSetId } = layer;
      const event = { workspaceId, changeSetId, actor, subject: job.componentId } as const;
      recordEvent(tx, { ...event, kind: "job.cancelled", data: { jobId: job.id } });
      return false;
    });
    if (isOver) fail("alreadyEnded", "the job has already ended: there is nothing to cancel");
    // The run may be another process's, and may have begun since the job was read.
    const { funcRunId } = (await findFunctionJob(store, job.id)) ?? job;
    if (funcRunId !== undefined) await askToCancelRun(store, funcRunId);
    return { success: true };
  },
};

const jobView = (job: FunctionJob, componentName: string | undefined): JobView => ({
  id: job.id,
  kind: job.kind,
  state: job.state,
  functionName: String(job.request["functionName"] ?? ""),
  componentId: job.componentId,
  componentName: componentName ?? null,
  prototypeId: job.prototypeId ?? null,
  funcRunId: job.funcRunId ?? null,
  failure: isEnded(job.state) ? (job.failure ?? null) : null,
  actor: job.actor,
  createdAt: toTimestamp(job.createdAt),
  updatedAt: toTimestamp(job.updatedAt),
});
