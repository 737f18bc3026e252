import Type, { type Static } from "typebox";
import { CollectiveRole } from "./collectives.ts";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { named } from "./shapes.ts";

export const CollectiveMember = named("CollectiveMember", {
  userId: Id,
  username: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: CollectiveRole,
  joinedAt: Timestamp,
});
export type CollectiveMember = Static<typeof CollectiveMember>;

const Members = Type.Object({ members: Type.Array(CollectiveMember) });

export const collectiveMembers = group({
  list: {
    method: "GET",
    path: "/api/v1/collectives/:slug/members",
    summary: "Who is in a collective, oldest membership first",
    access: "sessionOrKey",
    response: Members,
    errors: ["collectiveNotFound"],
    addition: true,
  },
  update: {
    method: "PATCH",
    path: "/api/v1/collectives/:slug/members/:userId",
    summary: "Give a member another role (owner, admin); only owners make and unmake owners",
    access: "sessionOrKey",
    body: Type.Object({ role: CollectiveRole }),
    response: Members,
    errors: [
      "forbidden",
      "collectiveNotFound",
      "collectiveMemberNotFound",
      "lastCollectiveOwner",
      "invalidOrigin",
    ],
    addition: true,
  },
  remove: {
    method: "DELETE",
    path: "/api/v1/collectives/:slug/members/:userId",
    summary: "Take a member out (owner, admin); only an owner removes an owner",
    description: "The tokens that they made belong to the collective and stay.",
    access: "sessionOrKey",
    response: Members,
    errors: [
      "forbidden",
      "collectiveNotFound",
      "collectiveMemberNotFound",
      "lastCollectiveOwner",
      "invalidOrigin",
    ],
    addition: true,
  },
  leave: {
    method: "POST",
    path: "/api/v1/collectives/:slug/leave",
    summary: "Leave a collective; its last owner, and the user of a personal one, stay",
    access: "sessionOrKey",
    response: Type.Object({ success: Type.Boolean() }),
    errors: ["collectiveNotFound", "lastCollectiveOwner", "personalCollective", "invalidOrigin"],
    addition: true,
  },
});
