import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { originOf } from "../auth/audit.ts";
import { sessionOf } from "../auth/sign-in.ts";
import { hashToken } from "../auth/tokens.ts";
import { idOf } from "../auth/workspace-access.ts";
import type { Context } from "../context.ts";
import { recordAudit } from "../store/audit.ts";
import { listSessions, revokeSessions, type WhichSessions } from "../store/sessions.ts";
import { sessionView } from "./account-views.ts";

/** Handlers of the rows in `src/contract/sessions.ts`. */
export const sessionHandlers: GroupHandlers<typeof api.sessions, Context> = {
  list: async (_input, context) => {
    const { store, clock } = context.server;
    return (await listSessions(store, asking(context).userId, clock.now())).map(sessionView);
  },
  revoke: async ({ body }, context) => {
    const { id } = asking(context);
    const which = { id: idOf(body.token), tokenHash: hashToken(body.token) };
    const ended = await endSessions(context, { only: which });
    if (ended.includes(id)) context.setSessionCookie(undefined);
    return { status: true };
  },
  revokeOthers: async (_input, context) => {
    await endSessions(context, { except: asking(context).id });
    return { status: true };
  },
  revokeAll: async (_input, context) => {
    await endSessions(context, {});
    context.setSessionCookie(undefined);
    return { status: true };
  },
};

/** Ends sessions of the user who calls, and notes it where there were any; answers their ids. */
function endSessions(context: Context, which: WhichSessions): Promise<string[]> {
  const { userId } = asking(context);
  return context.server.store.write(async (tx) => {
    const ended = await revokeSessions(tx, userId, which);
    const [subject, another] = ended;
    if (subject === undefined) return ended;
    const told = another === undefined ? { subject } : { data: { sessions: ended.length } };
    await recordAudit(tx, originOf(context), { kind: "session.ended", userId, ...told });
    return ended;
  });
}

/** The session that asks; only on rows with access `session`. */
const asking = (context: Context) => sessionOf(context)?.session ?? fail("sessionRequired");
