import Type from "typebox";
import { group } from "../contract/endpoint.ts";
import { Id, Timestamp } from "../contract/ids.ts";
import { nullable, optionalNull } from "../contract/shapes.ts";

const Maintenance = Type.Object({
  on: Type.Boolean(),
  message: nullable(Type.String()),
  since: nullable(Timestamp),
});

/** A workspace as the operator sees it: also when it is deleted or closed. */
const OperatedWorkspace = Type.Object({
  id: Id,
  displayName: Type.String(),
  owners: Type.Array(Type.String({ description: "e-mail" })),
  deletedAt: nullable(Timestamp),
  quarantinedAt: nullable(Timestamp),
});

const OperatedUser = Type.Object({
  id: Id,
  email: Type.String(),
  username: Type.String(),
  suspendedAt: nullable(Timestamp),
});

/** Most telemetry events of one answer. */
export const maximumTelemetry = 1_000;

/** One request, as it was attributed. */
const TelemetryEvent = Type.Object({
  id: Id,
  at: Timestamp,
  distinctId: Type.String({
    description: "Id of the user or collective, else of the device, else an `anon_` hash",
  }),
  actor: nullable(Type.String({ description: "Id of the user or collective, where one was authenticated" })),
  operation: Type.String(),
});

/**
 * What only the operator of a server may do: HTTP over a unix socket beside the database, readable by its owner alone.
 * Served by the running server, else by the command itself.
 */
export const operator = {
  maintenance: group({
    get: {
      method: "GET",
      path: "/maintenance",
      summary: "Whether the server is in maintenance mode",
      access: "none",
      response: Maintenance,
    },
    set: {
      method: "PUT",
      path: "/maintenance",
      summary: "Enter or leave maintenance mode, for all processes",
      access: "none",
      body: Type.Object({ on: Type.Boolean(), message: optionalNull(Type.String({ maxLength: 500 })) }),
      response: Maintenance,
    },
  }),
  search: group({
    reindex: {
      method: "POST",
      path: "/search/reindex",
      summary: "Mend the search index of every layer, or of one workspace's; counts what was gone through",
      access: "none",
      body: Type.Object({ workspaceId: optionalNull(Id) }),
      response: Type.Object({ layers: Type.Integer(), components: Type.Integer() }),
      errors: ["workspaceNotFound"],
    },
  }),
  secretKey: group({
    rotate: {
      method: "POST",
      path: "/secret-key/rotate",
      summary: "Seal all secrets anew with another key, or finish what was interrupted",
      access: "none",
      response: Type.Object({
        resealed: Type.Integer({ description: "What secrets hold, each version counted" }),
        resumed: Type.Boolean({
          description: "The key was there already: given, or of an interrupted rotation",
        }),
        unreadable: Type.Integer({ description: "Left as they are, because no key that is here opens them" }),
        retired: Type.Integer({ description: "Old keys taken out of the file" }),
      }),
      errors: ["secretKeyNotHere"],
    },
  }),
  workspaces: group({
    list: {
      method: "GET",
      path: "/workspaces",
      summary: "Every workspace, the deleted and quarantined ones too",
      access: "none",
      response: Type.Object({ workspaces: Type.Array(OperatedWorkspace) }),
    },
    restore: {
      method: "POST",
      path: "/workspaces/:workspaceId/restore",
      summary: "Bring a deleted workspace back; its tokens stay revoked",
      access: "none",
      response: OperatedWorkspace,
      errors: ["workspaceNotFound"],
    },
    quarantine: {
      method: "PUT",
      path: "/workspaces/:workspaceId/quarantine",
      summary: "Close a workspace to everybody, or open it again",
      access: "none",
      body: Type.Object({ quarantined: Type.Boolean() }),
      response: OperatedWorkspace,
      errors: ["workspaceNotFound"],
    },
  }),
  users: group({
    list: {
      method: "GET",
      path: "/users",
      summary: "Every account",
      access: "none",
      response: Type.Object({ users: Type.Array(OperatedUser) }),
    },
    suspend: {
      method: "PUT",
      path: "/users/:user/suspension",
      summary: "Suspend an account, named by id, e-mail or username, or lift the suspension",
      access: "none",
      body: Type.Object({ suspended: Type.Boolean() }),
      response: OperatedUser,
      errors: ["notFound"],
    },
  }),
  firstOwner: group({
    create: {
      method: "POST",
      path: "/first-owner",
      summary: "Create the first account of a server, with its workspace; whoever may sign up otherwise",
      access: "none",
      body: Type.Object({
        name: Type.String({ minLength: 1, maxLength: 200 }),
        email: Type.String({ maxLength: 254 }),
        username: Type.String({ maxLength: 254 }),
        password: Type.String({ maxLength: 4096, writeOnly: true }),
      }),
      response: Type.Object({ user: OperatedUser, workspaceId: Id }),
      errors: [
        "accountsExist",
        "invalidEmail",
        "invalidUsername",
        "passwordTooShort",
        "passwordTooLong",
        "userExists",
      ],
    },
  }),
  telemetry: group({
    list: {
      method: "GET",
      path: "/telemetry",
      summary: "The newest requests of the key-authentication API, and whom they are attributed to",
      access: "none",
      query: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maximumTelemetry })),
      }),
      response: Type.Object({ events: Type.Array(TelemetryEvent) }),
    },
  }),
} as const;
export type OperatorApi = typeof operator;
