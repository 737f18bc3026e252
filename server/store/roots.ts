import { type RawBuilder, sql } from "kysely";
import { definitionRows, headBindings, type Reach, reachedIn, reachOf } from "./definition-reach.ts";
import { grouped } from "./grouped.ts";
import type { Reads, Tx } from "./open.ts";
import { inActive } from "./status.ts";

/** What a worker watches to hear of new work. */
export const jobsKey = "jobs";
/** Kind of the job that works off a layer's roots; its key is `propagate:<layer>`. */
export const propagateKind = "propagate";

/** Components that are to be marked, by layer. */
export type Roots = Map<string, Set<string>>;

/** Where rows are written. */
type Writes = Pick<Tx, "store" | "engine" | "db">;

/** Adds components of a layer. */
export function gatherRoots(roots: Roots, layerId: string, componentIds: Iterable<string>): void {
  const known = roots.get(layerId) ?? new Set();
  for (const id of componentIds) known.add(id);
  roots.set(layerId, known);
}

/**
 * Notes roots of the write that is under way, and the propagation that works them off: they are marked as the last of
 * the transaction, and once for all who share the commit.
 */
export function leaveRoots(tx: Tx, layerId: string, componentIds: Iterable<string>): void {
  gatherRoots(tx.roots, layerId, componentIds);
  tx.changed(jobsKey);
}

/** Marks the roots that were left, by layer, and asks for their propagations. */
export async function markLeft(tx: Writes, roots: Roots): Promise<void> {
  const layers = [...roots.keys()].sort();
  for (const layer of layers) await addRoots(tx, layer, roots.get(layer) ?? []);
  for (const layer of layers) await wantJob(tx, propagateKind, layer);
}

/** Marks components as "recompute it and everyone that reads it", in ascending order, all with one fresh mark. */
export async function addRoots(tx: Writes, layerId: string, componentIds: Iterable<string>): Promise<void> {
  const mark = tx.store.id();
  const rows = [...new Set(componentIds)].sort().map((component) => ({ layer: layerId, component, mark }));
  await tx.engine.bulk(tx.db, "root", rootColumns, rows, markedAnew);
}
const rootColumns = ["layer", "component", "mark"] as const;
const markedAnew = { key: ["layer", "component"], update: ["mark"] } as const;

/** Asks for a job in a transaction; asking again while it runs makes it run once more. */
export async function wantJobIn(tx: Tx, kind: string, subject: string): Promise<void> {
  await wantJob(tx, kind, subject);
  tx.changed(jobsKey);
}

async function wantJob({ db }: Writes, kind: string, subject: string): Promise<void> {
  await sql`insert into job(key, kind, wanted, owner, lease_until)
    values (${`${kind}:${subject}`}, ${kind}, 1, null, 0)
    on conflict(key) do update set wanted = job.wanted + 1`.execute(db);
}

/** Asks for a propagation of this layer; asking twice counts, so that a finish can tell whether more came. */
export const wantPropagation = (tx: Tx, layerId: string): Promise<void> =>
  wantJobIn(tx, propagateKind, layerId);

/** Whether values of this layer are still to be computed. */
export async function hasRoots(reads: Reads, layerId: string): Promise<boolean> {
  const rows = await reads.db
    .selectFrom("root")
    .select("mark")
    .where("layer", "=", layerId)
    .limit(1)
    .execute();
  return rows.length > 0;
}

/** The components of a layer that are still to be recomputed, with everyone that reads them. */
export async function listRoots(reads: Reads, layerId: string): Promise<string[]> {
  const rows = await reads.db.selectFrom("root").select("component").where("layer", "=", layerId).execute();
  return rows.map(({ component }) => component);
}

/** How the head moved. */
export interface HeadMove {
  readonly headId: string;
  /** The layer that moved it: a change set that was applied, or the head itself. */
  readonly by: string;
  /** Components whose rows the head has got or lost. */
  readonly touched: readonly string[];
  /** What the definitions that came with it reach. */
  readonly reach?: Reach | undefined;
}

/**
 * The head moved on these components: marks, in every other active change set, its own rows of them, its own
 * subscribers to them, and those of them that subscribe to a component it has a row of. A change set with definitions of
 * its own has more to compute, see {@link definitionRoots}. Returns the layers marked.
 */
export async function markOthers(tx: Tx, move: HeadMove): Promise<string[]> {
  if (move.touched.length === 0 && move.reach === undefined) return [];
  const others = sql`(select id from change_set where head_id = ${move.headId} and status ${inActive} and id <> ${move.headId} and id <> ${move.by})`;
  const marked = [...(await touchedRoots(tx, move, others)), ...(await definitionRoots(tx, move, others))];
  const byLayer = grouped(marked, ({ layer }) => layer);
  const layers = [...byLayer.keys()].sort();
  for (const layer of layers) {
    await sql`update change_set set rev = rev + 1 where id = ${layer}`.execute(tx.db);
    tx.changed(layer);
  }
  for (const layer of layers)
    await addRoots(
      tx,
      layer,
      (byLayer.get(layer) ?? []).map(({ id }) => id),
    );
  for (const layer of layers) await wantPropagation(tx, layer);
  return layers;
}

interface Marked {
  readonly layer: string;
  readonly id: string;
}

async function touchedRoots(
  tx: Tx,
  { headId, touched }: HeadMove,
  others: RawBuilder<unknown>,
): Promise<Marked[]> {
  if (touched.length === 0) return [];
  const ids = tx.engine.within(touched);
  const { rows } = await sql<Marked>`
    select layer, id from component where id ${ids} and layer in ${others}
    union select s.layer, s.subscriber from sub s
      where s.source ${ids} and s.from_path is not null and s.layer in ${others}
    union select r.layer, s.subscriber from sub s join component r on r.id = s.source
      where s.layer = ${headId} and s.subscriber ${ids} and s.from_path is not null
        and r.layer in ${others}`.execute(tx.db);
  return rows;
}

/**
 * What is to be computed again because definitions differ. What came with the move reaches a change set's own rows. And
 * where a change set has definitions of its own, a component that it has no row of may come to another value than the
 * head's: so those are marked that its definitions reach, if the head moved on them, if they read from such a one, or
 * if the definitions that came reach them too.
 */
async function definitionRoots(tx: Tx, move: HeadMove, others: RawBuilder<unknown>): Promise<Marked[]> {
  const marked: Marked[] = [];
  const head = sql`(${move.headId})`;
  const { reach, touched } = move;
  if (reach !== undefined) {
    const { rows } = await sql<Marked>`
      ${reachedIn(tx, others, reach, "layer, id")}
      union select layer, id from component
        where layer in ${others} and id in (${reachedIn(tx, head, reach)})`.execute(tx.db);
    marked.push(...rows);
  }
  const rows = await definitionRows(tx, others);
  if (rows.length === 0) return marked;
  const bindings = await headBindings(tx, move.headId);
  const ids = tx.engine.within(touched);
  for (const [layer, own] of grouped(rows, ({ layer }) => layer)) {
    const ownReach = reachOf(own, bindings);
    if (ownReach === undefined) continue;
    const reached = reachedIn(tx, head, ownReach);
    const both = reach === undefined ? sql`` : sql`or id in (${reachedIn(tx, head, reach)})`;
    const found = await sql<{ id: string }>`
      select id from component where layer = ${move.headId} and id in (${reached}) and (id ${ids} ${both}
        or id in (select subscriber from sub
          where layer = ${move.headId} and source ${ids} and from_path is not null))`.execute(tx.db);
    marked.push(...found.rows.map(({ id }) => ({ layer, id })));
  }
  return marked;
}
