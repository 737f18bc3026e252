import Type, { type Static } from "typebox";
import { Slug } from "./collectives.ts";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { named } from "./shapes.ts";

export const CollectiveGrant = named("CollectiveGrant", {
  collectiveId: Id,
  slug: Type.String(),
  name: Type.String(),
  createdAt: Timestamp,
});
export type CollectiveGrant = Static<typeof CollectiveGrant>;
const Grants = Type.Array(CollectiveGrant);

export const collectiveGrants = group({
  list: {
    method: "GET",
    path: "/management/workspaces/:workspaceId/collectives",
    summary: "Collectives whose tokens may act in a workspace",
    description: "Not for a workspace token, as all of these: it decides about no other token.",
    access: "user",
    revision: "answer",
    response: Grants,
    errors: ["forbidden", "workspaceNotFound"],
    addition: true,
  },
  grant: {
    method: "POST",
    path: "/management/workspaces/:workspaceId/collectives",
    summary: "Let the tokens of a collective act in a workspace (its owner, who is in the collective)",
    description:
      "They act as EDITOR, and what they do is attributed to the collective. A collective that the caller is not in is answered as an unknown one.",
    access: "user",
    invalid: "badRequest",
    body: Type.Object({ slug: Slug }),
    response: Grants,
    errors: ["badRequest", "forbidden", "collectiveNotFound", "workspaceQuarantined", "workspaceNotFound"],
    addition: true,
  },
  ungrant: {
    method: "DELETE",
    path: "/management/workspaces/:workspaceId/collectives/:slug",
    summary: "Take a workspace back from a collective (owner)",
    description: "Its tokens are refused there from the next request on.",
    access: "user",
    response: Grants,
    errors: ["forbidden", "collectiveNotFound", "workspaceQuarantined", "workspaceNotFound"],
    addition: true,
  },
});
