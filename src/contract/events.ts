import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { defaultLimit, maximumLimit } from "./page.ts";
import { named, nullable } from "./shapes.ts";

/** Who did something, as the account is called now; both are null for one that is gone, the e-mail also for a collective. */
export const Actor = named("Actor", {
  id: Type.String({ description: "Id of the user or collective" }),
  name: nullable(Type.String()),
  email: nullable(Type.String()),
});
export type Actor = Static<typeof Actor>;

export const EventView = named("EventView", {
  seq: Type.Integer({
    description: "Number in the workspace, from 1 without gaps in the order of the writes",
  }),
  at: Timestamp,
  actor: Actor,
  kind: Type.String({ description: "What happened, as `noun.verb`" }),
  changeSetId: nullable(Id),
  subject: nullable(Type.String({ description: "Id of what it happened to" })),
  data: Type.Record(Type.String(), Type.Unknown(), { description: "What else the event says" }),
});
export type EventView = Static<typeof EventView>;

export const events = group({
  list: {
    method: "GET",
    path: "/v1/w/:workspaceId/events",
    summary: "What happened in a workspace, oldest first: one event for each acknowledged write",
    description:
      "Follow it with `since` = the last number seen, `If-None-Match` and `Prefer: wait`. Events are kept for some time; `missed` says that some after `since` are gone.",
    access: "workspace",
    revision: "events",
    query: Type.Object({
      since: Type.Optional(
        Type.Integer({ minimum: 0, description: "Number of the last event that was seen, default 0" }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: `Events an answer, default ${defaultLimit}, at most ${maximumLimit}`,
        }),
      ),
    }),
    response: Type.Object({
      events: Type.Array(EventView),
      oldest: Type.Integer({ description: "Number of the oldest event kept; `newest` + 1 when none is" }),
      newest: Type.Integer({ description: "Number of the newest event, 0 before the first" }),
      missed: Type.Boolean({
        description:
          "Events after `since` are no longer kept, or `since` is of another history: begin again at `oldest`",
      }),
    }),
    errors: ["workspaceNotFound"],
    addition: true,
  },
});
