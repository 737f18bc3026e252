import { fail } from "../../src/contract/errors.ts";
import { wakePersonalTokens } from "./collective-tokens.ts";
import { type EventKind, lockWorkspaces, recordEvent } from "./events.ts";
import type { Reads, Store, Tx } from "./open.ts";
import type { UserTable } from "./people-tables.ts";

/** A person with an account. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly suspendedAt: number | undefined;
}

export type NewUser = Pick<User, "email" | "username" | "name" | "passwordHash">;

/** Creates an account; e-mail and username are stored in lower case. Throws `userExists` when either is taken. */
export const createUser = (store: Store, user: NewUser): Promise<User> =>
  store.write((tx) => insertUser(tx, user));

/** The same within a transaction. */
export async function insertUser(tx: Tx, user: NewUser): Promise<User> {
  const row = await tx.db
    .insertInto("user")
    .values({
      id: tx.store.id(),
      email: user.email.toLowerCase(),
      username: user.username.toLowerCase(),
      name: user.name,
      password_hash: user.passwordHash,
      created_at: tx.now,
      updated_at: tx.now,
      suspended_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? fail("userExists") : userOf(row);
}

/** The account with this id. */
export const findUser = (reads: Reads, id: string): Promise<User | undefined> => findBy(reads, "id", id);

/** The account with this e-mail address, in any letter case. */
export const findUserByEmail = (reads: Reads, email: string): Promise<User | undefined> =>
  findBy(reads, "email", email.toLowerCase());

/** The account with this username, in any letter case. */
export const findUserByUsername = (reads: Reads, username: string): Promise<User | undefined> =>
  findBy(reads, "username", username.toLowerCase());

/** Whether anybody has an account: the first one is created differently. */
export async function hasUsers(reads: Reads): Promise<boolean> {
  return (await reads.db.selectFrom("user").select("id").limit(1).execute()).length > 0;
}

/**
 * Whether nobody has an account: nobody else makes the first one then until the transaction ends. Of its locks only the
 * address of the account comes before.
 */
export async function holdFirst(tx: Tx): Promise<boolean> {
  if (await hasUsers(tx)) return false;
  await tx.engine.hold(tx.db, "first owner");
  return !(await hasUsers(tx));
}

/**
 * Suspends an account or lifts the suspension: its sessions and keys work only while it is not suspended, and what is
 * held for it ends. One event in each of its workspaces; again leaves nothing. Says whether there was something to do.
 */
export async function setSuspended(
  tx: Tx,
  userId: string,
  suspended: boolean,
  actor = "operator",
): Promise<boolean> {
  const row = await tx.db
    .updateTable("user")
    .set({ suspended_at: suspended ? tx.now : null, updated_at: tx.now })
    .where("id", "=", userId)
    .where("suspended_at", suspended ? "is" : "is not", null)
    .returning("email")
    .executeTakeFirst();
  if (row === undefined) return false;
  await wakePersonalTokens(tx, userId);
  const joined = await tx.db
    .selectFrom("member")
    .innerJoin("workspace", "workspace.id", "member.workspace_id")
    .select(["workspace.id", "workspace.head_id"])
    .where("member.user_id", "=", userId)
    .execute();
  const ids = joined.map(({ id }) => id);
  await lockWorkspaces(tx, ids);
  const kind: EventKind = suspended ? "user.suspended" : "user.reinstated";
  const event = { actor, kind, subject: userId, data: { email: row.email } };
  for (const workspaceId of ids) recordEvent(tx, { ...event, workspaceId });
  for (const { head_id } of joined) tx.changed(head_id);
  return true;
}

async function findBy(
  reads: Reads,
  column: "id" | "email" | "username",
  value: string,
): Promise<User | undefined> {
  const row = await reads.db.selectFrom("user").selectAll().where(column, "=", value).executeTakeFirst();
  return row === undefined ? undefined : userOf(row);
}

/** The row as the rest of the server sees it. */
export const userOf = (row: UserTable): User => ({
  id: row.id,
  email: row.email,
  username: row.username,
  name: row.name,
  passwordHash: row.password_hash,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  suspendedAt: row.suspended_at ?? undefined,
});
