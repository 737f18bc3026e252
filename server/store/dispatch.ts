import { sql } from "kysely";
import type { LockedLayer } from "./layer.ts";
import type { Reads, Tx } from "./open.ts";
import { jobsKey } from "./roots.ts";

/** Kind of the job that lets a head's actions begin; its key is `dispatch:<head>`. */
export const dispatchKind = "dispatch";
/** Kind of the job that carries out one action; its key is `action:<id>`. */
export const actionKind = "action";

/** Asks to look which of the head's waiting actions may begin; where none waits nothing is asked. */
export async function wantDispatch(tx: Tx, headId: string): Promise<void> {
  const { rows } = await sql`insert into job(key, kind, wanted, owner, lease_until)
    select ${`${dispatchKind}:${headId}`}, ${dispatchKind}, 1, null, 0
    where exists (select 1 from action where layer = ${headId} and state = 'Pending')
    on conflict(key) do update set wanted = job.wanted + 1 returning key`.execute(tx.db);
  if (rows.length > 0) tx.changed(jobsKey);
}

/** Hands waiting actions of the head, which this transaction holds, to whoever works: each with a job of its own. */
export async function dispatchActions(
  tx: Tx,
  head: LockedLayer,
  actionIds: readonly string[],
): Promise<void> {
  if (actionIds.length === 0) return;
  const these = sql`layer = ${head.id} and id ${tx.engine.within(actionIds)}`;
  await sql`update action set state = 'Dispatched' where ${these} and state = 'Pending'`.execute(tx.db);
  await sql`insert into job(key, kind, wanted, owner, lease_until)
    select ${`${actionKind}:`} || id, ${actionKind}, 1, null, 0 from action where ${these}
    on conflict(key) do update set wanted = job.wanted + 1`.execute(tx.db);
  tx.changed(jobsKey);
}

/** Those of the components that the head has marked for deletion. */
export async function findMarked(
  reads: Reads,
  headId: string,
  componentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select id from component
    where layer = ${headId} and to_delete = 1 and id ${reads.engine.within(componentIds)}`.execute(reads.db);
  return new Set(rows.map(({ id }) => id));
}
