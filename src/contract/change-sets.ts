import Type from "typebox";
import { MergedAction } from "./actions.ts";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { named, nullable, optionalNull, Success } from "./shapes.ts";

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

/** What a change set can show in its merge status beside its own statuses: it could be applied now. */
export const readyStatus = "Ready";

const MergedChangeSet = named("MergedChangeSet", {
  id: Id,
  name: Type.String(),
  status: Type.String({
    description: `${readyStatus} when it could be applied now, else ${changeSetStatuses.join(", ")}`,
  }),
  createdByUserId: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** Who asked for the merge that is asked for now, or was done; null when nobody does. */
  mergeRequestedByUserId: nullable(Id),
  mergeRequestedByUser: nullable(Type.String({ description: "Name, else e-mail address" })),
  mergeRequestedAt: nullable(Timestamp),
  /** Of the last review, whatever it said and whether or not it still counts: the status says that. */
  reviewedByUserId: nullable(Id),
  reviewedByUser: nullable(Type.String({ description: "Name, else e-mail address" })),
  reviewedAt: nullable(Timestamp),
  note: nullable(Type.String()),
});

export const MergeStatus = named("MergeStatusV1Response", {
  changeSet: MergedChangeSet,
  actions: Type.Array(MergedAction),
});
export type MergeStatus = Type.Static<typeof MergeStatus>;

/** Longest note of a review, in UTF-16 units: a few paragraphs. */
const maximumNote = 4_000;

const Review = Type.Object({
  note: optionalNull(Type.String({ maxLength: maximumNote, description: "What the requester should know" })),
});
const Decision = Type.Object({
  ...Review.properties,
  mergeRequestedAt: optionalNull(
    Type.String({
      format: "date-time",
      description:
        "The request that was looked at, as merge_status tells it: one that was made since is answered 409",
    }),
  ),
});

const base = "/v1/w/:workspaceId/change-sets";
const one = `${base}/:changeSetId` as const;
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;
/** Why an apply is put off, or refused for what the head has got since. */
const unapplied = ["valuesPending", "subscriptionCycle", "managementCycle"] as const;

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
  forceApply: {
    method: "POST",
    path: `${one}/force_apply`,
    summary: "Merge a change set into the head without asking for approval",
    description:
      "While the workspace has approvals enabled only an owner or approver may. 428 while values are still being computed: nothing has changed, try again after `Retry-After` seconds. 412 or 422 where it would close a circle of subscriptions or of managers with what the head has got since.",
    access: "workspace",
    response: Success,
    errors: [...missing, "headNotAllowed", "forbidden", "changeSetNotActive", ...unapplied],
  },
  mergeStatus: {
    method: "GET",
    path: `${one}/merge_status`,
    summary: "Whether a change set could be applied, who asked for it, who reviewed it, and its actions",
    access: "workspace",
    revision: "review",
    response: MergeStatus,
    errors: missing,
  },
  requestApproval: {
    method: "POST",
    path: `${one}/request_approval`,
    summary: "Ask for the merge of a change set",
    description:
      "Without approvals in the workspace it is granted at once and the change set is applied, which may be answered 412, 422 or 428 as `force_apply` is. Asking again while nobody has decided, or once it is granted, changes nothing.",
    access: "workspace",
    response: Success,
    errors: [...missing, "headNotAllowed", "changeSetNotActive", ...unapplied],
  },
  approve: {
    method: "POST",
    path: `${one}/approve`,
    summary: "Grant the merge that was asked for; an owner or approver may, also of their own request",
    description: "An edit afterwards takes the approval back: the change set is Open again.",
    access: "workspace",
    body: Decision,
    response: Success,
    errors: [...missing, "headNotAllowed", "forbidden", "changeSetNotActive", "approvalNotRequested"],
    addition: true,
  },
  reject: {
    method: "POST",
    path: `${one}/reject`,
    summary: "Refuse the merge that was asked for; an owner or approver may",
    access: "workspace",
    body: Decision,
    response: Success,
    errors: [...missing, "headNotAllowed", "forbidden", "changeSetNotActive", "approvalNotRequested"],
    addition: true,
  },
  reopen: {
    method: "POST",
    path: `${one}/reopen`,
    summary: "Take a request, an approval or a rejection back; an owner or approver may",
    access: "workspace",
    body: Review,
    response: Success,
    errors: [...missing, "headNotAllowed", "forbidden", "changeSetNotActive", "approvalNotRequested"],
    addition: true,
  },
});
