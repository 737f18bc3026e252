import type { ServerSettings } from "../../src/config/server-settings.ts";
import { fail } from "../../src/contract/errors.ts";
import { checkEmail } from "../domain/accounts.ts";
import { type CodeHash, holdInvited, isInvited } from "../store/invitations.ts";
import type { Store, Tx } from "../store/open.ts";
import { hasUsers, holdFirst } from "../store/users.ts";
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
export const checkSignUp = (store: Store, mode: SignUpMode, claim: SignUpClaim): Promise<void> =>
  check(mode, claim, {
    isFirst: async () => !(await hasUsers(store)),
    isInvited: (codeHash) =>
      isInvited(store, { email: checkEmail(claim.email), now: store.clock.now(), codeHash }),
  });

/** The same in the transaction that makes the account, which holds the address: it stays so until that ends. */
export const admitSignUp = (tx: Tx, mode: SignUpMode, claim: SignUpClaim): Promise<void> =>
  check(mode, claim, {
    isFirst: () => holdFirst(tx),
    isInvited: (codeHash) => holdInvited(tx, { email: checkEmail(claim.email), now: tx.now, codeHash }),
  });

/** Whether nobody at all may make an account: it is closed, and somebody has the first one already. */
export const isSignUpClosed = async (store: Store, mode: SignUpMode): Promise<boolean> =>
  mode === "closed" && (await hasUsers(store));

type SignUpMode = ServerSettings["signUp"];

async function check(
  mode: SignUpMode,
  { code }: SignUpClaim,
  found: {
    readonly isFirst: () => Promise<boolean>;
    readonly isInvited: (codeHash: CodeHash) => Promise<boolean>;
  },
): Promise<void> {
  if (mode === "open" && code === undefined) return;
  if (await found.isFirst()) return;
  if (mode === "closed") fail("signUpClosed");
  // Before anything tells whether the address has an account: to who is not invited, all addresses are alike.
  if (await found.isInvited(code === undefined ? undefined : hashToken(code.trim()))) return;
  if (mode === "open") {
    fail("collectiveInvitationNotFound", "the invitation code is none of this address, or no longer good");
  }
  fail(
    "signUpClosed",
    "this server takes new accounts by invitation only: sign up with the invited address, and the code that whoever invited it was shown",
  );
}
