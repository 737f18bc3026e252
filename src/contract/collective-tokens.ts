import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { named, nullable, optionalNull } from "./shapes.ts";

/** A token of a collective: everything but the raw value and the hash. */
export const CollectiveToken = named("CollectiveToken", {
  id: Id,
  name: Type.String(),
  keyPrefix: Type.String({ description: "The first twelve characters, to tell tokens apart" }),
  enabled: Type.Boolean({ description: "False once it was revoked, which is for good" }),
  expired: Type.Boolean({ description: "Whether its end has come; it is refused from then on" }),
  expiresAt: nullable(Timestamp),
  createdAt: Timestamp,
  createdBy: Id,
  lastUsedAt: nullable(Timestamp),
  scopes: Type.Array(Type.String(), { description: "Always `*`: all that the collective may do" }),
});
export type CollectiveToken = Static<typeof CollectiveToken>;

export const collectiveTokens = group({
  list: {
    method: "GET",
    path: "/api/v1/collectives/:slug/api-tokens",
    summary: "The tokens of a collective in order of creation, revoked and expired ones too (owner, admin)",
    access: "sessionOrKey",
    response: Type.Object({ tokens: Type.Array(CollectiveToken) }),
    errors: ["forbidden", "collectiveNotFound"],
  },
  create: {
    method: "POST",
    path: "/api/v1/collectives/:slug/api-tokens",
    summary: "Create a token of a collective, shown in this answer and never again (owner, admin)",
    description:
      "At most 25 a collective, revoked and expired ones counted. It ends at `expiresAt`, or `expiresIn` seconds from now, or never.",
    access: "sessionOrKey",
    body: Type.Object({
      name: Type.String({ maxLength: 200, description: "1 to 64 characters" }),
      expiresAt: optionalNull(Timestamp),
      expiresIn: optionalNull(Type.Number({ description: "Seconds" })),
      scopes: Type.Optional(
        Type.Array(Type.String(), { description: "`*` or nothing: there are no limits" }),
      ),
    }),
    response: Type.Object({
      token: CollectiveToken,
      key: Type.String({ description: "The raw token, shown this once" }),
    }),
    status: 201,
    errors: ["forbidden", "collectiveNotFound", "tokenLimitReached", "expiryNotAhead", "invalidOrigin"],
  },
  revoke: {
    method: "PATCH",
    path: "/api/v1/collectives/:slug/api-tokens/:tokenId",
    summary: "Revoke a token for good; it stays in the list (owner, admin)",
    description: "`{}` and `{enabled: false}` revoke; `{enabled: true}` of a revoked one is refused.",
    access: "sessionOrKey",
    body: Type.Object({ enabled: Type.Optional(Type.Boolean()) }),
    bodyOptional: true,
    response: Type.Object({ token: CollectiveToken }),
    errors: ["forbidden", "collectiveNotFound", "keyNotFound", "keyRevoked", "invalidOrigin"],
  },
  delete: {
    method: "DELETE",
    path: "/api/v1/collectives/:slug/api-tokens/:tokenId",
    summary: "Remove a token in any state (owner, admin)",
    access: "sessionOrKey",
    response: Type.Object({ token: CollectiveToken, deleted: Type.Boolean() }),
    errors: ["forbidden", "collectiveNotFound", "keyNotFound", "invalidOrigin"],
  },
});
