import { sql } from "kysely";
import { ApiError, fail } from "../../src/contract/errors.ts";
import type { DecideMoves } from "../domain/approvals.ts";
import { applyActions } from "./apply-actions.ts";
import { applyEntities } from "./apply-entities.ts";
import { lockChangeSet, recordMoves } from "./approvals.ts";
import type { ChangeSetTarget } from "./change-sets.ts";
import { type MovedEdge, refuseCircles } from "./circles.ts";
import { ownRowOf, putRows, settingsOf } from "./component-rows.ts";
import { reachOfLayer } from "./definition-reach.ts";
import { wantDispatch } from "./dispatch.ts";
import { endManagementJobs } from "./function-jobs.ts";
import { type Layer, type LockedLayer, lockLayer } from "./layer.ts";
import { findNeeded } from "./needed.ts";
import type { Reads, Store, Tx } from "./open.ts";
import { addRoots, markOthers, wantPropagation } from "./roots.ts";
import type { ComponentRules } from "./rules.ts";
import { findSecretUsers } from "./secret-users.ts";
import { isActive } from "./status.ts";
import type { ComponentTable } from "./tables.ts";

/** What an apply did to the head. */
export interface Applied {
  /** Components written or deleted in the head. */
  readonly touched: readonly string[];
  /** Of these, the ones removed because they were marked for deletion. */
  readonly vanished: readonly string[];
}

/** Patches read at a time: bounds memory, not the transaction. */
const pageSize = 2_000;
/** Past it a refused apply does not say how many components are waiting. */
const countedRoots = 1_000;

/** Seconds after which a refused apply is worth another try: most propagations end sooner. */
const retryAfterSeconds = 1;

/** For work that the server does by itself, such as a sample: nobody is asked. */
const askNobody: DecideMoves = () => ["applied"];

/**
 * Merges a change set into the head in one transaction: afterwards the head shows what the change set showed, less
 * what was marked for deletion and is not needed, its actions are the head's, and its management jobs have ended.
 * `decide` judges under the locks
 * whether the caller may, and by which moves. Throws what it throws, `changeSetNotFound`, `headNotAllowed`,
 * `changeSetNotActive`, `valuesPending` while the change set has roots, and `subscriptionCycle` or `managementCycle`
 * where it would close a circle with what the head has got since; nothing has changed then.
 */
export async function applyChangeSet(
  store: Store,
  rules: ComponentRules,
  target: ChangeSetTarget,
  decide: DecideMoves = askNobody,
): Promise<Applied> {
  return store.write(async (tx) => {
    const row = await tx.db
      .selectFrom("change_set")
      .select("head_id")
      .where("id", "=", target.changeSetId)
      .where("workspace_id", "=", target.workspaceId)
      .executeTakeFirst();
    if (row === undefined) return fail("changeSetNotFound");
    if (row.head_id === target.changeSetId) fail("headNotAllowed", "the head change set cannot be applied");
    const head = await lockLayer(tx, row.head_id);
    const locked = await lockChangeSet(tx, target);
    const moves = decide(locked.movable);
    const { name, status } = locked.movable;
    if (!isActive(status))
      fail("changeSetNotActive", `the change set "${name}" is ${status}: it cannot be applied`);
    const own: Layer = { id: target.changeSetId, headId: head.id, workspaceId: target.workspaceId };
    await refusePending(tx, own.id);

    const needed = await findNeeded(tx, rules, own);
    const moved = await mergeComponents(tx, rules, head, own, needed);
    await refuseCircles(tx, rules, head, await mergeSubs(tx, head, own, moved.deleted));
    const reach = await reachOfLayer(tx, own.id, head.id);
    const secrets = await applyEntities(tx, rules, head, own);
    await tx.db.deleteFrom("component").where("layer", "=", own.id).execute();
    await tx.db.deleteFrom("sub").where("layer", "=", own.id).execute();
    const actions = await applyActions(tx, head, own, moved);
    await endManagementJobs(
      tx,
      own.id,
      "the change set was applied before the function had ended: nothing of it was done; start it again in another change set",
    );
    // What a secret holds is no value, so nothing else tells that those who use it may come to other results.
    const { all: users } = await findSecretUsers(tx, head, secrets);
    await markOthers(tx, { headId: head.id, by: own.id, touched: [...moved.touched, ...users], reach });
    if (moved.vanished.length > 0) {
      // The change set still showed them, so those that read them are wrong until they are computed again.
      await addRoots(tx, head.id, moved.vanished);
      await wantPropagation(tx, head.id);
    }
    await wantDispatch(tx, head.id);
    const { touched, vanished } = moved;
    await recordMoves(tx, target, locked, moves, { components: touched.length, actions });
    return { touched, vanished };
  });
}

