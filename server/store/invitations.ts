import { type RawBuilder, sql } from "kysely";
import { forgetCoded, rememberCoded } from "./coded-addresses.ts";
import { lockWorkspaces, recordEvent } from "./events.ts";
import type { Reads, Tx } from "./open.ts";
import type { InvitationTable, MemberTable, Role } from "./people-tables.ts";
import type { WorkspaceChange } from "./workspace-changes.ts";

/** Invites an address, in lower case, that needs the code; the change must hold it. `codeHash` is of what it is accepted with. */
export async function addInvitation(
  { tx, workspace, actor }: WorkspaceChange,
  { email, role, codeHash }: { readonly email: string; readonly role: Role; readonly codeHash: string },
): Promise<void> {
  const row: InvitationTable = {
    workspace_id: workspace.id,
    email,
    id: tx.store.id(),
    role,
    invited_by: actor,
    created_at: tx.now,
    code_hash: codeHash,
  };
  await tx.db.insertInto("invitation").values(row).execute();
  await rememberCoded(tx, email, workspace.id);
  const event = { workspaceId: workspace.id, actor, subject: row.id, data: { email, role } };
  recordEvent(tx, { ...event, kind: "member.invited" }, 1);
}

/** What somebody who has an address shows of an invitation to it; undefined where they show nothing. */
export type CodeHash = string | undefined;

/** Who wants to know whether they are invited. */
export interface InvitedClaim {
  /** In lower case. */
  readonly email: string;
  readonly codeHash: CodeHash;
  readonly now: number;
}

/**
 * Whether a workspace or a collective that is there has invited an address, and it holds at `now` for who shows that
 * code.
 */
export const isInvited = (reads: Reads, claim: InvitedClaim): Promise<boolean> =>
  findInvited(reads, claim, sql``);

/** The same within a transaction that holds the address: what it finds is not taken back until that ends. */
export const holdInvited = (tx: Tx, claim: InvitedClaim): Promise<boolean> =>
  findInvited(tx, claim, tx.engine.forShare);

async function findInvited(
  reads: Reads,
  { email, codeHash, now }: InvitedClaim,
  // Those into workspaces are taken back under the address only.
  lock: RawBuilder<unknown>,
): Promise<boolean> {
  const asked = await reads.db
    .selectFrom("collective_invitation")
    .select("id")
    .where("email", "=", email)
    .where("expires_at", ">", now)
    .where((row) => row.or([row("code_needed", "=", 0), row("code_hash", "=", codeHash ?? "")]))
    .limit(1)
    .modifyEnd(lock)
    .execute();
  if (asked.length > 0) return true;
  const found = await reads.db
    .selectFrom("invitation")
    .innerJoin("workspace", "workspace.id", "invitation.workspace_id")
    .select("invitation.id")
    .where("invitation.email", "=", email)
    .where("workspace.deleted_at", "is", null)
    .where((row) => row.or([row("code_hash", "is", null), row("code_hash", "=", codeHash ?? "")]))
    .limit(1)
    .execute();
  return found.length > 0;
}

/** A workspace that somebody joined by an invitation. */
export interface JoinedByInvitation {
  readonly workspaceId: string;
  readonly role: Role;
}

/**
 * Makes a user a member wherever their address was invited with this code, or before there were codes, with the role of
 * the invitation. The transaction must hold the address. A number of statements that does not grow with the invitations.
 */
export async function acceptInvitations(
  tx: Tx,
  user: { readonly id: string; readonly email: string },
  codeHash: CodeHash,
): Promise<JoinedByInvitation[]> {
  const invited = await tx.db
    .selectFrom("invitation")
    .innerJoin("workspace", "workspace.id", "invitation.workspace_id")
    .select("invitation.id")
    .select("invitation.workspace_id")
    .where("invitation.email", "=", user.email)
    .where("workspace.deleted_at", "is", null)
    .where((row) => row.or([row("code_hash", "is", null), row("code_hash", "=", codeHash ?? "")]))
    .execute();
  if (invited.length === 0) return [];
  const into = invited.map(({ workspace_id: id }) => id);
  await lockWorkspaces(tx, into);
  // Those taken back meanwhile are not there any more.
  const { rows: taken } = await sql<InvitationTable>`
    delete from invitation where id ${tx.engine.within(invited.map(({ id }) => id))} returning *`.execute(
    tx.db,
  );
  const members = taken.map(
    ({ workspace_id, role }): MemberTable => ({
      workspace_id,
      user_id: user.id,
      role,
      created_at: tx.now,
      is_default: 0,
    }),
  );
  await tx.engine.bulk(tx.db, "member", memberColumns, members);
  const event = {
    kind: "member.joined",
    actor: user.id,
    subject: user.id,
    data: { email: user.email },
  } as const;
  const joined = members.map(({ workspace_id: id }) => id);
  for (const workspaceId of joined) recordEvent(tx, { ...event, workspaceId }, 1);
  await forgetCoded(tx, user.email, joined);
  return members.map(({ workspace_id: workspaceId, role }) => ({ workspaceId, role }));
}

const memberColumns = ["workspace_id", "user_id", "role", "created_at", "is_default"] as const;
