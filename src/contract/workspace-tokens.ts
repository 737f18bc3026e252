import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { named, nullable, optionalNull } from "./shapes.ts";

export const WorkspaceToken = named("WorkspaceToken", {
  id: Id,
  name: nullable(Type.String()),
  workspaceId: Id,
  userId: Type.String({ description: "Whose rights it has; it was made by the same user" }),
  userEmail: Type.String(),
  createdAt: Timestamp,
  expiresAt: nullable(Timestamp),
  revokedAt: nullable(Timestamp),
  lastUsedAt: nullable(Timestamp),
});
export type WorkspaceToken = Static<typeof WorkspaceToken>;

const managing = ["forbidden", "workspaceNotFound"] as const;

export const workspaceTokens = group({
  list: {
    method: "GET",
    path: "/management/workspaces/:workspaceId/authTokens",
    summary: "Tokens of a workspace, oldest first: all of them to an owner, to others their own",
    description:
      "Revoked and expired ones too. No token is answered with its value. Not for a workspace token, as all of these.",
    access: "user",
    revision: "answer",
    response: Type.Object({ authTokens: Type.Array(WorkspaceToken) }),
    errors: managing,
    addition: true,
  },
  create: {
    method: "POST",
    path: "/management/workspaces/:workspaceId/authTokens",
    summary:
      "Create a token that acts in the workspace with the caller's rights; its value is in this answer only",
    description:
      "`expiration` is a number and a unit, s, m, h, d, w or y, as `12h` or `90d`, up to a year; without one, and for `never` and `0`, 30 days.",
    access: "user",
    invalid: "badRequest",
    body: Type.Object({
      name: optionalNull(Type.String({ description: "1 to 64 characters" })),
      expiration: optionalNull(Type.String()),
    }),
    response: Type.Object({
      authToken: WorkspaceToken,
      token: Type.String({ description: "The value, shown this once" }),
    }),
    errors: ["badRequest", "workspaceQuarantined", ...managing],
    addition: true,
  },
  revoke: {
    method: "POST",
    path: "/management/workspaces/:workspaceId/authTokens/:tokenId/revoke",
    summary: "Revoke a token for good: any token as an owner, else one's own; again changes nothing",
    access: "user",
    response: Type.Object({ authToken: WorkspaceToken }),
    errors: ["workspaceTokenNotFound", "workspaceQuarantined", ...managing],
    addition: true,
  },
});
