import { sql } from "kysely";
import { componentRow, isRenewed, type KnownRow, putKnownRows, type RowOrigin } from "./component-rows.ts";
import type { Loaded } from "./definitions.ts";
import { wantDispatch } from "./dispatch.ts";
import { type LockedLayer, lockLayer } from "./layer.ts";
import type { Store, Tx } from "./open.ts";
import type { Plan } from "./propagation-plan.ts";
import { addRoots, markOthers } from "./roots.ts";
import type { Definition, Rendered } from "./rules.ts";
import type { ComponentTable } from "./tables.ts";

/** A component as it was when it was read. */
interface Read {
  readonly id: string;
  readonly loaded: Loaded;
}

interface Put extends Read {
  readonly definition: Definition;
  /** JSON text. */
  readonly vals: string;
  readonly hash: string;
  readonly rendered: Rendered;
  /** As {@link RowOrigin.named}. */
  readonly named: boolean;
}

/** What a pass found: rows to write, and derived rows that are no longer needed. */
export interface Computed {
  readonly puts: Put[];
  readonly drops: Read[];
  /** Components whose functions still run: they are roots until these have ended. */
  readonly waiting: Set<string>;
}

/**
 * What else follows in a change set from values that are about to be written there, in the same transaction; `dropped`
 * are components that show the head's values from now on.
 */
export type FollowUp = (
  tx: Tx,
  layer: LockedLayer,
  written: readonly { readonly definition: Definition; readonly vals: string }[],
  dropped: readonly string[],
) => Promise<void>;

const nothingFollows: FollowUp = async () => {};

/** What a pass wrote in a change set's rows, with this number of its graph; nothing is told of the head's. */
export interface Committed {
  readonly graph: number;
  readonly written: readonly ComponentTable[];
  readonly dropped: readonly string[];
}

class Overtaken extends Error {}

/**
 * Writes a pass's results if they are still about the present: undefined, and nothing written, when the head's graph has
 * moved or another process has worked off what this one planned. A component whose own row was written meanwhile is left
 * out; its new mark stays.
 */
export async function commitPropagation(
  store: Store,
  plan: Plan,
  computed: Computed,
  follow: FollowUp = nothingFollows,
): Promise<Committed | undefined> {
  const { layer } = plan;
  try {
    return await store.write(async (tx) => {
      if (layer.id === layer.headId) return commitHead(tx, plan, computed);
      // The head's row comes first in the order of locks; sharing it keeps applies out until the end.
      const { rows } = await sql<{ graph_rev: number }>`
        select graph_rev from change_set where id = ${layer.headId} ${store.engine.forShare}`.execute(tx.db);
      if (rows[0]?.graph_rev !== plan.headGraph) throw new Overtaken();
      const own = await lockLayer(tx, layer.id);
      await checkRoots(tx, plan, own);
      const fresh = await freshness(tx, plan, own, computed);
      const puts = computed.puts.filter(fresh);
      const drops = computed.drops.filter(fresh);
      const dropped = drops.map(({ id }) => id);
      await follow(tx, own, puts, dropped);
      const known = puts.map((put): KnownRow => {
        const row = ownRow(put, own);
        return { row, derived: isDerived(put), renewed: isRenewed(row, put.loaded.own) };
      });
      await putKnownRows(tx, known);
      await dropRows(tx, layer.id, dropped);
      await replaceRoots(tx, plan, computed);
      return { graph: own.graphRev, written: known.map(({ row }) => row), dropped };
    });
  } catch (error) {
    if (error instanceof Overtaken) return undefined;
    throw error;
  }
}

/**
 * A root goes with the pass that has worked it off: where one is gone, another process was faster, since this one had
 * lost its lease, and what was read here may be older than what was written there.
 */
async function checkRoots(tx: Tx, plan: Plan, locked: LockedLayer): Promise<void> {
  if (locked.graphRev === plan.ownGraph + 1) return;
  const ids = plan.roots.map(({ component }) => component);
  const { rows } = await sql<{ left: number }>`
    select count(*) as left from root where layer = ${locked.id} and component ${tx.engine.within(ids)}`.execute(
    tx.db,
  );
  if (rows[0]?.left !== ids.length) throw new Overtaken();
}

