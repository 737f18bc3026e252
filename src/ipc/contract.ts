import Type, { type Static } from "typebox";
import { group } from "../contract/endpoint.ts";
import { Timestamp } from "../contract/ids.ts";
import { AnyJson, nullable } from "../contract/shapes.ts";

const When = nullable(Timestamp);

export const ListHealth = Type.Object({
  resource: Type.String(),
  items: Type.Integer(),
  /** When the last good answer came. */
  syncedAt: When,
  /** When the items themselves last changed. */
  changedAt: When,
  failures: Type.Integer(),
  error: nullable(Type.String()),
  nextAt: When,
  /** Why it has no items although nothing fails: the server does not offer such a list. */
  note: Type.Optional(Type.String()),
});
export type ListHealth = Static<typeof ListHealth>;

/** What a reader needs to judge every other answer: who, against what, how fresh, and why not fresher. */
export const DaemonStatus = Type.Object({
  version: Type.String(),
  pid: Type.Integer(),
  startedAt: Timestamp,
  serverUrl: Type.String(),
  workspaceId: nullable(Type.String()),
  session: Type.Object({
    state: Type.Union([Type.Literal("signed-in"), Type.Literal("signed-out"), Type.Literal("rejected")]),
    username: nullable(Type.String()),
    message: nullable(Type.String()),
  }),
  server: Type.Object({
    state: Type.Union([Type.Literal("connecting"), Type.Literal("online"), Type.Literal("offline")]),
    since: Timestamp,
    lastSuccessAt: When,
    nextRetryAt: When,
    error: nullable(Type.String()),
    latencyMs: nullable(Type.Number()),
  }),
  lists: Type.Array(ListHealth),
  /** Trouble that is not the network's: a damaged cache set aside, a full disk. Newest last. */
  notices: Type.Array(Type.Object({ at: Timestamp, message: Type.String() })),
});
export type DaemonStatus = Static<typeof DaemonStatus>;

export const ListDelta = Type.Object({
  resource: Type.String(),
  upserted: Type.Record(Type.String(), AnyJson),
  deleted: Type.Array(Type.String()),
  /** True when `upserted` is the whole list and whatever else a reader holds of it must go. */
  whole: Type.Boolean(),
});
export type ListDelta = Static<typeof ListDelta>;

/** The longest that a held request to the daemon waits. */
const maximumWaitMs = 60_000;

/** The daemon's local interface: HTTP over a unix socket, served and called by the same machinery as the public API. */
export const ipc = {
  daemon: group({
    status: {
      method: "GET",
      path: "/status",
      summary: "Version, session, connection and the health of every mirrored list",
      access: "none",
      response: DaemonStatus,
    },
    changes: {
      method: "GET",
      path: "/changes",
      summary: "What changed since a revision; everything when the revision is unknown",
      access: "none",
      query: Type.Object({
        since: Type.Optional(Type.Integer({ description: "A revision this daemon gave, or -1" })),
        instance: Type.Optional(Type.String({ description: "Which daemon gave it" })),
        waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: maximumWaitMs })),
      }),
      response: Type.Object({
        /** Changes with every start of a daemon: a revision is worth nothing to another one. */
        instance: Type.String(),
        revision: Type.Integer(),
        fresh: Type.Boolean(),
        changes: Type.Array(ListDelta),
      }),
    },
    call: {
      method: "POST",
      path: "/call",
      summary: "Perform an operation of the public API with the daemon's session",
      access: "none",
      body: Type.Object({
        operation: Type.String(),
        input: Type.Optional(Type.Record(Type.String(), AnyJson)),
        /** The tag of the answer that is known; the same again is answered with 304 and without a body. */
        etag: Type.Optional(Type.String()),
        /** How long the server may hold an answer with that tag back. */
        waitSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: maximumWaitMs / 1_000 })),
      }),
      response: Type.Object({ status: Type.Integer(), body: AnyJson, etag: Type.Optional(Type.String()) }),
      errors: ["unavailable", "unauthenticated"],
    },
    track: {
      method: "POST",
      path: "/track",
      summary:
        "Find a run or job by its id, and ask for it until it has ended where the server does not list it",
      access: "none",
      body: Type.Object({
        changeSetId: Type.String({ description: "Id of its change set, or HEAD" }),
        id: Type.String(),
      }),
      response: Type.Object({
        kind: Type.Union([Type.Literal("run"), Type.Literal("managementJob"), Type.Literal("debugJob")]),
        state: Type.String(),
        /** The mirrored list that it stands in. */
        list: Type.String(),
        /** False for what has ended, and for what the server lists. */
        tracked: Type.Boolean(),
      }),
      errors: ["unavailable", "functionRunNotFound"],
    },
    refresh: {
      method: "POST",
      path: "/refresh",
      summary: "Ask the server now instead of waiting",
      access: "none",
      response: Type.Object({ lists: Type.Array(Type.String()) }),
    },
    stop: {
      method: "POST",
      path: "/stop",
      summary: "Write what is unwritten and end",
      access: "none",
      response: Type.Object({ pid: Type.Integer() }),
    },
  }),
} as const;
export type Ipc = typeof ipc;

/** Names of the lists that the daemon adds to the mirrored ones: its status (key `daemon`) and the history of changes. */
export const statusList = "status";
export const eventList = "events";
