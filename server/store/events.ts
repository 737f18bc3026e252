import { sql } from "kysely";
import type { Store, Tx } from "./open.ts";
import type { EventTable } from "./tables.ts";

/** What an event can tell; `data` carries the rest. */
export type EventKind =
  | "workspace.created"
  | "workspace.updated"
  | "workspace.deleted"
  | "workspace.restored"
  | "workspace.quarantined"
  | "workspace.quarantine_lifted"
  | "workspace_token.created"
  | "workspace_token.revoked"
  | "member.invited"
  | "member.added"
  | "member.joined"
  | "member.changed"
  | "member.removed"
  | "member.left"
  | "collective.granted"
  | "collective.ungranted"
  | "user.suspended"
  | "user.reinstated"
  | "change_set.created"
  | "change_set.abandoned"
  | "change_set.approval_requested"
  | "change_set.approved"
  | "change_set.rejected"
  | "change_set.reopened"
  | "change_set.applied"
  | "component.created"
  | "component.duplicated"
  | "component.changed"
  | "component.added_to_view"
  | "component.managed"
  | "component.upgraded"
  | "component.marked_for_deletion"
  | "component.restored"
  | "component.erased"
  | "component.discarded"
  | "component.refreshed"
  | "component.removed"
  | "action.queued"
  | "action.cancelled"
  | "action.held"
  | "action.retried"
  | "action.succeeded"
  | "action.failed"
  | "secret.created"
  | "secret.changed"
  | "secret.deleted"
  | "function.bound"
  | "function.detached"
  | "function.created"
  | "function.changed"
  | "function.unlocked"
  | "function_run.cancelled"
  | "management_job.started"
  | "management_job.applied"
  | "debug_job.started"
  | "job.cancelled"
  | "schema.created"
  | "schema.installed"
  | "schema.contributed"
  | "schema.unlocked"
  | "schema.changed"
  | "entity.changed"
  | "policy_report.created";

/** Who did what the server did by itself, such as carrying out an action: no account has this id. */
export const serverActor = "server";

/** Who did what, in which change set, when: one per acknowledged write. */
export interface WorkspaceEvent {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly kind: string;
  readonly changeSetId: string | undefined;
  /** Id of what it happened to. */
  readonly subject: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface NewEvent {
  readonly workspaceId: string;
  readonly actor: string;
  readonly kind: EventKind;
  readonly changeSetId?: string;
  readonly subject?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Numbers and stores an event in the write's own transaction, as its last statement: the workspace's row comes
 * last in the order of locks. With `bump`, lists of the workspace itself (change sets, members) count as changed.
 */
export async function recordEvent(tx: Tx, event: NewEvent, bump: 0 | 1 = 0): Promise<void> {
  const numbered = await sql<{ event_seq: number }>`
    update workspace set event_seq = event_seq + 1, rev = rev + ${bump} where id = ${event.workspaceId}
    returning event_seq`.execute(tx.db);
  const seq = numbered.rows[0]?.event_seq;
  if (seq === undefined) throw new Error(`no workspace ${event.workspaceId} to record an event in`);
  await tx.engine.bulk(tx.db, "event", eventColumns, [rowOf(tx, event, event.workspaceId, seq)]);
  tx.changed(event.workspaceId);
}

/**
 * Locks several workspaces in one statement. All who do so come one after the other, so that no two wait for each
 * other's rows.
 */
export async function lockWorkspaces(tx: Tx, workspaceIds: readonly string[]): Promise<void> {
  await tx.engine.hold(tx.db, "several workspaces");
  await sql`update workspace set rev = rev where id ${tx.engine.within(workspaceIds)}`.execute(tx.db);
}

/** The same event in each of several workspaces that are locked; its statements do not grow with them. */
export async function recordEventInEach(
  tx: Tx,
  workspaceIds: readonly string[],
  event: Omit<NewEvent, "workspaceId">,
  bump: 0 | 1 = 0,
): Promise<void> {
  if (workspaceIds.length === 0) return;
  const { rows } = await sql<{ id: string; event_seq: number }>`
    update workspace set event_seq = event_seq + 1, rev = rev + ${bump} where id ${tx.engine.within(workspaceIds)}
    returning id, event_seq`.execute(tx.db);
  const events = rows.map(({ id, event_seq }) => rowOf(tx, event, id, event_seq));
  await tx.engine.bulk(tx.db, "event", eventColumns, events);
  for (const { id } of rows) tx.changed(id);
}

const rowOf = (
  tx: Tx,
  event: Omit<NewEvent, "workspaceId">,
  workspaceId: string,
  seq: number,
): EventTable => ({
  workspace_id: workspaceId,
  seq,
  at: tx.now,
  actor: event.actor,
  kind: event.kind,
  layer: event.changeSetId ?? null,
  subject: event.subject ?? null,
  data: event.data === undefined ? null : JSON.stringify(event.data),
});
const eventColumns = ["workspace_id", "seq", "at", "actor", "kind", "layer", "subject", "data"] as const;

/** Events after number `since`, oldest first, at most `limit`: no later commit ever appears before them. */
export async function listEvents(
  store: Store,
  workspaceId: string,
  { since = 0, limit = 100 }: { readonly since?: number; readonly limit?: number } = {},
): Promise<WorkspaceEvent[]> {
  const rows = await store.db
    .selectFrom("event")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("seq", ">", since)
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map(eventOf);
}

const eventOf = (row: EventTable): WorkspaceEvent => ({
  seq: row.seq,
  at: row.at,
  actor: row.actor,
  kind: row.kind,
  changeSetId: row.layer ?? undefined,
  subject: row.subject ?? undefined,
  data: row.data === null ? {} : JSON.parse(row.data),
});
