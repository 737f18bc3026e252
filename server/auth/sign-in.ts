import { ApiError, type ErrorName } from "../../src/contract/errors.ts";
import type { Context } from "../context.ts";
import { type AuditEntry, recordAudit, recordAudits } from "../store/audit.ts";
import type { Tx } from "../store/open.ts";
import { holdPassword } from "../store/password.ts";
import { createSession, endSurplusSessions } from "../store/sessions.ts";
import type { User } from "../store/users.ts";
import { audited, originOf } from "./audit.ts";
import { sessionSeconds, shortSessionSeconds } from "./credentials.ts";
import { verifyPassword } from "./passwords.ts";
import { hashToken, newSessionToken } from "./tokens.ts";

/**
 * Sessions that a user may have at once: more than anybody has browsers. The one used longest ago makes room, so that a
 * script which signs in and never out ends its own, not the browser that is in use.
 */
const maximumSessions = 100;

/**
 * Opens a session for a user and hands it to the browser too; the token is known to nobody else afterwards. Throws
 * `refusal` when the password was changed since the user was read: ending all sessions then ends those under way too.
 * `kind` is what the audit log calls it.
 */
export async function openSession(
  context: Context,
  user: User,
  remember: boolean,
  refusal: ErrorName = "invalidCredentials",
  kind: "session.opened" | "session.approved" = "session.opened",
): Promise<string> {
  const { server, caller } = context;
  const token = newSessionToken();
  const seconds = remember ? sessionSeconds : shortSessionSeconds;
  const session = {
    userId: user.id,
    tokenHash: hashToken(token),
    expiresAt: server.clock.now() + seconds * 1000,
    ip: caller.ip,
    ...(caller.userAgent === undefined ? {} : { userAgent: caller.userAgent }),
  };
  await audited(
    context,
    async (store) => {
      const same = await store.write((tx) => holdPassword(tx, user.id, user.passwordHash));
      if (!same) throw new ApiError(refusal);
      await store.write((tx) => makeRoom(context, tx, user.id));
      return createSession(store, session);
    },
    ({ id }) => ({ kind, subject: id, userId: user.id }),
    user.id,
  );
  context.setSessionCookie(token, remember);
  return token;
}

async function makeRoom(context: Context, tx: Tx, userId: string): Promise<void> {
  const ended = await endSurplusSessions(tx, userId, maximumSessions - 1);
  const data = { reason: "too many sessions" };
  const entries = ended.map((subject): AuditEntry => ({ kind: "session.ended", subject, userId, data }));
  await recordAudits(tx, originOf(context, userId), entries);
}

/** An attempt to sign in: the account as it was typed, and how to find it. */
export interface SignInAttempt {
  readonly account: string;
  readonly password: string;
  readonly find: () => Promise<User | undefined>;
  /** What both an unknown account and a wrong password are answered with. */
  readonly refusal: ErrorName;
}

/** The user whose password it is. Throws `rateLimited` or the attempt's refusal; both take as long for any account. */
export async function checkSignIn(context: Context, attempt: SignInAttempt): Promise<User> {
  const { attempts } = context.server;
  const user = await attempt.find();
  // By what was typed: a counter that address and username shared would tell that they are of one account.
  const takeBack = attempts.signIn(attempt.account, context.caller.ip);
  const right = await verifyPassword(attempt.password, user?.passwordHash);
  if (user === undefined || !right || user.suspendedAt !== undefined) {
    if (user !== undefined) noteRefusal(context, user);
    throw new ApiError(attempt.refusal);
  }
  takeBack();
  return user;
}

/** In the background: an account that is there must not take longer to refuse than one that is not. */
function noteRefusal({ server, caller }: Context, { id: userId }: User): void {
  const origin = {
    actorKind: "nobody",
    actor: undefined,
    credentialKind: undefined,
    credential: undefined,
  } as const;
  const from = { ip: caller.ip, userAgent: caller.userAgent };
  server.background.run(() =>
    server.store.write((tx) => recordAudit(tx, { ...origin, ...from }, { kind: "session.refused", userId })),
  );
}

/** The session that calls, with its user; undefined for a key or nobody. */
export const sessionOf = (
  context: Context,
): Extract<Context["principal"], { kind: "session" }> | undefined =>
  context.principal?.kind === "session" ? context.principal : undefined;
