import { fail } from "../../src/contract/errors.ts";
import { notRequested } from "./change-sets.ts";
import { putEntityRows } from "./entities.ts";
import { recordEvent } from "./events.ts";
import type { Reads, Store, Tx } from "./open.ts";
import type { InstanceEnvType, Role, WorkspaceTable } from "./people-tables.ts";

/** A graph of components with its head and its members. */
export interface Workspace {
  readonly id: string;
  readonly headId: string;
  readonly displayName: string;
  readonly description: string;
  readonly instanceUrl: string | undefined;
  readonly instanceEnvType: InstanceEnvType;
  readonly approvalsEnabled: boolean;
  /** The id by which other systems know it. */
  readonly externalId: string | undefined;
  readonly creatorId: string;
  readonly createdAt: number;
  /** When the operator closed it; its members still see that it is there. */
  readonly quarantinedAt: number | undefined;
}

export interface NewWorkspace {
  readonly displayName: string;
  readonly description: string;
  readonly creatorId: string;
  readonly instanceUrl?: string | undefined;
  readonly instanceEnvType?: InstanceEnvType;
  readonly approvalsEnabled?: boolean;
  /** Whether its creator prefers it to all others from now on. */
  readonly isDefault?: boolean | undefined;
}

/** A workspace as one user sees it. */
export interface WorkspaceOf {
  readonly workspace: Workspace;
  /** Undefined for who is not a member. */
  readonly role: Role | undefined;
  readonly isDefault: boolean;
  /** The name of who created it, as the account is called now. */
  readonly creatorName: string | undefined;
}

/** The same for one of its members. */
export interface JoinedWorkspace extends WorkspaceOf {
  readonly role: Role;
}

/** Name of the head in every list and, in any letter case, in paths. */
const headName = "HEAD";
/** Name of the view that every workspace starts with. */
export const defaultViewName = "DEFAULT";

/** Creates a workspace with its head, the DEFAULT view in it, and the creator as owner. */
export const createWorkspace = (store: Store, workspace: NewWorkspace): Promise<Workspace> =>
  store.write((tx) => insertWorkspace(tx, workspace));

/** The same within a transaction, before any other lock but those of people. */
export async function insertWorkspace(tx: Tx, workspace: NewWorkspace): Promise<Workspace> {
  const { store } = tx;
  const [id, headId, viewId] = [store.id(), store.id(), store.id()];
  const { creatorId, isDefault = false } = workspace;
  if (isDefault) await forgetDefault(tx, creatorId);
  const row: WorkspaceTable = {
    id,
    head_id: headId,
    display_name: workspace.displayName,
    description: workspace.description,
    instance_url: workspace.instanceUrl ?? null,
    approvals_enabled: workspace.approvalsEnabled === true ? 1 : 0,
    creator: creatorId,
    rev: 1,
    event_seq: 0,
    created_at: tx.now,
    deleted_at: null,
    external_id: store.id(),
    instance_env_type: workspace.instanceEnvType ?? "PRIVATE",
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
      created_by: creatorId,
      created_at: tx.now,
      updated_at: tx.now,
      deleted_at: null,
      ...notRequested,
    })
    .execute();
  await putEntityRows(tx, [
    {
      layer: headId,
      kind: "view",
      id: viewId,
      op: "head",
      edit_rev: 1,
      base_rev: 0,
      name: defaultViewName,
      body: JSON.stringify({ name: defaultViewName, isDefault: true }),
    },
  ]);
  await tx.db
    .insertInto("member")
    .values({
      workspace_id: id,
      user_id: creatorId,
      role: "OWNER",
      created_at: tx.now,
      is_default: isDefault ? 1 : 0,
    })
    .execute();
  recordEvent(tx, {
    workspaceId: id,
    actor: creatorId,
    kind: "workspace.created",
    subject: id,
    data: { displayName: workspace.displayName },
  });
  return workspaceOf(row);
}

/** A user prefers one workspace at most: two that are created at once wait for each other here. */
async function forgetDefault(tx: Tx, userId: string): Promise<void> {
  await tx.engine.hold(tx.db, `default workspace of ${userId}`);
  await tx.db
    .updateTable("member")
    .set({ is_default: 0 })
    .where("user_id", "=", userId)
    .where("is_default", "=", 1)
    .execute();
}

/** The workspace, unless it was deleted. */
export async function findWorkspace(reads: Reads, id: string): Promise<Workspace | undefined> {
  const row = await reads.db
    .selectFrom("workspace")
    .selectAll()
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row === undefined ? undefined : workspaceOf(row);
}

/** The workspace; throws `workspaceNotFound`. */
export async function getWorkspace(reads: Reads, id: string): Promise<Workspace> {
  return (await findWorkspace(reads, id)) ?? fail("workspaceNotFound");
}

/** The counter that moves with the workspace's own lists (change sets, members); throws `workspaceNotFound`. */
export async function workspaceRevision(reads: Reads, id: string): Promise<number> {
  const row = await reads.db.selectFrom("workspace").select("rev").where("id", "=", id).executeTakeFirst();
  return row?.rev ?? fail("workspaceNotFound");
}

/** The workspace as the user sees it; throws `workspaceNotFound`, also when it was deleted. */
export async function getWorkspaceOf(
  reads: Reads,
  workspaceId: string,
  userId: string,
): Promise<WorkspaceOf> {
  const row = await seenBy(reads, userId).where("workspace.id", "=", workspaceId).executeTakeFirst();
  return row === undefined ? fail("workspaceNotFound") : seenWorkspace(row);
}

/** Workspaces that the user is a member of, quarantined ones too: the preferred one, then oldest membership first. */
export async function listWorkspacesOf(reads: Reads, userId: string): Promise<JoinedWorkspace[]> {
  const rows = await seenBy(reads, userId)
    .where("member.user_id", "=", userId)
    .orderBy("member.is_default", "desc")
    .orderBy("member.created_at")
    .orderBy("workspace.id")
    .execute();
  return rows.flatMap((row) => (row.role === null ? [] : [{ ...seenWorkspace(row), role: row.role }]));
}

const seenBy = (reads: Reads, userId: string) =>
  reads.db
    .selectFrom("workspace")
    .leftJoin("member", (join) =>
      join.onRef("member.workspace_id", "=", "workspace.id").on("member.user_id", "=", userId),
    )
    .leftJoin("user", "user.id", "workspace.creator")
    .selectAll("workspace")
    .select(["member.role", "member.is_default", "user.name as creator_name"])
    .where("workspace.deleted_at", "is", null);

interface SeenRow extends WorkspaceTable {
  readonly role: Role | null;
  readonly is_default: number | null;
  readonly creator_name: string | null;
}

const seenWorkspace = (row: SeenRow): WorkspaceOf => ({
  workspace: workspaceOf(row),
  role: row.role ?? undefined,
  isDefault: row.is_default === 1,
  creatorName: row.creator_name ?? undefined,
});

const workspaceOf = (row: WorkspaceTable): Workspace => ({
  id: row.id,
  headId: row.head_id,
  displayName: row.display_name,
  description: row.description,
  instanceUrl: row.instance_url ?? undefined,
  instanceEnvType: row.instance_env_type,
  approvalsEnabled: row.approvals_enabled === 1,
  externalId: row.external_id ?? undefined,
  creatorId: row.creator,
  createdAt: row.created_at,
  quarantinedAt: row.quarantined_at ?? undefined,
});
