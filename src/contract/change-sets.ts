import Type from "typebox";
import { group } from "./endpoint.ts";
import { Id } from "./ids.ts";
import { named, Success } from "./shapes.ts";

export const changeSetStatuses = [
  "Open",
  "NeedsApproval",
  "Approved",
  "Rejected",
  "Applied",
  "Abandoned",
  "Failed",
] as const;
export type ChangeSetStatus = (typeof changeSetStatuses)[number];

export const ChangeSetView = named("ChangeSetView", {
  id: Id,
  name: Type.String(),
  status: Type.String({ description: changeSetStatuses.join(", ") }),
  isHead: Type.Boolean(),
});
export type ChangeSetView = Type.Static<typeof ChangeSetView>;

const base = "/v1/w/:workspaceId/change-sets";
const one = `${base}/:changeSetId` as const;
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;

export const changeSets = group({
  list: {
    method: "GET",
    path: base,
    summary: "Active change sets, the head first",
    access: "workspace",
    revision: "workspace",
    response: Type.Object({ changeSets: Type.Array(ChangeSetView) }),
  },
  create: {
    method: "POST",
    path: base,
    summary: "Create a change set over the head",
    access: "workspace",
    body: Type.Object({ changeSetName: Type.String({ minLength: 1, maxLength: 200 }) }),
    response: Type.Object({ changeSet: ChangeSetView }),
  },
  purgeOpen: {
    method: "POST",
    path: `${base}/purge_open`,
    summary: "Abandon every active change set but the head",
    access: "workspace",
    response: Success,
  },
  get: {
    method: "GET",
    path: one,
    summary: "One change set, also when it is abandoned or applied",
    access: "workspace",
    revision: "workspace",
    response: Type.Object({ changeSet: ChangeSetView }),
    errors: missing,
    bodiless: [404],
  },
  abandon: {
    method: "DELETE",
    path: one,
    summary: "Abandon a change set; its name becomes free",
    access: "workspace",
    response: Success,
    errors: [...missing, "headNotAllowed", "changeSetNotActive"],
  },
});
