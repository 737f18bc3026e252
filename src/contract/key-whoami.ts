import Type, { type Static } from "typebox";
import { Id } from "./ids.ts";
import { named, nullable } from "./shapes.ts";

/** A collective that the caller may act for. */
const Membership = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  role: Type.String({ description: "owner, admin or member; `token` for a collective token" }),
  personal: Type.Boolean(),
});

const UserWhoami = named("KeyWhoami", {
  authenticated: Type.Boolean(),
  id: Id,
  username: nullable(Type.String()),
  email: Type.String(),
  name: Type.String(),
  organizations: Type.Array(Membership),
});
const CollectiveWhoami = named("CollectiveWhoami", {
  authenticated: Type.Boolean(),
  collectiveToken: Type.Literal(true),
  collectiveId: Id,
  collectiveSlug: Type.String(),
  tokenId: Id,
  scopes: Type.Array(Type.String()),
  organizations: Type.Array(Membership, { description: "The one collective whose token it is" }),
});

/** Whom a key, a session or a collective token stands for. */
export const WhoamiAnswer = Type.Union([UserWhoami, CollectiveWhoami]);
export type WhoamiAnswer = Static<typeof WhoamiAnswer>;
