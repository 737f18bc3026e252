import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import type { api } from "../../src/contract/index.ts";
import type { ManagementFunctionReference } from "../../src/contract/management-jobs.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { actorOf, type Context, layerOf } from "../context.ts";
import type { Binding } from "../domain/functions.ts";
import { bindingsFor, bindingsOfSchemas } from "../read/functions.ts";
import { rulesFor } from "../read/rules.ts";
import { listViews } from "../read/variants.ts";
import { getComponent } from "../store/components.ts";
import { findFunctionJob } from "../store/function-jobs.ts";
import { startFunctionJob } from "../store/start-job.ts";
import { isActive } from "../store/status.ts";
import { componentIdOf } from "./component-ids.ts";

/** Handlers of the rows in `src/contract/management-jobs.ts`. */
export const managementJobHandlers: GroupHandlers<typeof api.managementJobs, Context> = {
  execute: async ({ componentId, body }, context) => {
    const { store, variants } = context.server;
    const layer = layerOf(context);
    if (layer.id === layer.headId) fail("headNotEditable");
    if (!isActive(layer.status))
      fail(
        "changeSetNotActive",
        `the change set "${layer.name}" is ${layer.status}: jobs need an active one`,
      );
    const id = componentIdOf(componentId);
    const component = await getComponent(store, rulesFor(store, variants), layer, id);
    checkReference(body.managementFunction);
    const variant = { id: component.variantId, schemaId: component.schemaId };
    const bindings = bindingsFor(await bindingsOfSchemas(store, layer, [variant.schemaId]), variant);
    const binding = chosen(bindings, body.managementFunction);
    const viewName = body.viewName ?? undefined;
    if (viewName !== undefined) {
      const views = await listViews(store, layer);
      if (!views.some((view) => view.name === viewName))
        fail("viewNotFound", `no view is named ${JSON.stringify(viewName.slice(0, 100))}`);
    }
    const functionName = binding.func.name;
    const jobId = await startFunctionJob(
      store,
      layer,
      {
        kind: "management",
        componentId: id,
        prototypeId: binding.id,
        request: { functionName, ...(viewName === undefined ? {} : { viewName }) },
        actor: actorOf(context),
      },
      { functionName, component: component.name },
    );
    return { managementFuncJobStateId: jobId, status: "ok", funcRunId: null, message: "enqueued" };
  },
  get: async ({ managementFuncJobStateId }, context) => {
    const { store } = context.server;
    const job = await findFunctionJob(store, managementFuncJobStateId.toUpperCase(), layerOf(context).id);
    if (job === undefined || job.kind !== "management") return fail("jobNotFound", "no such management job");
    return { state: job.state, funcRunId: job.funcRunId ?? null };
  },
};

function checkReference({ function: name, managementPrototypeId }: ManagementFunctionReference): void {
  if ((name === undefined) !== (managementPrototypeId === undefined)) return;
  fail(
    "invalidRequest",
    `managementFunction: expected function (a name) or managementPrototypeId, one of the two, found ${name === undefined ? "neither" : "both"}`,
  );
}

/** The management function that a reference names among those at work in a component. */
function chosen(bindings: readonly Binding[], reference: ManagementFunctionReference): Binding {
  const { function: name, managementPrototypeId } = reference;
  const own = bindings.filter(({ kind }) => kind === "management");
  const found = own.filter(({ id, func }) =>
    name === undefined
      ? looksLikeUlid(managementPrototypeId ?? "") && id === managementPrototypeId?.toUpperCase()
      : func.name === name || func.displayName === name,
  );
  const asked = JSON.stringify((name ?? managementPrototypeId ?? "").slice(0, 100));
  if (found.length > 1)
    return fail(
      "duplicateFunctionName",
      `several management functions of the component are called ${asked}; use managementPrototypeId`,
    );
  const known = own.map(({ func }) => JSON.stringify(func.name)).join(", ");
  return (
    found[0] ??
    fail(
      "functionNotFound",
      `the component has no management function ${asked}; it has ${known === "" ? "none" : known}`,
    )
  );
}
