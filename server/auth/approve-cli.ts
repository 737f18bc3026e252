import { fail } from "../../src/contract/errors.ts";
import type { Context } from "../context.ts";
import { useOnce, wasUsed } from "../store/used-once.ts";
import type { User } from "../store/users.ts";
import { openSession } from "./sign-in.ts";
import { hashToken } from "./tokens.ts";

/**
 * Opens a session for a terminal that asked by `state`, and answers its token, which this browser does not keep. Each
 * state is approved once: throws `approvalUsed` for one that was approved before.
 */
export async function approveCli(context: Context, user: User, state: string): Promise<string> {
  const fresh = await useOnce(context.server.store, hashToken(state));
  if (!fresh) fail("approvalUsed");
  const elsewhere = { ...context, setSessionCookie: () => {} };
  return openSession(elsewhere, user, false, "invalidCredentials", "session.approved");
}

/** Whether the request of a terminal was approved, in whichever browser. */
export const wasApproved = ({ server }: Context, state: string): Promise<boolean> =>
  wasUsed(server.store, hashToken(state));
