import { sql } from "kysely";
import { type ErrorName, fail } from "../../src/contract/errors.ts";
import { lockWorkspace, recordEvent } from "./events.ts";
import type { Reads, Store, Tx } from "./open.ts";
import type { InstanceEnvType } from "./people-tables.ts";
import { revokeWorkspaceTokensOf } from "./workspace-tokens.ts";
import { getWorkspaceOf, type JoinedWorkspace, type Workspace } from "./workspaces.ts";

/** Who does something to a workspace. */
export interface WorkspaceTarget {
  readonly workspaceId: string;
  /** The user who asks, and to whom the change is attributed. */
  readonly actor: string;
}

/** A change of a workspace that is under way: its row is locked, and the actor is a member of that role. */
export interface WorkspaceChange extends JoinedWorkspace {
  readonly tx: Tx;
  readonly actor: string;
}

/** What a change needs besides the workspace's lock. */
export interface ChangeNeeds {
  /** What a stranger is answered with. Default `forbidden`. */
  readonly stranger?: ErrorName;
  /** An e-mail address whose account and invitations nobody else changes meanwhile. */
  readonly address?: string;
  /** Slug of a collective that nobody else grants a workspace meanwhile, and that is not deleted meanwhile. */
  readonly grantsOf?: string;
  /** Whether the head shows something of the change: its row comes before the workspace's in the order of locks. */
  readonly head?: boolean;
}

/** The workspace as a member sees it. Throws `workspaceNotFound`, and `forbidden` or what else a stranger is told. */
export async function getJoinedWorkspace(
  reads: Reads,
  { workspaceId, actor }: WorkspaceTarget,
  stranger: ErrorName = "forbidden",
): Promise<JoinedWorkspace> {
  const { role, ...found } = await getWorkspaceOf(reads, workspaceId, actor);
  return role === undefined ? fail(stranger, "you are not a member of this workspace") : { ...found, role };
}

/**
 * One write by a member: locks the workspace, so that changes of one workspace come one after the other, and runs `work`,
 * which records one event if it changes anything. Throws as {@link getJoinedWorkspace} does, and `workspaceQuarantined`.
 */
export function changeWorkspace<T>(
  store: Store,
  target: WorkspaceTarget,
  needs: ChangeNeeds,
  work: (change: WorkspaceChange) => Promise<T>,
): Promise<T> {
  const { workspaceId, actor } = target;
  return store.write(async (tx) => {
    if (needs.address !== undefined) await holdAddress(tx, needs.address);
    if (needs.grantsOf !== undefined) await holdGrants(tx, needs.grantsOf);
    if (needs.head === true) {
      await sql`update change_set set rev = rev
        where id = (select head_id from workspace where id = ${workspaceId})`.execute(tx.db);
    }
    await lockWorkspace(tx, workspaceId);
    const found = await getJoinedWorkspace(tx, target, needs.stranger);
    if (found.workspace.quarantinedAt !== undefined) fail("workspaceQuarantined");
    return work({ ...found, tx, actor });
  });
}

/** Makes whoever signs up with this address, or is invited by it, wait until the transaction ends. */
export const holdAddress = (tx: Tx, email: string): Promise<void> =>
  tx.engine.hold(tx.db, `address ${email}`);

/** Makes whoever grants a workspace to this collective, or deletes it, wait until the transaction ends. */
export const holdGrants = (tx: Tx, slug: string): Promise<void> => tx.engine.hold(tx.db, `grants of ${slug}`);

/** Makes requests that are held in the workspace judge their callers again. */
export function wakeHeld(tx: Tx, { id, headId }: Pick<Workspace, "id" | "headId">): void {
  tx.changed(id);
  tx.changed(headId);
}

/** What a change of a workspace may set; what is absent stays. */
export interface WorkspaceFields {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly instanceUrl?: string | undefined;
  readonly instanceEnvType?: InstanceEnvType | undefined;
  readonly approvalsEnabled?: boolean | undefined;
}

/** Sets what is known of a workspace; what it says already leaves nothing. A change of approvals needs the head. */
export async function updateWorkspace(
  { tx, workspace, actor }: WorkspaceChange,
  fields: WorkspaceFields,
): Promise<Workspace> {
  const changed = Object.fromEntries(
    // The keys of an object of this type; what is undefined was not asked for.
    (Object.keys(fields) as (keyof WorkspaceFields)[])
      .filter((name) => fields[name] !== undefined && fields[name] !== workspace[name])
      .map((name) => [name, fields[name]]),
  );
  if (Object.keys(changed).length === 0) return workspace;
  const after: Workspace = { ...workspace, ...changed };
  await tx.db
    .updateTable("workspace")
    .set({
      display_name: after.displayName,
      description: after.description,
      instance_url: after.instanceUrl ?? null,
      instance_env_type: after.instanceEnvType,
      approvals_enabled: after.approvalsEnabled ? 1 : 0,
    })
    .where("id", "=", workspace.id)
    .execute();
  if (after.approvalsEnabled !== workspace.approvalsEnabled) {
    // Whether a change set is ready to be merged is shown in every layer.
    await sql`update change_set set rev = rev + 1 where id = ${workspace.headId}`.execute(tx.db);
    tx.changed(workspace.headId);
  }
  const event = { workspaceId: workspace.id, actor, subject: workspace.id, data: changed };
  recordEvent(tx, { ...event, kind: "workspace.updated" }, 1);
  return after;
}

/** Hides a workspace from everybody and revokes its tokens; its data stays until the operator brings it back. */
export async function deleteWorkspace({ tx, workspace, actor }: WorkspaceChange): Promise<void> {
  const { id } = workspace;
  await tx.db.updateTable("workspace").set({ deleted_at: tx.now }).where("id", "=", id).execute();
  await revokeWorkspaceTokensOf(tx, id);
  recordEvent(tx, { workspaceId: id, actor, kind: "workspace.deleted", subject: id }, 1);
  wakeHeld(tx, workspace);
}
