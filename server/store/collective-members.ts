import { sql } from "kysely";
import type { CollectiveRole } from "../domain/collectives.ts";
import type { CollectiveChange } from "./collectives.ts";
import type { Reads, Tx } from "./open.ts";

/** Somebody in a collective. */
export interface CollectiveMember {
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly role: CollectiveRole;
  readonly joinedAt: number;
  /** Whether the account is not suspended. */
  readonly canSignIn: boolean;
}

/** Members of a collective in order of joining. */
export async function listCollectiveMembers(reads: Reads, collectiveId: string): Promise<CollectiveMember[]> {
  const rows = await reads.db
    .selectFrom("collective_member as m")
    .innerJoin("user as u", "u.id", "m.user_id")
    .select(["u.id", "u.username", "u.name", "u.email", "u.suspended_at", "m.role", "m.created_at"])
    .where("m.collective_id", "=", collectiveId)
    .orderBy("m.created_at")
    .orderBy("u.id")
    .execute();
  return rows.map(({ id, username, name, email, suspended_at, role, created_at }) => ({
    userId: id,
    username,
    name,
    email,
    role,
    joinedAt: created_at,
    canSignIn: suspended_at === null,
  }));
}

/** How many members a collective has besides a user; exact while its row is locked. */
export async function countOtherMembers(reads: Reads, collectiveId: string, userId: string): Promise<number> {
  const { count } = await reads.db
    .selectFrom("collective_member")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("collective_id", "=", collectiveId)
    .where("user_id", "<>", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Makes a user a member of a collective whose row is locked; whoever is one already keeps their role. */
export async function addCollectiveMember(
  tx: Tx,
  collectiveId: string,
  userId: string,
  role: CollectiveRole,
): Promise<void> {
  await tx.db
    .insertInto("collective_member")
    .values({ collective_id: collectiveId, user_id: userId, role, created_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Gives a member another role. */
export async function setCollectiveRole(
  { tx, collective }: CollectiveChange,
  userId: string,
  role: CollectiveRole,
): Promise<void> {
  await sql`update collective_member set role = ${role}
    where collective_id = ${collective.id} and user_id = ${userId}`.execute(tx.db);
}

/** Takes a member out; the tokens that they made are the collective's and stay. */
export async function removeCollectiveMember(
  { tx, collective }: CollectiveChange,
  userId: string,
): Promise<void> {
  await sql`delete from collective_member
    where collective_id = ${collective.id} and user_id = ${userId}`.execute(tx.db);
}
