import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { PageQuery } from "./page.ts";
import { named, nullable } from "./shapes.ts";

export const AuditEntry = named("AuditEntry", {
  id: Id,
  at: Timestamp,
  kind: Type.String({ description: "What was done, as `noun.verb`" }),
  actor: Type.Object({
    kind: Type.String({ description: "user, collective, operator or nobody" }),
    id: nullable(Id),
    name: nullable(Type.String({ description: "Username of a user" })),
  }),
  credential: nullable(
    Type.Object(
      { kind: Type.String({ description: "session, personal, workspace or collective" }), id: Id },
      { description: "What the actor showed; null where it was a password" },
    ),
  ),
  ip: nullable(Type.String()),
  userAgent: nullable(Type.String()),
  subject: nullable(Type.String({ description: "Id of what it was done to" })),
  data: Type.Record(Type.String(), Type.Unknown(), { description: "What else there is to say; no secrets" }),
});
export type AuditEntry = Static<typeof AuditEntry>;

const Page = Type.Object({
  entries: Type.Array(AuditEntry),
  nextCursor: nullable(Type.String({ description: "`cursor` of the next page; null on the last" })),
});
const query = Type.Object(PageQuery);

export const audit = group({
  account: {
    method: "GET",
    path: "/api/v1/audit",
    summary: "What was done to the caller's account, sessions and keys, newest first",
    access: "user",
    query,
    response: Page,
    addition: true,
  },
  collective: {
    method: "GET",
    path: "/api/v1/collectives/:slug/audit",
    summary: "What was done to a collective, its members and tokens, from where, newest first (owner, admin)",
    access: "user",
    query,
    response: Page,
    errors: ["forbidden", "collectiveNotFound"],
    addition: true,
  },
  workspace: {
    method: "GET",
    path: "/management/workspaces/:workspaceId/audit",
    summary: "What was done to a workspace, its members and tokens, from where, newest first (owner)",
    access: "user",
    invalid: "badRequest",
    query,
    response: Page,
    errors: ["forbidden", "workspaceNotFound"],
    addition: true,
  },
});
