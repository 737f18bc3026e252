import { sql, type Transaction } from "kysely";
import type { Engine } from "./engine.ts";
import type { Store, Tx } from "./open.ts";
import type { EventTable, Tables } from "./tables.ts";

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

/** An event of a transaction that is under way. */
export interface PendingEvent {
  readonly row: Omit<EventTable, "seq">;
  /** 1 where lists of the workspace itself (change sets, members) count as changed. */
  readonly bump: 0 | 1;
}

/**
 * Notes an event of the write that is under way. It is numbered and stored as the last of the transaction, because the
 * workspace's row comes last in the order of locks, and once for all who share the commit. With `bump`, lists of the
 * workspace itself (change sets, members) count as changed.
 */
export function recordEvent(tx: Tx, event: NewEvent, bump: 0 | 1 = 0): void {
  const { workspaceId, actor, kind, changeSetId, subject, data } = event;
  const row = {
    workspace_id: workspaceId,
    at: tx.now,
    actor,
    kind,
    layer: changeSetId ?? null,
    subject: subject ?? null,
    data: data === undefined ? null : JSON.stringify(data),
  };
  tx.events.push({ row, bump });
  tx.changed(workspaceId);
}

/** Locks a workspace: whatever else is written to it waits for the end of this transaction. */
export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  await sql`update workspace set rev = rev where id = ${workspaceId}`.execute(tx.db);
}

/**
 * Locks several workspaces in one statement. All who do so come one after the other, so that no two wait for each
 * other's rows.
 */
export async function lockWorkspaces(tx: Tx, workspaceIds: readonly string[]): Promise<void> {
  await tx.engine.hold(tx.db, "several workspaces");
  await sql`update workspace set rev = rev where id ${tx.engine.within(workspaceIds)}`.execute(tx.db);
}

/**
 * Numbers and stores events in their order. Its statements do not grow with the workspaces, but with how differently
 * many events they have.
 */
export async function writeEvents(
  { engine, db }: { readonly engine: Engine; readonly db: Transaction<Tables> },
  events: readonly PendingEvent[],
): Promise<void> {
  const next = new Map<string, number>();
  for (const { count, bump, ids } of alike(events)) {
    const { rows } = await sql<{ id: string; event_seq: number }>`
      update workspace set event_seq = event_seq + ${count}, rev = rev + ${bump} where id ${engine.within(ids)}
      returning id, event_seq`.execute(db);
    for (const { id, event_seq } of rows) next.set(id, event_seq - count + 1);
  }
  const rows = events.map(({ row }): EventTable => {
    const seq = next.get(row.workspace_id);
    if (seq === undefined) throw new Error(`no workspace ${row.workspace_id} to record an event in`);
    next.set(row.workspace_id, seq + 1);
    return { ...row, seq };
  });
  await engine.bulk(db, "event", eventColumns, rows);
}

interface Alike {
  readonly count: number;
  readonly bump: number;
  readonly ids: string[];
}

/** The workspaces of events, those with as many events and bumps together, in ascending order of id. */
function alike(events: readonly PendingEvent[]): Iterable<Alike> {
  const sums = new Map<string, { count: number; bump: number }>();
  for (const { row, bump } of events) {
    const sum = sums.get(row.workspace_id) ?? { count: 0, bump: 0 };
    sums.set(row.workspace_id, { count: sum.count + 1, bump: sum.bump + bump });
  }
  const found = new Map<string, Alike>();
  for (const [id, { count, bump }] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const known = found.get(`${count} ${bump}`) ?? { count, bump, ids: [] };
    known.ids.push(id);
    found.set(`${count} ${bump}`, known);
  }
  return found.values();
}

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
