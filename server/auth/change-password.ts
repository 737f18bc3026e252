import { fail } from "../../src/contract/errors.ts";
import type { Context } from "../context.ts";
import { checkPassword } from "../domain/accounts.ts";
import { recordAudit } from "../store/audit.ts";
import { replacePasswordHash } from "../store/password.ts";
import { revokeSessions } from "../store/sessions.ts";
import type { User } from "../store/users.ts";
import { originOf } from "./audit.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";

/** What a user asks for who wants another password. */
export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  /** Whether every session ends with it, the one that asks too. */
  readonly endSessions: boolean;
}

/**
 * Replaces the password of the user who calls, and answers the user as it is then. A wrong current one counts as an attempt to sign in does. Throws
 * `invalidPassword`, `rateLimited`, or the refusal of the new one.
 */
export async function changePassword(
  context: Context,
  user: User,
  { currentPassword, newPassword, endSessions }: PasswordChange,
): Promise<User> {
  const { server, caller } = context;
  const { id, passwordHash: from } = user;
  const password = checkPassword(newPassword, "newPassword");
  const takeBack = server.attempts.signIn(id, caller.ip);
  if (!(await verifyPassword(currentPassword, from))) fail("invalidPassword");
  takeBack();
  const to = await hashPassword(password);
  return server.store.write(async (tx) => {
    if (!(await replacePasswordHash(tx, id, { from, to }))) {
      fail("invalidPassword", "the password was changed meanwhile: give the one that it is now");
    }
    if (endSessions) await revokeSessions(tx, id);
    const entry = { kind: "password.changed", subject: id, userId: id, data: { endSessions } } as const;
    await recordAudit(tx, originOf(context), entry);
    return { ...user, passwordHash: to, updatedAt: tx.now };
  });
}
