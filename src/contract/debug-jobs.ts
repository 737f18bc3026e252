import Type from "typebox";
import { group } from "./endpoint.ts";
import { Id } from "./ids.ts";
import { AnyJson, named, optionalNull } from "./shapes.ts";

/** Where a debug job stands, as its row spells it. */
export const debugJobStates = ["pending", "running", "success", "failure"] as const;
export type DebugJobState = (typeof debugJobStates)[number];

/** Longest source of a debug function, in UTF-16 units: what the sandbox reads. */
const maximumCode = 1_000_000;

export const DebugJobView = named("GetDebugFuncJobStateV1Response", {
  id: Id,
  state: Type.String({ description: debugJobStates.join(", ") }),
  failure: optionalNull(Type.String()),
  funcRunId: optionalNull(Id),
  result: Type.Optional(AnyJson),
});

const base = "/v1/w/:workspaceId/change-sets/:changeSetId/debug-funcs";
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;

export const debugJobs = group({
  create: {
    method: "POST",
    path: base,
    summary: "Run a function of one's own over a component, without effect on the change set",
    description: "Allowed on the head too. The job's state tells what it returned.",
    access: "workspace",
    invalid: "badRequest",
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 200 }),
      code: Type.String({ maxLength: maximumCode, description: "TypeScript" }),
      handler: Type.String({
        minLength: 1,
        maxLength: 200,
        description: "Name of the function to call in it",
      }),
      componentId: Type.String(),
      debugInput: Type.Optional(AnyJson),
    }),
    response: Type.Object({ debugFuncJobStateId: Id }),
    errors: [...missing, "componentNotFound"],
  },
  get: {
    method: "GET",
    path: `${base}/:debugFuncJobStateId`,
    summary: "Where a debug job stands, and what its function returned",
    access: "workspace",
    revision: "answer",
    response: DebugJobView,
    errors: [...missing, "jobNotFound"],
  },
});
