import { ApiError } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { createAccount } from "../auth/accounts.ts";
import { checkSignIn, openSession, sessionOf } from "../auth/sign-in.ts";
import { type Context, userOf } from "../context.ts";
import { checkEmail } from "../domain/accounts.ts";
import { revokeSession } from "../store/sessions.ts";
import { findUserByEmail, findUserByUsername, hasUsers, type User } from "../store/users.ts";

/** Handlers of the rows in `src/contract/accounts.ts`. */
export const accountHandlers: GroupHandlers<typeof api.accounts, Context> = {
  signUp: async ({ body }, context) => {
    const { store, settings, attempts } = context.server;
    attempts.signUp(context.caller.ip);
    if (settings.signUp === "closed" && (await hasUsers(store))) throw new ApiError("signUpClosed");
    const { user } = await createAccount(store, { ...body, username: body.username ?? undefined });
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
  signOut: async (_input, context) => {
    const session = sessionOf(context)?.session;
    if (session !== undefined) await revokeSession(context.server.store, session.id);
    context.setSessionCookie(undefined);
    return { success: true };
  },
  getSession: (_input, context) => {
    const found = sessionOf(context);
    if (found === undefined) return null;
    const { session, user } = found;
    return {
      session: {
        id: session.id,
        userId: session.userId,
        createdAt: toTimestamp(session.createdAt),
        updatedAt: toTimestamp(session.lastUsedAt),
        expiresAt: toTimestamp(session.expiresAt),
        ipAddress: session.ip ?? null,
        userAgent: session.userAgent ?? null,
      },
      user: userView(user),
    };
  },
  whoami: (_input, context) => {
    const { id, username, email, name } = userOf(context);
    return { authenticated: true, id, username, email, name, organizations: [] };
  },
};

async function signedIn(context: Context, user: User, remember: boolean) {
  return { token: await openSession(context, user, remember), user: userView(user), redirect: false };
}

const userView = ({ id, name, email, username, createdAt, updatedAt }: User) => ({
  id,
  name,
  email,
  username,
  createdAt: toTimestamp(createdAt),
  updatedAt: toTimestamp(updatedAt),
});
