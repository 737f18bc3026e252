import { sql } from "kysely";
import { fail } from "../../src/contract/errors.ts";
import type { Reads, Store } from "./open.ts";
import type { EventTable } from "./tables.ts";

/** Who did something; both are null for an account that is gone, the e-mail also for a collective. */
export interface EventActor {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** One event as people read it. */
export interface HistoryEvent {
  readonly seq: number;
  readonly at: number;
  readonly actor: EventActor;
  readonly kind: string;
  readonly changeSetId: string | null;
  readonly subject: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A piece of a workspace's history, and between which numbers it is kept. */
export interface History {
  readonly events: readonly HistoryEvent[];
  /** One more than `newest` when none is kept. */
  readonly oldest: number;
  readonly newest: number;
}

/** Events after number `since`, oldest first, at most `limit`; throws `workspaceNotFound`. */
export async function readHistory(
  reads: Reads,
  workspaceId: string,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<History> {
  type Row = EventTable & { readonly name: string | null; readonly email: string | null };
  // Read before the events, so that what is newer than this number shows at the next look.
  const { rows: bounds } = await sql<{ newest: number; oldest: number | null }>`
    select w.event_seq as newest, (select min(e.seq) from event e where e.workspace_id = w.id) as oldest
    from workspace w where w.id = ${workspaceId}`.execute(reads.db);
  const bound = bounds[0] ?? fail("workspaceNotFound");
  const { rows } = await sql<Row>`
    select e.*, coalesce(u.name, c.name) as name, u.email from event e
    left join "user" u on u.id = e.actor left join collective c on c.id = e.actor
    where e.workspace_id = ${workspaceId} and e.seq > ${since} order by e.seq limit ${limit}`.execute(
    reads.db,
  );
  const events = rows.map(
    (row): HistoryEvent => ({
      seq: row.seq,
      at: row.at,
      actor: { id: row.actor, name: row.name, email: row.email },
      kind: row.kind,
      changeSetId: row.layer,
      subject: row.subject,
      data: row.data === null ? {} : JSON.parse(row.data),
    }),
  );
  const newest = Math.max(bound.newest, events.at(-1)?.seq ?? 0);
  return { events, newest, oldest: bound.oldest ?? newest + 1 };
}

/** Events forgotten in one transaction: keeps writers waiting for some 10 ms at most. */
const batchSize = 1_000;

/**
 * Forgets events older than `before`, in short transactions; numbers are never used again. Workspaces that lost some
 * get a new revision, since their histories read otherwise. Returns how many went.
 */
export async function forgetEvents(store: Store, before: number): Promise<number> {
  for (let forgotten = 0; ; ) {
    const gone = await forgetBatch(store, before);
    forgotten += gone;
    if (gone < batchSize) return forgotten;
    // SQLite answers at once, so without this no socket and no timer would be served meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function forgetBatch(store: Store, before: number): Promise<number> {
  // Most sweeps find nothing, and then no writer has to wait.
  const { rows: old } = await sql<{ workspace_id: string; seq: number }>`
    select workspace_id, seq from event where at < ${before} order by at limit ${batchSize}`.execute(
    store.db,
  );
  const upTo = new Map<string, number>();
  for (const { workspace_id, seq } of old) upTo.set(workspace_id, Math.max(seq, upTo.get(workspace_id) ?? 0));
  for (const [workspaceId, seq] of [...upTo].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await store.write(async (tx) => {
      await sql`delete from event where workspace_id = ${workspaceId} and seq <= ${seq} and at < ${before}`.execute(
        tx.db,
      );
      await sql`update workspace set rev = rev + 1 where id = ${workspaceId}`.execute(tx.db);
      tx.changed(workspaceId);
    });
  }
  return old.length;
}
