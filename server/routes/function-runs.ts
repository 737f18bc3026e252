import { fail } from "../../src/contract/errors.ts";
import { functionResults, functionRunStates } from "../../src/contract/function-runs.ts";
import type { api } from "../../src/contract/index.ts";
import { clampLimit } from "../../src/contract/page.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { actorOf, type Context, layerOf, workspaceOf } from "../context.ts";
import { runSummary, runView } from "../read/function-runs.ts";
import { recordEvent } from "../store/events.ts";
import { findStoredRun, listRuns } from "../store/func-run-reads.ts";
import { askToCancelRunIn } from "../store/func-runs.ts";
import { idIn, oneOf } from "./query-members.ts";

/** Handlers of the rows in `src/contract/function-runs.ts`. */
export const functionRunHandlers: GroupHandlers<typeof api.functionRuns, Context> = {
  list: async ({ query }, context) => {
    const limit = clampLimit(query.limit);
    const { cursor, componentId, state, result } = query;
    // One more than asked tells whether there is another page.
    const found = await listRuns(context.server.store, layerOf(context), {
      limit: limit + 1,
      before: cursor === undefined ? undefined : idIn(cursor, "cursor"),
      componentId: componentId === undefined ? undefined : idIn(componentId, "componentId"),
      state: state === undefined ? undefined : oneOf(functionRunStates, state, "state"),
      result: result === undefined ? undefined : oneOf(functionResults, result, "result"),
    });
    const page = found.slice(0, limit);
    return {
      funcRuns: page.map(runSummary),
      nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  },
  get: async ({ funcRunId }, context) => {
    const run = await findStoredRun(context.server.store, workspaceOf(context).id, funcRunId.toUpperCase());
    return { funcRun: runView(run ?? fail("functionRunNotFound")) };
  },
  cancel: async ({ funcRunId }, context) => {
    const { store, runs } = context.server;
    const { id: workspaceId } = workspaceOf(context);
    const run =
      (await findStoredRun(store, workspaceId, funcRunId.toUpperCase())) ?? fail("functionRunNotFound");
    const isAsked = await store.write(async (tx) => {
      if (!(await askToCancelRunIn(tx, run.id))) return false;
      const actor = actorOf(context);
      const subject = run.component_id === null ? {} : { subject: run.component_id };
      const event = { workspaceId, changeSetId: run.layer, actor, ...subject, data: { funcRunId: run.id } };
      recordEvent(tx, { ...event, kind: "function_run.cancelled" });
      return true;
    });
    if (!isAsked) fail("alreadyEnded", `the run has already ended: its state is ${run.state}`);
    runs.cancel([run.id]);
    return { success: true };
  },
};
