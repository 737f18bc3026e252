import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { named, nullable, optionalNull } from "./shapes.ts";

/** Longest texts about a workspace, in characters; the address as long as browsers take one. */
const longest = { displayName: 256, description: 512, instanceUrl: 2_048, email: 254 } as const;

const allowed = "Letters of any script up to U+1EF9, digits, white space and ' , _ + ( ) . -";
const DisplayName = Type.String({ maxLength: longest.displayName, description: allowed });
const Description = Type.String({ maxLength: longest.description, description: allowed });
const InstanceUrl = Type.String({
  maxLength: longest.instanceUrl,
  description: "http(s)://host, with a port and a path where there are any",
});
const Email = Type.String({ maxLength: longest.email });

export const Workspace = named("Workspace", {
  id: Id,
  displayName: Type.String(),
  instanceEnvType: Type.String({
    description: "LOCAL where the host of instanceUrl is the machine at hand, else PRIVATE",
  }),
  creatorUserId: Id,
  approvalsEnabled: Type.Boolean(),
  isDefault: Type.Boolean({ description: "Whether it is the one its user prefers where none is named" }),
  description: optionalNull(Type.String()),
  instanceUrl: optionalNull(Type.String()),
  externalId: optionalNull(Type.String()),
  role: optionalNull(Type.String({ description: "The caller's: OWNER, APPROVER or EDITOR" })),
  quarantinedAt: optionalNull(Timestamp),
  creatorUser: optionalNull(
    Type.Object({ firstName: nullable(Type.String()), lastName: nullable(Type.String()) }),
  ),
  initialApiToken: optionalNull(
    Type.Object(
      { token: Type.String(), expiresAt: optionalNull(Timestamp) },
      { description: "Only in the answer to a creation with createSetupToken" },
    ),
  ),
});
export type Workspace = Static<typeof Workspace>;

export const Member = named("Member", {
  userId: Id,
  email: Type.String(),
  nickname: Type.String({ description: "The username; empty for who was invited and is no member yet" }),
  role: Type.String({ description: "OWNER, APPROVER or EDITOR" }),
  signupAt: optionalNull(Timestamp),
});
export type Member = Static<typeof Member>;
const Members = Type.Array(Member);
const Invited = Type.Array(
  Type.Object({
    ...Member.properties,
    invitationCode: Type.Optional(
      Type.String({
        description:
          "Of who was invited just now and needs it, as without an account, shown this once, to be handed to them: they sign up or accept with it",
      }),
    ),
  }),
);

/** Errors of every change: a closed workspace takes none. */
const changing = ["forbidden", "workspaceQuarantined", "workspaceNotFound"] as const;

export const workspaces = group({
  list: {
    method: "GET",
    path: "/management/workspaces",
    summary:
      "The workspaces that the user is a member of, the preferred one first, then oldest membership first",
    access: "user",
    revision: "answer",
    response: Type.Array(Workspace),
  },
  create: {
    method: "POST",
    path: "/management/workspaces",
    summary: "Create a workspace with an empty head; its creator becomes the owner",
    description:
      "`createSetupToken` answers a token of the workspace that is valid for one hour; not to a workspace token.",
    access: "user",
    invalid: "badRequest",
    body: Type.Object({
      description: Description,
      displayName: DisplayName,
      instanceUrl: InstanceUrl,
      createSetupToken: optionalNull(Type.Boolean()),
      isDefault: Type.Optional(Type.Boolean()),
    }),
    response: Workspace,
    errors: ["badRequest"],
  },
  get: {
    method: "GET",
    path: "/management/workspaces/:workspaceId",
    summary: "One workspace, also while it is quarantined",
    access: "user",
    revision: "answer",
    response: Workspace,
    errors: ["forbidden", "workspaceNotFound"],
  },
  delete: {
    method: "DELETE",
    path: "/management/workspaces/:workspaceId",
    summary: "Delete a workspace for everybody; the operator can bring it back (owner)",
    description: "Its tokens are revoked for good, and requests that are held end.",
    access: "user",
    status: 204,
    errors: changing,
  },
  update: {
    method: "PATCH",
    path: "/management/workspaces/:workspaceId",
    summary: "Change what is known of a workspace (owner)",
    description:
      "Members that are absent or null stay as they are. `approvalsEnabled` is an addition: whether a change set needs an approval before it is applied.",
    access: "user",
    invalid: "badRequest",
    body: Type.Object({
      description: optionalNull(Description),
      displayName: optionalNull(DisplayName),
      instanceUrl: optionalNull(InstanceUrl),
      approvalsEnabled: Type.Optional(Type.Boolean({ description: "An addition to the specification" })),
    }),
    response: Workspace,
    errors: ["badRequest", ...changing],
  },
  leave: {
    method: "DELETE",
    path: "/management/workspaces/:workspaceId/leave",
    summary: "Leave a workspace; answers who remains",
    access: "user",
    response: Members,
    errors: ["ownerCannotLeave", "workspaceQuarantined", "memberNotFound", "workspaceNotFound"],
  },
  listMembers: {
    method: "GET",
    path: "/management/workspaces/:workspaceId/members",
    summary: "Who is in a workspace, oldest membership first, then who is invited",
    access: "user",
    revision: "answer",
    response: Members,
    errors: ["forbidden", "workspaceNotFound"],
  },
  inviteMember: {
    method: "POST",
    path: "/management/workspaces/:workspaceId/members",
    summary: "Invite somebody as editor (owner, approver)",
    description:
      "Who has an account is a member at once; anybody else becomes one by signing up with that e-mail address and the code of this answer, or by accepting with it later.",
    access: "user",
    invalid: "badRequest",
    body: Type.Object({ email: Email }),
    response: Invited,
    errors: ["badRequest", "invalidEmail", "memberConflict", ...changing],
  },
  removeMember: {
    method: "DELETE",
    path: "/management/workspaces/:workspaceId/members",
    summary: "Remove a member or take back an invitation (owner, approver)",
    description: "Whoever is removed is refused from the next request on. Only an owner removes an owner.",
    access: "user",
    invalid: "badRequest",
    body: Type.Object({ email: Email }),
    response: Members,
    errors: ["badRequest", "invalidEmail", "lastOwner", "memberNotFound", ...changing],
  },
  updateMemberAccess: {
    method: "POST",
    path: "/management/workspaces/:workspaceId/update_member_access",
    summary: "Give a member or an invitation another role (owner)",
    description: "OWNER, APPROVER or EDITOR in any letter case; COLLABORATOR is read as EDITOR.",
    access: "user",
    invalid: "badRequest",
    body: Type.Object({ role: Type.String(), userId: Type.String() }),
    response: Members,
    errors: ["badRequest", "lastOwner", "memberNotFound", ...changing],
  },
});
