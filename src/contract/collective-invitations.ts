import Type, { type Static } from "typebox";
import { Collective, CollectiveRole } from "./collectives.ts";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { named } from "./shapes.ts";

const invitationProperties = {
  id: Id,
  email: Type.String(),
  role: CollectiveRole,
  createdAt: Timestamp,
  expiresAt: Timestamp,
};

export const CollectiveInvitation = named("CollectiveInvitation", invitationProperties);
export type CollectiveInvitation = Static<typeof CollectiveInvitation>;
const SentInvitation = Type.Object({
  ...invitationProperties,
  code: Type.String({
    description:
      "Shown this once, to be handed to whom it is for: who had no account signs up or accepts with it, others need none",
  }),
});
export const ReceivedInvitation = named("ReceivedInvitation", {
  ...invitationProperties,
  collective: Type.Object({ slug: Type.String(), name: Type.String() }),
});
export type ReceivedInvitation = Static<typeof ReceivedInvitation>;
const Done = Type.Object({ success: Type.Boolean() });

export const collectiveInvitations = group({
  list: {
    method: "GET",
    path: "/api/v1/collectives/:slug/invitations",
    summary: "Open invitations into a collective (owner, admin)",
    access: "sessionOrKey",
    response: Type.Object({ invitations: Type.Array(CollectiveInvitation) }),
    errors: ["forbidden", "collectiveNotFound"],
    addition: true,
  },
  create: {
    method: "POST",
    path: "/api/v1/collectives/:slug/invitations",
    summary: "Ask somebody in by e-mail address (owner, admin); open for seven days",
    description:
      "The answer is the same whether or not the address has an account. Asked again, the newer invitation replaces the older, whose code is good no more.",
    access: "sessionOrKey",
    body: Type.Object({ email: Type.String({ maxLength: 254 }), role: Type.Optional(CollectiveRole) }),
    response: SentInvitation,
    status: 201,
    errors: [
      "forbidden",
      "collectiveNotFound",
      "invalidEmail",
      "memberConflict",
      "memberLimitReached",
      "invitationLimitReached",
      "personalCollective",
      "invalidOrigin",
    ],
    addition: true,
  },
  withdraw: {
    method: "DELETE",
    path: "/api/v1/collectives/:slug/invitations/:invitationId",
    summary: "Take an invitation back (owner, admin)",
    access: "sessionOrKey",
    response: Done,
    errors: ["forbidden", "collectiveNotFound", "collectiveInvitationNotFound", "invalidOrigin"],
    addition: true,
  },
  received: {
    method: "GET",
    path: "/api/v1/collective-invitations",
    summary: "Open invitations of the user's own e-mail address, those that need no code",
    access: "sessionOrKey",
    response: Type.Object({ invitations: Type.Array(ReceivedInvitation) }),
    addition: true,
  },
  accept: {
    method: "POST",
    path: "/api/v1/collective-invitations/:invitationId/accept",
    summary: "Become a member",
    access: "sessionOrKey",
    response: Collective,
    errors: ["collectiveInvitationNotFound", "memberLimitReached", "invalidOrigin"],
    addition: true,
  },
  reject: {
    method: "POST",
    path: "/api/v1/collective-invitations/:invitationId/reject",
    summary: "Say no to an invitation",
    access: "sessionOrKey",
    response: Done,
    errors: ["collectiveInvitationNotFound", "invalidOrigin"],
    addition: true,
  },
});