async function refusePending(reads: Reads, layerId: string): Promise<void> {
  const { rows } = await sql<{ component: string }>`
    select component from root where layer = ${layerId} limit ${countedRoots}`.execute(reads.db);
  if (rows.length === 0) return;
  const many =
    rows.length === countedRoots ? `${countedRoots} components or more` : `${rows.length} components`;
  const what = rows.length === 1 ? "1 component" : many;
  throw new ApiError("valuesPending", `values of ${what} are still being computed: nothing was applied`, {
    retryAfterSeconds,
  });
}

interface Moved {
  readonly touched: string[];
  /** Removed from the head; `vanished` are those of them that were marked for deletion. */
  readonly deleted: string[];
  readonly vanished: string[];
  /** Marked for deletion, and kept until their Destroy has run. */
  readonly marked: string[];
}

/** Writes per patch, nothing per component; merged here, because SQL's JSON merge drops nulls. */
async function mergeComponents(
  tx: Tx,
  rules: ComponentRules,
  head: LockedLayer,
  own: Layer,
  needed: ReadonlySet<string>,
): Promise<Moved> {
  const moved: Moved = { touched: [], deleted: [], vanished: [], marked: [] };
  for (let after = "", full = true; full; ) {
    const patches = await tx.db
      .selectFrom("component")
      .selectAll()
      .where("layer", "=", own.id)
      .where("id", ">", after)
      .orderBy("id")
      .limit(pageSize)
      .execute();
    const heads = await headRows(tx, head, patches);
    const rows: ComponentTable[] = [];
    for (const patch of patches) {
      const row = mergeOne(rules, { before: heads.get(patch.id), patch, needed }, head, moved);
      if (row !== undefined) rows.push(row);
    }
    await putRows(tx, rows);
    after = patches.at(-1)?.id ?? "";
    full = patches.length === pageSize;
  }
  if (moved.deleted.length > 0) {
    await sql`delete from component where layer = ${head.id} and id ${tx.engine.within(moved.deleted)}`.execute(
      tx.db,
    );
  }
  return moved;
}

interface Merging {
  readonly before: ComponentTable | undefined;
  readonly patch: ComponentTable;
  readonly needed: ReadonlySet<string>;
}

/** The head's row after one patch; undefined when there is none to write. Notes what it did in `moved`. */
function mergeOne(
  rules: ComponentRules,
  { before, patch, needed }: Merging,
  head: LockedLayer,
  moved: Moved,
): ComponentTable | undefined {
  const own = ownRowOf(patch);
  const applied = own && rules.applyRow(settingsOf(before), own);
  if (applied === undefined) return undefined;
  const vanishes = applied.does === "put" && rules.vanishes(applied.settings) && !needed.has(patch.id);
  if (vanishes) moved.vanished.push(patch.id);
  if (vanishes || applied.does === "delete") {
    if (before !== undefined) moved.deleted.push(patch.id);
    moved.touched.push(patch.id);
    return undefined;
  }
  moved.touched.push(patch.id);
  if (patch.to_delete === 1) moved.marked.push(patch.id);
  return {
    ...patch,
    layer: head.id,
    op: "head",
    edit_rev: head.graphRev,
    row_rev: head.graphRev,
    base_rev: 0,
    named: 1,
    schema_id: patch.schema_id ?? before?.schema_id ?? null,
    variant_id: patch.variant_id ?? before?.variant_id ?? null,
    settings: JSON.stringify(applied.settings),
  };
}

async function headRows(
  tx: Tx,
  head: LockedLayer,
  patches: readonly ComponentTable[],
): Promise<Map<string, ComponentTable>> {
  const ids = patches.map((patch) => patch.id);
  const { rows } = await sql<ComponentTable>`
    select * from component where layer = ${head.id} and id ${tx.engine.within(ids)}`.execute(tx.db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Moves the subscriptions: each patched key replaces the head's, orphans bring nothing back. Gives what it moved. */
async function mergeSubs(
  tx: Tx,
  head: LockedLayer,
  own: Layer,
  deleted: readonly string[],
): Promise<MovedEdge[]> {
  if (deleted.length > 0) {
    await sql`delete from sub where layer = ${head.id} and subscriber ${tx.engine.within(deleted)}`.execute(
      tx.db,
    );
  }
  await sql`delete from sub where layer = ${head.id}
    and (subscriber, to_path) in (select subscriber, to_path from sub where layer = ${own.id})`.execute(
    tx.db,
  );
  const { rows } = await sql<MovedEdge>`insert into sub(layer, subscriber, to_path, source, from_path, func)
    select ${head.id}, s.subscriber, s.to_path, s.source, s.from_path, s.func from sub s
    where s.layer = ${own.id} and s.source is not null
      and exists (select 1 from component c where c.layer = ${head.id} and c.id = s.subscriber)
    returning source, subscriber, to_path, from_path`.execute(tx.db);
  return rows;
}