async function commitHead(tx: Tx, plan: Plan, computed: Computed): Promise<Committed> {
  const head = await lockLayer(tx, plan.layer.id);
  // What an apply wrote since the read came without marks, so nothing but this would compute its readers again.
  if (head.graphRev !== plan.headGraph + 1) throw new Overtaken();
  const written = computed.puts.map((put): KnownRow => {
    const { definition, vals, rendered, hash, loaded } = put;
    const origin: RowOrigin = {
      layer: head.id,
      op: "head",
      editRev: head.graphRev,
      baseRev: 0,
      settings: definition.settings,
    };
    const row = componentRow(definition, vals, rendered, origin, hash);
    return { row, derived: false, renewed: isRenewed(row, loaded.head) };
  });
  await putKnownRows(tx, written);
  await replaceRoots(tx, plan, computed);
  await markOthers(tx, { headId: head.id, by: head.id, touched: written.map(({ row }) => row.id) });
  // Actions wait for the values of their components.
  await wantDispatch(tx, head.id);
  return { graph: head.graphRev, written: [], dropped: [] };
}

/** Tells whether a component's row is still the one that was read; looks only when the layer was written meanwhile. */
async function freshness(
  tx: Tx,
  plan: Plan,
  locked: LockedLayer,
  computed: Computed,
): Promise<(read: Read) => boolean> {
  const reads: Read[] = [...computed.puts, ...computed.drops];
  if (reads.length === 0 || locked.graphRev === plan.ownGraph + 1) return () => true;
  const { rows } = await sql<{ id: string; edit_rev: number }>`
    select id, edit_rev from component
    where layer = ${locked.id} and id ${tx.engine.within(reads.map((read) => read.id))}`.execute(tx.db);
  const present = new Map(rows.map((row) => [row.id, row.edit_rev]));
  return ({ id, loaded }) => present.get(id) === loaded.own?.edit_rev;
}

/** Whether the layer says nothing itself of the component. */
const isDerived = ({ loaded }: Read): boolean => loaded.own === undefined || loaded.own.op === "calc";

function ownRow({ definition, vals, rendered, named, hash, loaded }: Put, own: LockedLayer): ComponentTable {
  const before = loaded.own;
  const baseRev = loaded.head?.edit_rev ?? 0;
  const [layer, rowRev] = [own.id, own.graphRev];
  const origin: RowOrigin =
    before === undefined || before.op === "calc"
      ? { layer, rowRev, baseRev, op: "calc", editRev: rowRev, settings: null, named }
      : {
          layer,
          rowRev,
          baseRev,
          op: before.op,
          // What an edit says has not changed, so its number has not either.
          editRev: before.edit_rev,
          settings: loaded.ownSettings,
          named,
          variantId: before.variant_id,
        };
  return componentRow(definition, vals, rendered, origin, hash);
}

async function dropRows(tx: Tx, layerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from component where layer = ${layerId} and op = 'calc'
    and id ${tx.engine.within(ids)}`.execute(tx.db);
}

/**
 * Only the marks that were read: one set since then stays, and with it the work. What waits stays a root, or becomes
 * one, so that its readers are computed once it is.
 */
async function replaceRoots(tx: Tx, plan: Plan, { waiting }: Computed): Promise<void> {
  const done = plan.roots.filter(({ component }) => !waiting.has(component));
  if (done.length > 0) {
    const marks = [...new Set(done.map((root) => root.mark))];
    const components = done.map((root) => root.component);
    await sql`delete from root where layer = ${plan.layer.id} and mark ${tx.engine.within(marks)}
      and component ${tx.engine.within(components)}`.execute(tx.db);
  }
  const known = new Set(plan.roots.map(({ component }) => component));
  const fresh = [...waiting].filter((id) => !known.has(id));
  if (fresh.length > 0) await addRoots(tx, plan.layer.id, fresh);
}
