import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { createAccount } from "../auth/accounts.ts";
import { audited, originOf } from "../auth/audit.ts";
import { changePassword } from "../auth/change-password.ts";
import { shortSessionSeconds } from "../auth/credentials.ts";
import { checkSignIn, openSession, sessionOf } from "../auth/sign-in.ts";
import { admitSignUp, checkSignUp } from "../auth/sign-up.ts";
import type { Context } from "../context.ts";
import { checkEmail } from "../domain/accounts.ts";
import { type AuditEntry, recordAudits } from "../store/audit.ts";
import { revokeSession } from "../store/sessions.ts";
import { findUserByEmail, findUserByUsername, type User } from "../store/users.ts";
import { sessionView, userView } from "./account-views.ts";
import { whoamiOf } from "./key-whoami.ts";

/** Handlers of the rows in `src/contract/accounts.ts`. */
export const accountHandlers: GroupHandlers<typeof api.accounts, Context> = {
  signUp: async ({ body }, context) => {
    const { store, settings, attempts } = context.server;
    attempts.signUp(context.caller.ip);
    const invitationCode = body.invitationCode ?? undefined;
    const claim = { email: body.email, code: invitationCode };
    // Before the work of hashing, and again once nobody can change the answer.
    await checkSignUp(store, settings.signUp, claim);
    const account = { ...body, username: body.username ?? undefined, invitationCode };
    const { user } = await createAccount(store, account, {
      admit: (tx) => admitSignUp(tx, settings.signUp, claim),
      also: (tx, { id, email }, workspace, joined) =>
        recordAudits(tx, originOf(context, id), [
          { kind: "account.created", subject: id, userId: id, workspaceId: workspace.id },
          ...joined.map(
            ({ workspaceId, role }): AuditEntry => ({
              kind: "member.joined",
              subject: id,
              workspaceId,
              data: { email, role },
            }),
          ),
        ]),
    });
    return signedIn(context, user, true);
  },
  signInEmail: async ({ body }, context) => {
    const email = checkEmail(body.email);
    const user = await checkSignIn(context, {
      account: email,
      password: body.password,
      find: () => findUserByEmail(context.server.store, email),
      refusal: "invalidCredentials",
    });
    return signedIn(context, user, body.rememberMe ?? true);
  },
  signInUsername: async ({ body }, context) => {
    const user = await checkSignIn(context, {
      account: body.username,
      password: body.password,
      find: () => findUserByUsername(context.server.store, body.username),
      refusal: "invalidUsernameCredentials",
    });
    return signedIn(context, user, body.rememberMe ?? true);
  },
  changePassword: async ({ body }, context) => {
    const { user, session } = sessionOf(context) ?? fail("sessionRequired");
    const endSessions = body.revokeOtherSessions === true;
    const changed = await changePassword(context, user, { ...body, endSessions });
    if (!endSessions) return { token: null, user: userView(changed) };
    // The one that asks too: whoever else knows its token is out.
    const remember = session.expiresAt - session.createdAt > shortSessionSeconds * 1000;
    const token = await openSession(context, changed, remember, "invalidPassword");
    return { token, user: userView(changed) };
  },
  signOut: async (_input, context) => {
    const session = sessionOf(context)?.session;
    if (session !== undefined) {
      const { id: subject, userId } = session;
      const entry = { kind: "session.ended", subject, userId } as const;
      await audited(
        context,
        (store) => revokeSession(store, subject),
        () => entry,
      );
    }
    context.setSessionCookie(undefined);
    return { success: true };
  },
  getSession: (_input, context) => {
    const found = sessionOf(context);
    if (found === undefined) return null;
    return { session: sessionView(found.session), user: userView(found.user) };
  },
  whoami: (_input, context) => whoamiOf(context),
};

async function signedIn(context: Context, user: User, remember: boolean) {
  return { token: await openSession(context, user, remember), user: userView(user), redirect: false };
}
