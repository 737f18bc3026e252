import { sql } from "kysely";
import type { Store, Tx } from "./open.ts";
import type { EventTable } from "./tables.ts";

/** What an event can tell; `data` carries the rest. */
export type EventKind =
  | "workspace.created"
  | "workspace.restored"
  | "workspace.quarantined"
  | "workspace.quarantine_lifted"
  | "member.changed"
  | "change_set.created"
  | "change_set.abandoned"
  | "change_set.applied"
  | "component.created"
  | "component.changed"
  | "component.marked_for_deletion"
  | "component.restored"
  | "component.erased"
  | "entity.changed";

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
  await tx.db
    .insertInto("event")
    .values({
      workspace_id: event.workspaceId,
      seq,
      at: tx.now,
      actor: event.actor,
      kind: event.kind,
      layer: event.changeSetId ?? null,
      subject: event.subject ?? null,
      data: event.data === undefined ? null : JSON.stringify(event.data),
    })
    .execute();
  tx.changed(event.workspaceId);
}

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

/** Forgets events older than `before`; numbers are never used again. */
export async function pruneEvents(store: Store, before: number): Promise<void> {
  await store.write((tx) => tx.db.deleteFrom("event").where("at", "<", before).execute());
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
