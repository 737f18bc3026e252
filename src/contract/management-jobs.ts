import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id } from "./ids.ts";
import { jobStates } from "./jobs.ts";
import { named, optionalNull } from "./shapes.ts";

/** A management function, by exactly one of its name and its prototype. */
export const ManagementFunctionReference = named("ManagementFunctionReference", {
  function: Type.Optional(Type.String({ description: "Name or display name" })),
  managementPrototypeId: Type.Optional(Id),
});
export type ManagementFunctionReference = Static<typeof ManagementFunctionReference>;

export const StartedManagementJob = named("ExecuteManagementFunctionV1Response", {
  managementFuncJobStateId: Id,
  status: Type.String({ description: "ok" }),
  funcRunId: optionalNull(Id),
  message: optionalNull(Type.String()),
});

export const ManagementJobView = named("GetManagementFuncJobStateV1Response", {
  state: Type.String({ description: jobStates.join(", ") }),
  funcRunId: optionalNull(Id),
});

const base = "/v1/w/:workspaceId/change-sets/:changeSetId";
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;

export const managementJobs = group({
  execute: {
    method: "POST",
    path: `${base}/components/:componentId/execute-management-function`,
    summary: "Run a management function for a component, and do to the change set what it returns",
    description:
      "The answer comes at once; the job's state tells the rest. One function runs once at a time for a component.",
    access: "workspace",
    body: Type.Object({
      managementFunction: ManagementFunctionReference,
      viewName: optionalNull(Type.String({ description: "The view that the function works in" })),
    }),
    response: StartedManagementJob,
    errors: [
      ...missing,
      "headNotEditable",
      "changeSetNotActive",
      "componentNotFound",
      "functionNotFound",
      "duplicateFunctionName",
      "viewNotFound",
      "managementRunning",
    ],
  },
  get: {
    method: "GET",
    path: `${base}/management-funcs/:managementFuncJobStateId`,
    summary: "Where a management job stands",
    access: "workspace",
    revision: "answer",
    response: ManagementJobView,
    errors: [...missing, "jobNotFound"],
  },
});
