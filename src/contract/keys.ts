import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { nullable, optionalNull } from "./shapes.ts";

/** A personal key as better-auth's api-key client reads it: everything but the hash. */
const keyProperties = {
  id: Id,
  configId: Type.String(),
  name: nullable(Type.String()),
  start: nullable(Type.String({ description: "The first characters of the key, to tell keys apart" })),
  prefix: nullable(Type.String()),
  referenceId: Id,
  enabled: Type.Boolean(),
  rateLimitEnabled: Type.Boolean(),
  rateLimitTimeWindow: nullable(Type.Integer()),
  rateLimitMax: nullable(Type.Integer()),
  requestCount: Type.Integer(),
  remaining: nullable(Type.Integer()),
  refillInterval: nullable(Type.Integer()),
  refillAmount: nullable(Type.Integer()),
  lastRefillAt: nullable(Timestamp),
  lastRequest: nullable(Timestamp),
  expiresAt: nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  permissions: Type.Null(),
  metadata: Type.Null(),
};

export const ApiKey = Type.Object(keyProperties, { $id: "ApiKey" });
export type ApiKey = Static<typeof ApiKey>;
export const CreatedApiKey = Type.Object(
  { ...keyProperties, key: Type.String({ description: "The raw key, shown this once" }) },
  { $id: "CreatedApiKey" },
);

/** Members that better-auth reserves for the server: naming one is refused, never ignored. */
export const serverOnlyKeyProperties = [
  "remaining",
  "refillAmount",
  "refillInterval",
  "rateLimitMax",
  "rateLimitTimeWindow",
  "rateLimitEnabled",
  "permissions",
  "userId",
] as const;
const serverOnly = Object.fromEntries(
  serverOnlyKeyProperties.map((name) => [name, Type.Optional(Type.Unknown())]),
) as Record<(typeof serverOnlyKeyProperties)[number], ReturnType<typeof Type.Optional<Type.TUnknown>>>;

const ExpiresIn = optionalNull(Type.Number({ description: "Seconds; null for no expiry" }));
const Name = optionalNull(Type.String());

export const keys = group({
  create: {
    method: "POST",
    path: "/api/auth/api-key/create",
    summary: "Create a personal key; the raw key is in this answer and never again",
    access: "session",
    invalid: "badRequest",
    body: Type.Object({
      name: Name,
      expiresIn: ExpiresIn,
      prefix: optionalNull(Type.String()),
      metadata: Type.Optional(Type.Unknown()),
      ...serverOnly,
    }),
    response: CreatedApiKey,
    errors: [
      "sessionRequired",
      "invalidNameLength",
      "invalidPrefix",
      "metadataDisabled",
      "serverOnlyProperty",
      "expiresInTooSmall",
      "expiresInTooLarge",
      "keyLimitReached",
      "invalidOrigin",
    ],
  },
  list: {
    method: "GET",
    path: "/api/auth/api-key/list",
    summary: "The caller's personal keys, newest first where nothing else is asked for",
    access: "session",
    invalid: "badRequest",
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
      sortBy: Type.Optional(
        Type.Union(
          [
            Type.Literal("createdAt"),
            Type.Literal("updatedAt"),
            Type.Literal("lastRequest"),
            Type.Literal("expiresAt"),
            Type.Literal("name"),
          ],
          { description: "Equal ones in order of creation" },
        ),
      ),
      sortDirection: Type.Optional(Type.Union([Type.Literal("asc"), Type.Literal("desc")])),
    }),
    response: Type.Object({
      apiKeys: Type.Array(ApiKey),
      total: Type.Integer(),
      limit: Type.Optional(Type.Integer()),
      offset: Type.Optional(Type.Integer()),
    }),
    errors: ["sessionRequired"],
  },
  get: {
    method: "GET",
    path: "/api/auth/api-key/get",
    summary: "One of the caller's personal keys",
    access: "session",
    invalid: "badRequest",
    query: Type.Object({ id: Type.String() }),
    response: ApiKey,
    errors: ["sessionRequired", "keyNotFound"],
    addition: true,
  },
  update: {
    method: "POST",
    path: "/api/auth/api-key/update",
    summary: "Rename a key, change its expiry, or revoke it for good with `enabled: false`",
    access: "session",
    invalid: "badRequest",
    body: Type.Object({
      keyId: Type.String(),
      name: Name,
      enabled: Type.Optional(Type.Boolean()),
      expiresIn: ExpiresIn,
      metadata: Type.Optional(Type.Unknown()),
      ...serverOnly,
    }),
    response: ApiKey,
    errors: [
      "sessionRequired",
      "keyNotFound",
      "keyRevoked",
      "noValuesToUpdate",
      "invalidNameLength",
      "metadataDisabled",
      "serverOnlyProperty",
      "expiresInTooSmall",
      "expiresInTooLarge",
      "invalidOrigin",
    ],
  },
  delete: {
    method: "POST",
    path: "/api/auth/api-key/delete",
    summary: "Delete a key; a key may delete itself",
    access: "sessionOrKey",
    invalid: "badRequest",
    body: Type.Object({ keyId: Type.String() }),
    response: Type.Object({ success: Type.Boolean() }),
    errors: ["sessionRequired", "keyNotFound", "invalidOrigin"],
  },
});
