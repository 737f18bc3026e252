import Type from "typebox";
import { Session } from "./accounts.ts";
import { group } from "./endpoint.ts";

const Ended = Type.Object({ status: Type.Boolean() });

export const sessions = group({
  list: {
    method: "GET",
    path: "/api/auth/list-sessions",
    summary: "The caller's sessions that can still be used, newest first",
    access: "session",
    invalid: "badRequest",
    response: Type.Array(Session),
    errors: ["sessionRequired"],
    addition: true,
  },
  revoke: {
    method: "POST",
    path: "/api/auth/revoke-session",
    summary: "End one of the caller's sessions; what is none of them changes nothing",
    access: "session",
    invalid: "badRequest",
    body: Type.Object({
      token: Type.String({
        description: "The `token` that list-sessions shows, or the session's own token",
        maxLength: 4096,
        writeOnly: true,
      }),
    }),
    response: Ended,
    errors: ["sessionRequired", "invalidOrigin"],
    addition: true,
  },
  revokeOthers: {
    method: "POST",
    path: "/api/auth/revoke-other-sessions",
    summary: "End all of the caller's sessions but the one that asks",
    access: "session",
    invalid: "badRequest",
    response: Ended,
    errors: ["sessionRequired", "invalidOrigin"],
    addition: true,
  },
  revokeAll: {
    method: "POST",
    path: "/api/auth/revoke-sessions",
    summary: "End all of the caller's sessions, the one that asks too",
    access: "session",
    invalid: "badRequest",
    response: Ended,
    errors: ["sessionRequired", "invalidOrigin"],
    addition: true,
  },
});
