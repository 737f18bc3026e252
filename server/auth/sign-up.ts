import type { ServerSettings } from "../../src/config/server-settings.ts";
import { fail } from "../../src/contract/errors.ts";
import { checkEmail } from "../domain/accounts.ts";
import { isInvited } from "../store/invitations.ts";
import type { Store } from "../store/open.ts";
import { hasUsers } from "../store/users.ts";
import { hashToken } from "./tokens.ts";

/** Who wants an account: the address, and the code of an invitation to it. */
export interface SignUpClaim {
  readonly email: string;
  readonly code: string | undefined;
}

/**
 * Throws `signUpClosed` unless somebody may create an account now; the first one always may. What is no address is
 * refused as that, a code that is none of the address with `collectiveInvitationNotFound`.
 */
export async function checkSignUp(
  store: Store,
  mode: ServerSettings["signUp"],
  { email, code }: SignUpClaim,
): Promise<void> {
  if (mode === "open" && code === undefined) return;
  if (!(await hasUsers(store))) return;
  if (mode === "closed") fail("signUpClosed");
  // Before anything tells whether the address has an account: to who is not invited, all addresses are alike.
  const codeHash = code === undefined ? undefined : hashToken(code.trim());
  if (await isInvited(store, checkEmail(email), { now: store.clock.now(), codeHash })) return;
  if (mode === "open") {
    fail("collectiveInvitationNotFound", "the invitation code is none of this address, or no longer good");
  }
  fail(
    "signUpClosed",
    "this server takes new accounts by invitation only: sign up with the invited address, and the code that whoever invited it was shown",
  );
}
