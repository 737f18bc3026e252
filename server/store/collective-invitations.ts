import { type RawBuilder, sql } from "kysely";
import { fail } from "../../src/contract/errors.ts";
import type { CollectiveRole } from "../domain/collectives.ts";
import { forgetCoded, rememberCoded } from "./coded-addresses.ts";
import { addCollectiveMember, countOtherMembers } from "./collective-members.ts";
import type { CollectiveInvitationTable } from "./collective-tables.ts";
import { type CollectiveChange, getJoinedCollective, type JoinedCollective } from "./collectives.ts";
import type { Reads, Store, Tx } from "./open.ts";

/** Somebody who was asked into a collective and has not answered. */
export interface CollectiveInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: CollectiveRole;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The same for the one who was asked. */
export interface ReceivedInvitation extends CollectiveInvitation {
  readonly slug: string;
  readonly name: string;
}

/** Who is asked in, as what, and for how many milliseconds. */
export interface NewInvitation {
  readonly email: string;
  readonly role: CollectiveRole;
  readonly openMs: number;
  /** SHA-256 of the code that it may be accepted with, base64url. */
  readonly codeHash: string;
  /** Whether the code is needed to answer it. */
  readonly coded: boolean;
}

/** Asks an address in, whether or not it has an account; asked again, the newer invitation replaces the older. */
export async function inviteToCollective(
  { tx, collective, actor }: CollectiveChange,
  { email, role, openMs, codeHash, coded }: NewInvitation,
): Promise<CollectiveInvitation> {
  await tx.db
    .deleteFrom("collective_invitation")
    .where("collective_id", "=", collective.id)
    .where((row) => row.or([row("email", "=", email), row("expires_at", "<=", tx.now)]))
    .execute();
  if (coded) await rememberCoded(tx, email, collective.id);
  const row: CollectiveInvitationTable = {
    id: tx.store.id(),
    collective_id: collective.id,
    email,
    role,
    invited_by: actor,
    created_at: tx.now,
    expires_at: tx.now + openMs,
    code_hash: codeHash,
    code_needed: coded ? 1 : 0,
  };
  await tx.db.insertInto("collective_invitation").values(row).execute();
  return invitationOf(row);
}

/** Open invitations of a collective, oldest first. */
export async function listCollectiveInvitations(
  reads: Reads,
  collectiveId: string,
  now: number,
): Promise<CollectiveInvitation[]> {
  const rows = await reads.db
    .selectFrom("collective_invitation")
    .selectAll()
    .where("collective_id", "=", collectiveId)
    .where("expires_at", ">", now)
    .orderBy("id")
    .execute();
  return rows.map(invitationOf);
}

/** Open invitations of an address that need no code, oldest first. */
export async function listReceivedInvitations(
  reads: Reads,
  email: string,
  now: number,
): Promise<ReceivedInvitation[]> {
  const rows = await reads.db
    .selectFrom("collective_invitation as i")
    .innerJoin("collective as c", "c.id", "i.collective_id")
    .selectAll("i")
    .select(["c.slug", "c.name"])
    .where("i.email", "=", email)
    .where("i.expires_at", ">", now)
    .where("i.code_needed", "=", 0)
    .orderBy("i.id")
    .limit(maximumReceived)
    .execute();
  return rows.map((row) => ({ ...invitationOf(row), slug: row.slug, name: row.name }));
}

/** Most invitations that somebody is shown: more than anybody answers, at about 300 bytes each. */
const maximumReceived = 1_000;

/** Takes an invitation of the collective back. Throws `collectiveInvitationNotFound`. */
export async function withdrawInvitation(
  { tx, collective }: CollectiveChange,
  invitationId: string,
): Promise<void> {
  const gone = await tx.db
    .deleteFrom("collective_invitation")
    .where("id", "=", invitationId)
    .where("collective_id", "=", collective.id)
    .returning("id")
    .execute();
  if (gone.length === 0) fail("collectiveInvitationNotFound");
}

/** Whose invitation it is, and who answers it. */
export interface InvitationTarget {
  readonly invitationId: string;
  readonly userId: string;
  readonly email: string;
}

/**
 * Makes the user a member, unless `admit` throws at how many others are. Throws `collectiveInvitationNotFound` for
 * another's, a past one and one taken back.
 */
export const acceptInvitation = (
  store: Store,
  target: InvitationTarget,
  admit: (others: number) => void = () => {},
): Promise<JoinedCollective> => store.write((tx) => join(tx, target, codeless, admit));

/** Whose invitation it is, and what they show of it. */
export interface CodedTarget {
  readonly codeHash: string;
  readonly userId: string;
  readonly email: string;
}

/** The same within a transaction, for who shows the code, whether or not it is needed. Throws the same. */
export async function acceptCodedInvitation(
  tx: Tx,
  { codeHash, userId, email }: CodedTarget,
  admit: (others: number) => void,
): Promise<JoinedCollective> {
  const found = await tx.db
    .selectFrom("collective_invitation")
    .select(["id", "collective_id"])
    .where("email", "=", email)
    .where("code_hash", "=", codeHash)
    .executeTakeFirst();
  if (found === undefined) return fail("collectiveInvitationNotFound");
  const target = { invitationId: found.id, userId, email };
  const joined = await join(tx, target, sql`code_hash = ${codeHash}`, admit);
  await forgetCoded(tx, email, [found.collective_id]);
  return joined;
}

/** Makes an invitation one that its address may answer without the code: who shows it is who was meant. */
export async function openCodedInvitation(tx: Tx, email: string, codeHash: string): Promise<void> {
  const { rows } = await sql<{ collective_id: string }>`update collective_invitation set code_needed = 0
    where email = ${email} and code_hash = ${codeHash} returning collective_id`.execute(tx.db);
  await forgetCoded(
    tx,
    email,
    rows.map(({ collective_id }) => collective_id),
  );
}

async function join(
  tx: Tx,
  target: InvitationTarget,
  which: RawBuilder<unknown>,
  admit: (others: number) => void,
): Promise<JoinedCollective> {
  const { collectiveId, slug, role } = await takeInvitation(tx, target, which);
  admit(await countOtherMembers(tx, collectiveId, target.userId));
  await addCollectiveMember(tx, collectiveId, target.userId, role);
  return getJoinedCollective(tx, { slug, actor: target.userId });
}

const codeless = sql`code_needed = 0`;

/** Says no to an invitation. Throws as {@link acceptInvitation} does. */
export const rejectInvitation = (store: Store, target: InvitationTarget): Promise<void> =>
  store.write(async (tx) => {
    await takeInvitation(tx, target, codeless);
  });

async function takeInvitation(
  tx: Tx,
  { invitationId, email }: InvitationTarget,
  which: RawBuilder<unknown>,
): Promise<{ readonly collectiveId: string; readonly slug: string; readonly role: CollectiveRole }> {
  // The collective's row first, as in every change of it.
  const { rows } = await sql<{ id: string; slug: string }>`
    update collective set name = name
    where id = (select collective_id from collective_invitation where id = ${invitationId} and email = ${email})
    returning id, slug`.execute(tx.db);
  const { rows: taken } = await sql<CollectiveInvitationTable>`
    delete from collective_invitation
    where id = ${invitationId} and email = ${email} and expires_at > ${tx.now} and ${which} returning *`.execute(
    tx.db,
  );
  const [row] = taken;
  const [collective] = rows;
  if (row === undefined || collective === undefined) return fail("collectiveInvitationNotFound");
  return { collectiveId: collective.id, slug: collective.slug, role: row.role };
}

const invitationOf = (row: CollectiveInvitationTable): CollectiveInvitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});
