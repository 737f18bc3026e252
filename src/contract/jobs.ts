import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { PageQuery } from "./page.ts";
import { named, nullable, optionalNull, Success } from "./shapes.ts";

/** What a job runs for one component. */
export const jobKinds = ["management", "debug"] as const;
export type JobKind = (typeof jobKinds)[number];

/** Where a job stands; a debug job is never `Operating`, and its own row spells the others in its way. */
export const jobStates = ["Pending", "Executing", "Operating", "Success", "Failure"] as const;
export type JobState = (typeof jobStates)[number];

/** A job as lists show it, so that a mirror finds work that it did not start. */
export const JobView = named("JobView", {
  id: Id,
  kind: Type.String({ description: jobKinds.join(", ") }),
  state: Type.String({ description: jobStates.join(", ") }),
  functionName: Type.String(),
  componentId: Id,
  componentName: nullable(Type.String({ description: "Null where the component is gone" })),
  prototypeId: optionalNull(Id),
  funcRunId: optionalNull(Id),
  failure: optionalNull(Type.String({ description: "Why it failed, in a sentence" })),
  actor: Type.String({ description: "Id of the user who asked for it" }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type JobView = Static<typeof JobView>;

const base = "/v1/w/:workspaceId/change-sets/:changeSetId/jobs";
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;

export const jobs = group({
  list: {
    method: "GET",
    path: base,
    summary:
      "Management and debug jobs of a change set, the newest first; of the head with those of applied ones",
    access: "workspace",
    addition: true,
    revision: "answer",
    query: Type.Object({
      ...PageQuery,
      componentId: Type.Optional(Type.String()),
      kind: Type.Optional(Type.String({ description: `${jobKinds.join(", ")}, in any letter case` })),
      state: Type.Optional(Type.String({ description: `${jobStates.join(", ")}, in any letter case` })),
    }),
    response: Type.Object({ jobs: Type.Array(JobView), nextCursor: nullable(Type.String()) }),
    errors: missing,
  },
  cancel: {
    method: "POST",
    path: `${base}/:jobId/cancel`,
    summary:
      "End a job: its function's run as Killed, itself as Failure; what it has not applied is not applied",
    access: "workspace",
    addition: true,
    response: Success,
    errors: [...missing, "jobNotFound", "alreadyEnded"],
  },
});
