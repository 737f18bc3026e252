import type { ServerSettings } from "../../src/config/server-settings.ts";
import { fail } from "../../src/contract/errors.ts";
import { checkEmail } from "../domain/accounts.ts";
import { isInvited } from "../store/invitations.ts";
import type { Store } from "../store/open.ts";
import { hasUsers } from "../store/users.ts";

/**
 * Throws `signUpClosed` unless somebody with this address may create an account now; the first one always may. What is
 * no address is refused as that.
 */
export async function checkSignUp(
  store: Store,
  mode: ServerSettings["signUp"],
  email: string,
): Promise<void> {
  if (mode === "open" || !(await hasUsers(store))) return;
  if (mode === "closed") fail("signUpClosed");
  // Before anything tells whether the address has an account: to who is not invited, all addresses are alike.
  if (!(await isInvited(store, checkEmail(email), store.clock.now()))) {
    fail(
      "signUpClosed",
      "this server takes new accounts by invitation only; have a member invite this address",
    );
  }
}
