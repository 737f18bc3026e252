import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Actor } from "./events.ts";
import { Id, Timestamp } from "./ids.ts";
import { PageQuery } from "./page.ts";
import { named, nullable } from "./shapes.ts";

export const policyResults = ["Pass", "Fail"] as const;
export type PolicyResult = (typeof policyResults)[number];

/** Reports an answer holds when it carries their contents, each up to the limit of a request: 10 × 2 MB. */
export const maximumReportsWithContents = 10;

export const PolicyReportView = named("PolicyReportView", {
  id: Id,
  name: Type.String(),
  version: Type.Integer({ description: "1 for the first report of the name in the change set" }),
  result: Type.String({ description: policyResults.join(", ") }),
  actor: Actor,
  at: Timestamp,
  policy: Type.Optional(Type.String()),
  report: Type.Optional(Type.String()),
});
export type PolicyReportView = Static<typeof PolicyReportView>;

const base = "/v1/w/:workspaceId/change-sets/:changeSetId/policy-reports";
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;
/** Longest name of a report, in UTF-16 units. */
const maximumName = 200;

export const policyReports = group({
  create: {
    method: "POST",
    path: base,
    summary: "Keep the report of a policy check; a name already used adds a version and keeps its id",
    access: "workspace",
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: maximumName }),
      policy: Type.String({ description: "The policy document that was evaluated" }),
      report: Type.String({ description: "The contents of the report" }),
      result: Type.String({ description: `${policyResults.join(" or ")}, in any letter case` }),
    }),
    response: Type.Object({ id: Id }),
    errors: missing,
  },
  list: {
    method: "GET",
    path: base,
    summary: "Policy reports of a change set, newest first",
    access: "workspace",
    revision: "layer",
    query: Type.Object({
      ...PageQuery,
      cursor: Type.Optional(Type.String({ description: "`nextCursor` of the page before" })),
      name: Type.Optional(Type.String({ description: "Only the versions of this report" })),
      includeContents: Type.Optional(
        Type.Boolean({
          description: `With policy and report; then at most ${maximumReportsWithContents} a page`,
        }),
      ),
    }),
    response: Type.Object({
      policyReports: Type.Array(PolicyReportView),
      nextCursor: nullable(Id),
    }),
    errors: missing,
    addition: true,
  },
});
