import { sql } from "kysely";
import { touchLayers } from "./layer.ts";
import type { Reads, Store } from "./open.ts";

/** Runs of a function on a component that are kept however old they are: as many as a history lists. */
const kept = 10;
/** Components looked at in one go, by their rows of an index alone. */
const componentsEach = 100;
/** Runs forgotten in one transaction: keeps writers waiting for some 10 ms at most. */
const batchSize = 500;

/**
 * Forgets runs that began before `before` with their logs: all but the newest ten of each function on each component,
 * for each binding and change set, where those of applied change sets count as the head's; of deleted change sets all.
 * Runs that have not ended stay. Returns how many went.
 */
export async function forgetRuns(store: Store, before: number): Promise<number> {
  let forgotten = await forgetOf(store, before, sql`n.component_id is null`);
  for (let after = ""; ; ) {
    const { rows } = await sql<{ component_id: string }>`
      select distinct component_id from func_run where component_id > ${after}
      order by component_id limit ${componentsEach}`.execute(store.db);
    const ids = rows.map((row) => row.component_id);
    const last = ids.at(-1);
    if (last === undefined) return forgotten;
    forgotten += await forgetOf(store, before, sql`n.component_id ${store.engine.within(ids)}`);
    after = last;
  }
}

async function forgetOf(store: Store, before: number, which: ReturnType<typeof sql>): Promise<number> {
  for (let forgotten = 0; ; ) {
    const old = await findOld(store, before, which);
    const ids = old.map(({ id }) => id);
    if (ids.length > 0) {
      await store.write(async (tx) => {
        // Lists of runs read otherwise.
        await touchLayers(
          tx,
          old.map(({ layer }) => layer),
        );
        await sql`delete from func_log where run_id ${tx.engine.within(ids)}`.execute(tx.db);
        await sql`delete from func_run where id ${tx.engine.within(ids)}`.execute(tx.db);
      });
    }
    forgotten += ids.length;
    // SQLite answers at once, so without this no socket and no timer would be served meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    if (ids.length < batchSize) return forgotten;
  }
}

async function findOld(
  reads: Reads,
  before: number,
  which: ReturnType<typeof sql>,
): Promise<{ readonly id: string; readonly layer: string }[]> {
  const layer = sql`case c.status when 'Applied' then c.head_id else c.id end`;
  const { rows } = await sql<{ id: string; layer: string }>`
    select r.id, r.layer
    from (select n.id, c.deleted_at, row_number() over (
            partition by ${layer}, n.component_id, n.func_id, n.prototype_id order by n.id desc) as place
        from func_run n join change_set c on c.id = n.layer where ${which}) ranked
      join func_run r on r.id = ranked.id
    where (ranked.place > ${kept} or ranked.deleted_at is not null) and r.created_at < ${before}
      and r.finalized = 1
    limit ${batchSize}`.execute(reads.db);
  return rows;
}

/** Forgets code of which no run is kept and none began since `before`. Returns how many sources went. */
export async function forgetRunCode(store: Store, before: number): Promise<number> {
  for (let [after, forgotten] = ["", 0]; ; ) {
    const { rows } = await sql<{ hash: string; used: number | null }>`
      select hash, (select 1 from func_run r where r.code_hash = hash limit 1) as used from func_code
      where hash > ${after} and updated_at < ${before} order by hash limit ${batchSize}`.execute(store.db);
    const gone = rows.filter(({ used }) => used === null).map(({ hash }) => hash);
    if (gone.length > 0) {
      // Whoever begins a run of it meanwhile has moved the time, or writes it anew.
      await store.write((tx) =>
        sql`delete from func_code where hash ${tx.engine.within(gone)} and updated_at < ${before}`.execute(
          tx.db,
        ),
      );
    }
    forgotten += gone.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return forgotten;
    after = last.hash;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
