import { sql } from "kysely";
import { fail } from "../../src/contract/errors.ts";
import type { CollectiveRole } from "../domain/collectives.ts";
import type { CollectiveTable } from "./collective-tables.ts";
import type { Reads, Store, Tx } from "./open.ts";

/** Several people under one name, or the personal one of a single user. */
export interface Collective {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly personal: boolean;
  readonly createdAt: number;
}

/** A collective as one of its members sees it. */
export interface JoinedCollective {
  readonly collective: Collective;
  readonly role: CollectiveRole;
}

/** Which collective, and who does something to it. */
export interface CollectiveTarget {
  /** In lower case. */
  readonly slug: string;
  /** The user who asks, and to whom the change is attributed. */
  readonly actor: string;
}

/** A change of a collective that is under way: its row is locked, and the actor is a member of that role. */
export interface CollectiveChange extends JoinedCollective {
  readonly tx: Tx;
  readonly actor: string;
}

/** A collective to be, and who makes it. */
export interface NewCollective {
  readonly slug: string;
  readonly name: string;
  readonly creatorId: string;
}

/** Judges how many collectives somebody has made, those deleted before `since` not counted. */
export interface CollectiveLimit {
  readonly since: number;
  readonly admit: (made: number) => void;
}

/**
 * Creates a collective with its creator as owner, unless `admit` throws at how many they have made already, which stands
 * until the transaction ends: those that are there, and those that were deleted after `since`. Throws `collectiveExists`
 * when the slug is taken, by one that was deleted too.
 */
export const createCollective = (
  store: Store,
  collective: NewCollective,
  { since, admit }: CollectiveLimit = { since: 0, admit: () => {} },
): Promise<JoinedCollective> =>
  store.write(async (tx) => {
    await tx.engine.hold(tx.db, `collectives of ${collective.creatorId}`);
    admit(await countCollectivesOf(tx, collective.creatorId, since));
    const made = await insertCollective(tx, collective, false);
    return made === undefined ? fail("collectiveExists") : { collective: made, role: "owner" };
  });

async function countCollectivesOf(reads: Reads, creatorId: string, since: number): Promise<number> {
  const { count } = await reads.db
    .selectFrom("collective")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("created_by", "=", creatorId)
    .where("personal_of", "is", null)
    .where((row) => row.or([row("deleted_at", "is", null), row("deleted_at", ">", since)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Gives a user a personal collective within a transaction, under the first slug that is free; again does nothing. */
export async function insertPersonalCollective(
  tx: Tx,
  user: { readonly id: string; readonly name: string },
  slugs: Iterable<string>,
): Promise<void> {
  for (const slug of slugs) {
    if ((await insertCollective(tx, { slug, name: user.name, creatorId: user.id }, true)) !== undefined)
      return;
    if (await hasPersonalCollective(tx, user.id)) return;
  }
}

/** The same for an account from before there were collectives; costs one read where it has one. */
export async function ensurePersonalCollective(
  store: Store,
  user: { readonly id: string; readonly name: string },
  slugs: Iterable<string>,
): Promise<void> {
  if (await hasPersonalCollective(store, user.id)) return;
  await store.write((tx) => insertPersonalCollective(tx, user, slugs));
}

const hasPersonalCollective = async (reads: Reads, userId: string): Promise<boolean> =>
  (await reads.db.selectFrom("collective").select("id").where("personal_of", "=", userId).execute()).length >
  0;

async function insertCollective(
  tx: Tx,
  { slug, name, creatorId }: { readonly slug: string; readonly name: string; readonly creatorId: string },
  personal: boolean,
): Promise<Collective | undefined> {
  const row = await tx.db
    .insertInto("collective")
    .values({
      id: tx.store.id(),
      slug,
      name,
      personal_of: personal ? creatorId : null,
      created_by: creatorId,
      created_at: tx.now,
      deleted_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const owner = { collective_id: row.id, user_id: creatorId, role: "owner", created_at: tx.now } as const;
  await tx.db.insertInto("collective_member").values(owner).execute();
  return collectiveOf(row);
}

/** Collectives that the user is a member of: the personal one first, then by slug. */
export async function listCollectivesOf(reads: Reads, userId: string): Promise<JoinedCollective[]> {
  const rows = await seenBy(reads, userId).orderBy("collective.slug").execute();
  const joined = rows.map(joinedOf);
  return [
    ...joined.filter(({ collective }) => collective.personal),
    ...joined.filter(({ collective }) => !collective.personal),
  ];
}

/** The collective as a member sees it. Throws `collectiveNotFound`, the same for an unknown one and for a stranger. */
export async function getJoinedCollective(
  reads: Reads,
  { slug, actor }: CollectiveTarget,
): Promise<JoinedCollective> {
  const row = await seenBy(reads, actor).where("collective.slug", "=", slug).executeTakeFirst();
  return row === undefined ? fail("collectiveNotFound") : joinedOf(row);
}

/**
 * One write by a member: locks the collective, so that changes of one collective come one after the other, and runs
 * `work`. Throws as {@link getJoinedCollective} does.
 */
export const changeCollective = <T>(
  store: Store,
  target: CollectiveTarget,
  work: (change: CollectiveChange) => Promise<T>,
): Promise<T> => store.write(async (tx) => work(await lockCollective(tx, target)));

/** Locks the collective within a transaction. Throws as {@link getJoinedCollective} does. */
export async function lockCollective(tx: Tx, target: CollectiveTarget): Promise<CollectiveChange> {
  await sql`update collective set name = name where slug = ${target.slug}`.execute(tx.db);
  const found = await getJoinedCollective(tx, target);
  return { ...found, tx, actor: target.actor };
}

/** Gives a collective another name; its slug stays. */
export async function renameCollective(
  { tx, collective }: CollectiveChange,
  name: string,
): Promise<Collective> {
  await tx.db.updateTable("collective").set({ name }).where("id", "=", collective.id).execute();
  return { ...collective, name };
}

const seenBy = (reads: Reads, userId: string) =>
  reads.db
    .selectFrom("collective_member")
    .innerJoin("collective", "collective.id", "collective_member.collective_id")
    .selectAll("collective")
    .select("collective_member.role")
    .where("collective_member.user_id", "=", userId);

const joinedOf = ({
  role,
  ...row
}: CollectiveTable & { readonly role: CollectiveRole }): JoinedCollective => ({
  collective: collectiveOf(row),
  role,
});

/** The row as the rest of the server sees it. */
export const collectiveOf = (row: CollectiveTable): Collective => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  personal: row.personal_of !== null,
  createdAt: row.created_at,
});
