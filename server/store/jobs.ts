import { sql } from "kysely";
import type { Store } from "./open.ts";
import { jobsKey, wantJobIn } from "./roots.ts";

/** A piece of work that this process holds until its lease ends. */
export interface Job {
  /** `<kind>:<what>`, the same for the same work. */
  readonly key: string;
  readonly kind: string;
  /** How often it was asked for when it was leased. */
  readonly wanted: number;
}

/** How long a lease lasts without renewal: a process that died is replaced after that. */
export const leaseMs = 30_000;
/** How often a lease is renewed: a third, so that two renewals may fail. */
export const renewMs = leaseMs / 3;

/** Asks for a job in a transaction of its own. */
export const wantJob = (store: Store, kind: string, subject: string): Promise<void> =>
  store.write((tx) => wantJobIn(tx, kind, subject));

/** For whom a job is leased, and which keys are not to be: a process never takes its own work from itself. */
export interface LeaseOptions {
  readonly owner?: string;
  readonly except?: readonly string[];
}

/** Leases the job that waits longest, or one whose owner's lease ended; undefined when there is none of these kinds. */
export async function leaseJob(
  store: Store,
  kinds: readonly string[],
  { owner = store.instance, except = [] }: LeaseOptions = {},
): Promise<Job | undefined> {
  const { within, now, forUpdateSkipLocked } = store.engine;
  return store.write(async (tx) => {
    const { rows } = await sql<Job>`
      update job set owner = ${owner}, lease_until = ${now()} + ${leaseMs}
      where key = (select key from job where lease_until <= ${now()} and kind ${within(kinds)}
            and not (key ${within(except)})
          order by lease_until, key limit 1 ${forUpdateSkipLocked})
        and lease_until <= ${now()}
      returning key, kind, wanted`.execute(tx.db);
    return rows[0];
  });
}

/** Prolongs the lease; false when it was lost, and the work must stop. */
export async function renewJob(store: Store, job: Job, owner = store.instance): Promise<boolean> {
  return store.write(async (tx) => {
    const { rows } = await sql`
      update job set lease_until = ${store.engine.now()} + ${leaseMs} where key = ${job.key} and owner = ${owner}
      returning key`.execute(tx.db);
    return rows.length > 0;
  });
}

/** Ends the job; when it was asked for since it was leased, it is free to be leased again instead. */
export async function finishJob(store: Store, job: Job, owner = store.instance): Promise<void> {
  await store.write(async (tx) => {
    const { rows } = await sql`
      delete from job where key = ${job.key} and owner = ${owner} and wanted = ${job.wanted}
      returning key`.execute(tx.db);
    if (rows.length > 0) return;
    await sql`update job set owner = null, lease_until = 0 where key = ${job.key} and owner = ${owner}`.execute(
      tx.db,
    );
    tx.changed(jobsKey);
  });
}

/** Gives a job that failed back, to be leased again no sooner than in `delayMs`. */
export async function deferJob(
  store: Store,
  job: Job,
  delayMs: number,
  owner = store.instance,
): Promise<void> {
  await store.write((tx) =>
    sql`update job set owner = null, lease_until = ${store.engine.now()} + ${delayMs}
      where key = ${job.key} and owner = ${owner}`.execute(tx.db),
  );
}

/** Frees every lease where no other process can hold one: those that a process before this one left behind. */
export async function takeOverJobs(store: Store): Promise<void> {
  if (store.engine.shared) return;
  await store.write((tx) => sql`update job set owner = null, lease_until = 0`.execute(tx.db));
}

/** How many jobs wait or run. */
export async function countJobs(store: Store): Promise<number> {
  const row = await store.db
    .selectFrom("job")
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  return row?.count ?? 0;
}
