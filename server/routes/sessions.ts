import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { sessionOf } from "../auth/sign-in.ts";
import { hashToken } from "../auth/tokens.ts";
import { idOf } from "../auth/workspace-access.ts";
import type { Context } from "../context.ts";
import { listSessions, revokeSessions } from "../store/sessions.ts";
import { sessionView } from "./account-views.ts";

/** Handlers of the rows in `src/contract/sessions.ts`. */
export const sessionHandlers: GroupHandlers<typeof api.sessions, Context> = {
  list: async (_input, context) => {
    const { store, clock } = context.server;
    return (await listSessions(store, asking(context).userId, clock.now())).map(sessionView);
  },
  revoke: async ({ body }, context) => {
    const { userId, id } = asking(context);
    const which = { id: idOf(body.token), tokenHash: hashToken(body.token) };
    const ended = await context.server.store.write((tx) => revokeSessions(tx, userId, { only: which }));
    if (ended.includes(id)) context.setSessionCookie(undefined);
    return { status: true };
  },
  revokeOthers: async (_input, context) => {
    const { userId, id } = asking(context);
    await context.server.store.write((tx) => revokeSessions(tx, userId, { except: id }));
    return { status: true };
  },
  revokeAll: async (_input, context) => {
    const { userId } = asking(context);
    await context.server.store.write((tx) => revokeSessions(tx, userId));
    context.setSessionCookie(undefined);
    return { status: true };
  },
};

/** The session that asks; only on rows with access `session`. */
const asking = (context: Context) => sessionOf(context)?.session ?? fail("sessionRequired");
