import { fail } from "../../src/contract/errors.ts";
import { notRequested } from "./change-sets.ts";
import { recordEvent } from "./events.ts";
import type { Store } from "./open.ts";
import type { Role, WorkspaceTable } from "./tables.ts";

/** A graph of components with its head and its members. */
export interface Workspace {
  readonly id: string;
  readonly headId: string;
  readonly displayName: string;
  readonly description: string;
  readonly instanceUrl: string | undefined;
  readonly approvalsEnabled: boolean;
  readonly creatorId: string;
  readonly createdAt: number;
}

export interface Member {
  readonly workspaceId: string;
  readonly userId: string;
  readonly role: Role;
  readonly createdAt: number;
}

export interface NewWorkspace {
  readonly displayName: string;
  readonly description: string;
  readonly creatorId: string;
  readonly instanceUrl?: string;
  readonly approvalsEnabled?: boolean;
}

/** Name of the head in every list and, in any letter case, in paths. */
const headName = "HEAD";
/** Name of the view that every workspace starts with. */
export const defaultViewName = "DEFAULT";

/** Creates a workspace with its head, the DEFAULT view in it, and the creator as owner. */
export async function createWorkspace(store: Store, workspace: NewWorkspace): Promise<Workspace> {
  return store.write(async (tx) => {
    const [id, headId, viewId] = [store.id(), store.id(), store.id()];
    const row: WorkspaceTable = {
      id,
      head_id: headId,
      display_name: workspace.displayName,
      description: workspace.description,
      instance_url: workspace.instanceUrl ?? null,
      approvals_enabled: workspace.approvalsEnabled === true ? 1 : 0,
      creator: workspace.creatorId,
      rev: 1,
      event_seq: 0,
      created_at: tx.now,
      deleted_at: null,
      external_id: store.id(),
      instance_env_type: "PRIVATE",
      quarantined_at: null,
    };
    await tx.db.insertInto("workspace").values(row).execute();
    await tx.db
      .insertInto("change_set")
      .values({
        id: headId,
        workspace_id: id,
        head_id: headId,
        name: headName,
        status: "Open",
        rev: 1,
        graph_rev: 1,
        created_by: workspace.creatorId,
        created_at: tx.now,
        updated_at: tx.now,
        deleted_at: null,
        ...notRequested,
      })
      .execute();
    await tx.db
      .insertInto("entity")
      .values({
        layer: headId,
        kind: "view",
        id: viewId,
        op: "head",
        edit_rev: 1,
        base_rev: 0,
        name: defaultViewName,
        body: JSON.stringify({ name: defaultViewName, isDefault: true }),
      })
      .execute();
    await tx.db
      .insertInto("member")
      .values({
        workspace_id: id,
        user_id: workspace.creatorId,
        role: "OWNER",
        created_at: tx.now,
        is_default: 0,
      })
      .execute();
    await recordEvent(tx, {
      workspaceId: id,
      actor: workspace.creatorId,
      kind: "workspace.created",
      subject: id,
      data: { displayName: workspace.displayName },
    });
    return workspaceOf(row);
  });
}

/** The workspace, unless it was deleted. */
export async function findWorkspace(store: Store, id: string): Promise<Workspace | undefined> {
  const row = await store.db
    .selectFrom("workspace")
    .selectAll()
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row === undefined ? undefined : workspaceOf(row);
}

/** The workspace; throws `workspaceNotFound`. */
export async function getWorkspace(store: Store, id: string): Promise<Workspace> {
  return (await findWorkspace(store, id)) ?? fail("workspaceNotFound");
}

/** The counter that moves with the workspace's own lists (change sets, members); throws `workspaceNotFound`. */
export async function workspaceRevision(store: Store, id: string): Promise<number> {
  const row = await store.db.selectFrom("workspace").select("rev").where("id", "=", id).executeTakeFirst();
  return row?.rev ?? fail("workspaceNotFound");
}

/** Workspaces that the user is a member of, oldest membership first. */
export async function listWorkspacesOf(
  store: Store,
  userId: string,
): Promise<{ readonly workspace: Workspace; readonly role: Role }[]> {
  const rows = await store.db
    .selectFrom("member")
    .innerJoin("workspace", "workspace.id", "member.workspace_id")
    .selectAll("workspace")
    .select("member.role")
    .where("member.user_id", "=", userId)
    .where("workspace.deleted_at", "is", null)
    .orderBy("member.created_at")
    .orderBy("workspace.id")
    .execute();
  return rows.map((row) => ({ workspace: workspaceOf(row), role: row.role }));
}

/** The user's membership of a workspace. */
export async function findMember(
  store: Store,
  workspaceId: string,
  userId: string,
): Promise<Member | undefined> {
  return (await listMembers(store, workspaceId, userId))[0];
}

/** Members of a workspace, oldest first; of one user when `userId` is given. */
export async function listMembers(store: Store, workspaceId: string, userId?: string): Promise<Member[]> {
  let query = store.db.selectFrom("member").selectAll().where("workspace_id", "=", workspaceId);
  if (userId !== undefined) query = query.where("user_id", "=", userId);
  const rows = await query.orderBy("created_at").orderBy("user_id").execute();
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    userId: row.user_id,
    role: row.role,
    createdAt: row.created_at,
  }));
}

/** Makes the user a member, or changes a member's role. */
export async function putMember(
  store: Store,
  member: Pick<Member, "workspaceId" | "userId" | "role"> & { readonly actor: string },
): Promise<void> {
  const { workspaceId, userId, role, actor } = member;
  await store.write(async (tx) => {
    await tx.db
      .insertInto("member")
      .values({ workspace_id: workspaceId, user_id: userId, role, created_at: tx.now, is_default: 0 })
      .onConflict((conflict) => conflict.columns(["workspace_id", "user_id"]).doUpdateSet({ role }))
      .execute();
    await recordEvent(tx, { workspaceId, actor, kind: "member.changed", subject: userId, data: { role } }, 1);
  });
}

const workspaceOf = (row: WorkspaceTable): Workspace => ({
  id: row.id,
  headId: row.head_id,
  displayName: row.display_name,
  description: row.description,
  instanceUrl: row.instance_url ?? undefined,
  approvalsEnabled: row.approvals_enabled === 1,
  creatorId: row.creator,
  createdAt: row.created_at,
});
