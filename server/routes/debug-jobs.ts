import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { actorOf, type Context, layerOf } from "../context.ts";
import { debugState } from "../domain/function-jobs.ts";
import type { Json } from "../domain/json.ts";
import { rulesFor } from "../read/rules.ts";
import { getComponent } from "../store/components.ts";
import { findFunctionJob } from "../store/function-jobs.ts";
import { startFunctionJob } from "../store/start-job.ts";

/** Handlers of the rows in `src/contract/debug-jobs.ts`. */
export const debugJobHandlers: GroupHandlers<typeof api.debugJobs, Context> = {
  create: async ({ body }, context) => {
    const { store, variants } = context.server;
    const layer = layerOf(context);
    const { name, code, handler, componentId } = body;
    if (!looksLikeUlid(componentId))
      fail("componentNotFound", `no component has the id ${JSON.stringify(componentId.slice(0, 100))}`);
    const { id } = await getComponent(store, rulesFor(store, variants), layer, componentId.toUpperCase());
    // The body was parsed as JSON: what a member of it holds is JSON.
    const debugInput = (body.debugInput ?? null) as Json;
    const request = { functionName: name, code, handler, debugInput };
    const job = { kind: "debug", componentId: id, request, actor: actorOf(context) } as const;
    return { debugFuncJobStateId: await startFunctionJob(store, layer, job, { functionName: name }) };
  },
  get: async ({ debugFuncJobStateId }, context) => {
    const { store } = context.server;
    const job = await findFunctionJob(store, debugFuncJobStateId.toUpperCase(), layerOf(context).id);
    if (job === undefined || job.kind !== "debug") return fail("jobNotFound", "no such debug job");
    return {
      id: job.id,
      state: debugState(job.state),
      failure: job.failure ?? null,
      funcRunId: job.funcRunId ?? null,
      result: job.result ?? null,
    };
  },
};
