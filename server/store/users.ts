import { fail } from "../../src/contract/errors.ts";
import type { Store } from "./open.ts";
import type { UserTable } from "./tables.ts";

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
export async function createUser(store: Store, user: NewUser): Promise<User> {
  const rows = await store.write((tx) =>
    tx.db
      .insertInto("user")
      .values({
        id: store.id(),
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
      .execute(),
  );
  return rows[0] === undefined ? fail("userExists") : userOf(rows[0]);
}

/** The account with this id. */
export const findUser = (store: Store, id: string): Promise<User | undefined> => findBy(store, "id", id);

/** The account with this e-mail address, in any letter case. */
export const findUserByEmail = (store: Store, email: string): Promise<User | undefined> =>
  findBy(store, "email", email.toLowerCase());

/** The account with this username, in any letter case. */
export const findUserByUsername = (store: Store, username: string): Promise<User | undefined> =>
  findBy(store, "username", username.toLowerCase());

/** Whether anybody has an account: the first one is created differently. */
export async function hasUsers(store: Store): Promise<boolean> {
  return (await store.db.selectFrom("user").select("id").limit(1).execute()).length > 0;
}

/** Suspends an account or lifts the suspension; its sessions and keys work only while it is not suspended. */
export async function setSuspended(store: Store, userId: string, suspended: boolean): Promise<void> {
  await store.write((tx) =>
    tx.db
      .updateTable("user")
      .set({ suspended_at: suspended ? tx.now : null, updated_at: tx.now })
      .where("id", "=", userId)
      .execute(),
  );
}

async function findBy(
  store: Store,
  column: "id" | "email" | "username",
  value: string,
): Promise<User | undefined> {
  const row = await store.db.selectFrom("user").selectAll().where(column, "=", value).executeTakeFirst();
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
