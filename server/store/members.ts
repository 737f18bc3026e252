import { sql } from "kysely";
import { recordEvent } from "./events.ts";
import type { Reads } from "./open.ts";
import type { Role } from "./people-tables.ts";
import { type WorkspaceChange, wakeHeld } from "./workspace-changes.ts";
import { revokeWorkspaceTokensOf } from "./workspace-tokens.ts";

/** Somebody in a workspace, or invited into it. */
export interface Member {
  /** Of the user; of the invitation while there is no account. */
  readonly id: string;
  readonly email: string;
  /** The username; empty while there is no account. */
  readonly nickname: string;
  readonly role: Role;
  /** When the account was made; undefined while there is none. */
  readonly signupAt: number | undefined;
  readonly invited: boolean;
  /** Whether there is an account that is not suspended. */
  readonly canSignIn: boolean;
}

/** Members in order of joining, then who is invited, in order of invitation. */
export async function listMembers(reads: Reads, workspaceId: string): Promise<Member[]> {
  const members = await reads.db
    .selectFrom("member")
    .innerJoin("user", "user.id", "member.user_id")
    .select(["user.id", "user.email", "user.username", "user.created_at", "user.suspended_at", "member.role"])
    .where("member.workspace_id", "=", workspaceId)
    .orderBy("member.created_at")
    .orderBy("user.id")
    .execute();
  const invitations = await reads.db
    .selectFrom("invitation")
    .select(["id", "email", "role"])
    .where("workspace_id", "=", workspaceId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return [
    ...members.map(({ id, email, role, username, created_at, suspended_at }) => ({
      id,
      email,
      nickname: username,
      role,
      signupAt: created_at,
      invited: false,
      canSignIn: suspended_at === null,
    })),
    ...invitations.map((one) => ({
      ...one,
      nickname: "",
      signupAt: undefined,
      invited: true,
      canSignIn: false,
    })),
  ];
}

/** Makes a user a member of the workspace that is being changed. */
export async function addMember(
  { tx, workspace, actor }: WorkspaceChange,
  user: { readonly id: string; readonly email: string },
  role: Role,
): Promise<void> {
  const row = { workspace_id: workspace.id, user_id: user.id, role, created_at: tx.now, is_default: 0 };
  await tx.db.insertInto("member").values(row).execute();
  const event = { workspaceId: workspace.id, actor, subject: user.id, data: { email: user.email, role } };
  recordEvent(tx, { ...event, kind: "member.added" }, 1);
}

/** Gives a member or an invitation another role; the same role leaves nothing. */
export async function setMemberRole(
  { tx, workspace, actor }: WorkspaceChange,
  { id, email, role: before, invited }: Member,
  role: Role,
): Promise<void> {
  if (role === before) return;
  const own = sql`workspace_id = ${workspace.id}`;
  if (invited) await sql`update invitation set role = ${role} where id = ${id} and ${own}`.execute(tx.db);
  else await sql`update member set role = ${role} where user_id = ${id} and ${own}`.execute(tx.db);
  const event = { workspaceId: workspace.id, actor, subject: id, data: { email, role } };
  recordEvent(tx, { ...event, kind: "member.changed" }, 1);
}

/** Takes a member out, revokes their tokens of the workspace and ends what is held; or takes an invitation back. */
export async function removeMember(
  { tx, workspace, actor }: WorkspaceChange,
  { id, email, role, invited }: Member,
): Promise<void> {
  const own = sql`workspace_id = ${workspace.id}`;
  if (invited) {
    await sql`delete from invitation where id = ${id} and ${own}`.execute(tx.db);
  } else {
    await sql`delete from member where user_id = ${id} and ${own}`.execute(tx.db);
    await revokeWorkspaceTokensOf(tx, workspace.id, id);
    wakeHeld(tx, workspace);
  }
  const kind = id === actor ? "member.left" : "member.removed";
  const event = { workspaceId: workspace.id, actor, subject: id, data: { email, role } };
  recordEvent(tx, { ...event, kind }, 1);
}
