import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { named } from "./shapes.ts";

/** The longest slug that is worth a look: what is longer is none. */
export const Slug = Type.String({
  maxLength: 200,
  description: "3 to 40 letters, digits, hyphens or underscores; read in any letter case",
});
/** A role in a collective, as answers and requests write it. */
export const CollectiveRole = Type.Union([
  Type.Literal("owner"),
  Type.Literal("admin"),
  Type.Literal("member"),
]);
const Name = Type.String({ maxLength: 400, description: "1 to 100 characters" });

const collectiveProperties = {
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  personal: Type.Boolean({ description: "Whether it belongs to one user for good" }),
  role: CollectiveRole,
  createdAt: Timestamp,
};

export const Collective = named("Collective", collectiveProperties);
export type Collective = Static<typeof Collective>;
const CollectiveDetail = named("CollectiveDetail", {
  ...collectiveProperties,
  workspaces: Type.Array(Type.Object({ id: Id, displayName: Type.String() }), {
    description: "Workspaces in which the collective's tokens may act",
  }),
});

export const collectives = group({
  list: {
    method: "GET",
    path: "/api/v1/collectives",
    summary: "The collectives that the user is a member of, the personal one first",
    access: "sessionOrKey",
    response: Type.Object({ collectives: Type.Array(Collective) }),
    addition: true,
  },
  create: {
    method: "POST",
    path: "/api/v1/collectives",
    summary: "Create a collective; its creator becomes the owner",
    description:
      "The slug is its address and the attribution of what its tokens do: it never changes, and nobody gets it again once the collective is deleted. At most 100 by one user.",
    access: "sessionOrKey",
    body: Type.Object({ slug: Slug, name: Type.Optional(Name) }),
    response: Collective,
    status: 201,
    errors: ["collectiveExists", "collectiveLimitReached", "invalidSlug", "invalidOrigin"],
    addition: true,
  },
  get: {
    method: "GET",
    path: "/api/v1/collectives/:slug",
    summary: "One collective, with the workspaces that were granted to it",
    access: "sessionOrKey",
    response: CollectiveDetail,
    errors: ["collectiveNotFound"],
    addition: true,
  },
  rename: {
    method: "PATCH",
    path: "/api/v1/collectives/:slug",
    summary: "Give a collective another name (owner, admin)",
    access: "sessionOrKey",
    body: Type.Object({ name: Name }),
    response: Collective,
    errors: ["forbidden", "collectiveNotFound", "invalidOrigin"],
    addition: true,
  },
  delete: {
    method: "DELETE",
    path: "/api/v1/collectives/:slug",
    summary: "Delete a collective for good (owner); not a personal one",
    description:
      "Its tokens, invitations, memberships and grants end at once, what they hold too. What was done by it keeps its name, and its slug stays taken.",
    access: "sessionOrKey",
    response: Type.Object({ success: Type.Boolean() }),
    errors: ["forbidden", "collectiveNotFound", "personalCollective", "invalidOrigin"],
    addition: true,
  },
});
