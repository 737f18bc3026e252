import { ApiError } from "../../src/contract/errors.ts";
import { checkDisplayName, checkEmail, checkPassword, checkUsername } from "../domain/accounts.ts";
import { personalSlugs } from "../domain/collectives.ts";
import { openCodedInvitation } from "../store/collective-invitations.ts";
import { insertPersonalCollective } from "../store/collectives.ts";
import { acceptInvitations, type JoinedByInvitation } from "../store/invitations.ts";
import type { Store, Tx } from "../store/open.ts";
import { findUserByUsername, insertUser, type User } from "../store/users.ts";
import { holdAddress } from "../store/workspace-changes.ts";
import { insertWorkspace, type Workspace } from "../store/workspaces.ts";
import { hashPassword } from "./passwords.ts";
import { hashToken } from "./tokens.ts";

/** A new person; without a username one is made of the e-mail address. */
export interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly username?: string | undefined;
  /** Of an invitation to the address. */
  readonly invitationCode?: string | undefined;
}

/** What else belongs to the making of an account, in its transaction. */
export interface AccountNeeds {
  /** Of their own workspace; the username without one. */
  readonly workspaceName?: string;
  /** Throws where who has the address may have no account now; nobody invites it, or takes that back, meanwhile. */
  readonly admit?: (tx: Tx) => Promise<void>;
  /** Writes what goes with it. */
  readonly also?: (
    tx: Tx,
    user: User,
    workspace: Workspace,
    joined: readonly JoinedByInvitation[],
  ) => Promise<void>;
}

/**
 * Creates a user and a workspace of their own, which they prefer, and makes them a member where they were invited with
 * the code they show, with all that `needs` names: all of it or nothing. Throws the refusal of what is malformed, of `admit`, or `userExists`.
 */
export async function createAccount(
  store: Store,
  account: NewAccount,
  { workspaceName, admit, also }: AccountNeeds = {},
): Promise<{ readonly user: User; readonly workspace: Workspace }> {
  const name = checkDisplayName(account.name);
  const email = checkEmail(account.email);
  const password = checkPassword(account.password);
  const wanted = account.username === undefined ? undefined : checkUsername(account.username);
  const passwordHash = await hashPassword(password);
  const username = wanted ?? (await freeUsername(store, email));
  return store.write(async (tx) => {
    await holdAddress(tx, email);
    await admit?.(tx);
    const user = await insertUser(tx, { name, email, username, passwordHash });
    const workspace = await insertWorkspace(tx, {
      displayName: workspaceName ?? user.username,
      description: "",
      creatorId: user.id,
      isDefault: true,
    });
    await insertPersonalCollective(tx, user, personalSlugs(user.username));
    const codeHash =
      account.invitationCode === undefined ? undefined : hashToken(account.invitationCode.trim());
    const joined = await acceptInvitations(tx, user, codeHash);
    if (codeHash !== undefined) await openCodedInvitation(tx, email, codeHash);
    await also?.(tx, user, workspace, joined);
    return { user, workspace };
  });
}

/** The part before the `@` as a username, with a number after it when it is taken. */
async function freeUsername(store: Store, email: string): Promise<string> {
  // 24 characters leave room for a dot and a number of five digits within the 30 that a username has.
  const base = (email.split("@")[0] ?? "")
    .replace(/[^a-z0-9_.]/g, "")
    .slice(0, 24)
    .padEnd(3, "_");
  for (let number = 1; number < 100_000; number++) {
    const username = number === 1 ? base : `${base}.${number}`;
    if ((await findUserByUsername(store, username)) === undefined) return username;
  }
  throw new ApiError("userExists");
}
