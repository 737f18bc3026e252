import { sql } from "kysely";
import { type Collective, collectiveOf } from "./collectives.ts";
import { recordEvent } from "./events.ts";
import type { Reads } from "./open.ts";
import { type WorkspaceChange, wakeHeld } from "./workspace-changes.ts";

/** A collective whose tokens may act in a workspace. */
export interface CollectiveGrant {
  readonly collective: Collective;
  readonly createdAt: number;
}

/** A workspace in which the tokens of a collective may act. */
export interface GrantedWorkspace {
  readonly id: string;
  readonly displayName: string;
}

/** Collectives that a workspace was granted to, by slug. */
export async function listGrants(reads: Reads, workspaceId: string): Promise<CollectiveGrant[]> {
  const rows = await reads.db
    .selectFrom("collective_grant as g")
    .innerJoin("collective as c", "c.id", "g.collective_id")
    .selectAll("c")
    .select("g.created_at as granted_at")
    .where("g.workspace_id", "=", workspaceId)
    .orderBy("c.slug")
    .execute();
  return rows.map(({ granted_at, ...row }) => ({ collective: collectiveOf(row), createdAt: granted_at }));
}

/** Workspaces that were granted to a collective, those not deleted, oldest grant first. */
export function listGrantedWorkspaces(reads: Reads, collectiveId: string): Promise<GrantedWorkspace[]> {
  return reads.db
    .selectFrom("collective_grant as g")
    .innerJoin("workspace as w", "w.id", "g.workspace_id")
    .select(["w.id", "w.display_name as displayName"])
    .where("g.collective_id", "=", collectiveId)
    .where("w.deleted_at", "is", null)
    .orderBy("g.created_at")
    .orderBy("w.id")
    .execute();
}

/** Lets the tokens of a collective act in the workspace; again leaves nothing. */
export async function grantWorkspace(
  { tx, workspace, actor }: WorkspaceChange,
  collective: Collective,
): Promise<void> {
  const granted = await tx.db
    .insertInto("collective_grant")
    .values({
      workspace_id: workspace.id,
      collective_id: collective.id,
      granted_by: actor,
      created_at: tx.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("collective_id")
    .execute();
  if (granted.length === 0) return;
  const { id: subject, slug, name } = collective;
  const event = { workspaceId: workspace.id, actor, subject, data: { slug, name } };
  recordEvent(tx, { ...event, kind: "collective.granted" }, 1);
}

/** Takes the workspace back from a collective, and ends what its tokens hold there. */
export async function ungrantWorkspace(
  { tx, workspace, actor }: WorkspaceChange,
  { id: subject, slug, name }: Collective,
): Promise<void> {
  await sql`delete from collective_grant
    where workspace_id = ${workspace.id} and collective_id = ${subject}`.execute(tx.db);
  wakeHeld(tx, workspace);
  const event = { workspaceId: workspace.id, actor, subject, data: { slug, name } };
  recordEvent(tx, { ...event, kind: "collective.ungranted" }, 1);
}
