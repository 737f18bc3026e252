import { sql } from "kysely";
import type { ChangeSetStatus } from "../../src/contract/change-sets.ts";
import { fail } from "../../src/contract/errors.ts";
import { lockWorkspace, recordEvent } from "./events.ts";
import { endManagementJobs } from "./function-jobs.ts";
import type { Layer } from "./layer.ts";
import type { Reads, Store, Tx } from "./open.ts";
import { activeStatuses, isActive } from "./status.ts";
import type { ChangeSetTable } from "./tables.ts";

/** A change set, or the head when `id` is `headId`. */
export interface ChangeSet extends Layer {
  readonly name: string;
  readonly status: ChangeSetStatus;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it was deleted; a purged one is Abandoned without it. */
  readonly deletedAt: number | undefined;
}

/** Who does something to which change set. */
export interface ChangeSetTarget {
  readonly workspaceId: string;
  readonly changeSetId: string;
  readonly actor: string;
}

/** The counters that an ETag is made of; for the head both are the same. */
export interface Revision {
  readonly head: number;
  readonly own: number;
}

/** Active change sets, the head first, then in order of creation. */
export async function listChangeSets(reads: Reads, workspaceId: string): Promise<ChangeSet[]> {
  const rows = await reads.db
    .selectFrom("change_set")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("status", "in", activeStatuses)
    .orderBy("id")
    .execute();
  const sets = rows.map(changeSetOf);
  return [...sets.filter((set) => set.id === set.headId), ...sets.filter((set) => set.id !== set.headId)];
}

/** The change set of this workspace, whatever its status. */
export async function findChangeSet(
  reads: Reads,
  workspaceId: string,
  changeSetId: string,
): Promise<ChangeSet | undefined> {
  const row = await reads.db
    .selectFrom("change_set")
    .selectAll()
    .where("id", "=", changeSetId)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return row === undefined ? undefined : changeSetOf(row);
}

/** The change set of this workspace, whatever its status; throws `changeSetNotFound`. */
export async function getChangeSet(
  reads: Reads,
  workspaceId: string,
  changeSetId: string,
): Promise<ChangeSet> {
  return (await findChangeSet(reads, workspaceId, changeSetId)) ?? fail("changeSetNotFound");
}

/** The head of the workspace; throws `workspaceNotFound`. */
export async function getHead(reads: Reads, workspaceId: string): Promise<ChangeSet> {
  const row = await reads.db
    .selectFrom("change_set")
    .selectAll("change_set")
    .innerJoin("workspace", "workspace.head_id", "change_set.id")
    .where("workspace.id", "=", workspaceId)
    .executeTakeFirst();
  return row === undefined ? fail("workspaceNotFound") : changeSetOf(row);
}

/** Creates a change set over the head at the cost of one row; throws `invalidRequest` when an active one has the name. */
export async function createChangeSet(
  store: Store,
  set: { readonly workspaceId: string; readonly name: string; readonly actor: string },
): Promise<ChangeSet> {
  return store.write(async (tx) => {
    const id = store.id();
    // Taking the workspace's row first makes the names of two writers meet.
    await lockWorkspace(tx, set.workspaceId);
    const taken = await tx.db
      .selectFrom("change_set")
      .select("id")
      .where("workspace_id", "=", set.workspaceId)
      .where("name", "=", set.name)
      .where("status", "in", activeStatuses)
      .executeTakeFirst();
    if (taken !== undefined) {
      fail("invalidRequest", `an active change set is named "${set.name}" already: choose another name`);
    }
    const head = await getHead(tx, set.workspaceId);
    const row: ChangeSetTable = {
      id,
      workspace_id: set.workspaceId,
      head_id: head.id,
      name: set.name,
      status: "Open",
      rev: 1,
      graph_rev: 1,
      created_by: set.actor,
      created_at: tx.now,
      updated_at: tx.now,
      deleted_at: null,
      ...notRequested,
    };
    await tx.db.insertInto("change_set").values(row).execute();
    recordEvent(
      tx,
      {
        workspaceId: set.workspaceId,
        actor: set.actor,
        kind: "change_set.created",
        changeSetId: id,
        subject: id,
        data: { name: set.name },
      },
      1,
    );
    return changeSetOf(row);
  });
}

/**
 * Abandons and deletes a change set: it leaves the list and its name is free; again changes nothing.
 * Throws `changeSetNotFound`, `headNotAllowed`, and `changeSetNotActive` for an applied one.
 */
export async function abandonChangeSet(store: Store, target: ChangeSetTarget): Promise<void> {
  await store.write(async (tx) => {
    const before = await lockRow(tx, target);
    if (before.id === before.headId) fail("headNotAllowed", "the head change set cannot be abandoned");
    if (before.status === "Abandoned" && before.deletedAt !== undefined) return;
    if (before.status === "Applied") {
      fail("changeSetNotActive", `the change set "${before.name}" is applied: it cannot be abandoned`);
    }
    await abandon(tx, before, tx.now);
    recordEvent(tx, { ...target, kind: "change_set.abandoned", subject: before.id }, 1);
  });
}

/** Abandons every active change set but the head, whose contents stay readable; returns their ids. */
export async function purgeChangeSets(
  store: Store,
  target: { readonly workspaceId: string; readonly actor: string },
): Promise<string[]> {
  return store.write(async (tx) => {
    // The head comes first in the order of locks: an apply holds it while it takes the rows of several change sets.
    await sql`select id from change_set where id = (select head_id from workspace where id = ${target.workspaceId})
      ${tx.engine.forShare}`.execute(tx.db);
    const listed = await listChangeSets(tx, target.workspaceId);
    const purged: string[] = [];
    for (const { id, headId } of listed) {
      if (id === headId) continue;
      const set = await lockRow(tx, { workspaceId: target.workspaceId, changeSetId: id });
      if (!isActive(set.status)) continue;
      await abandon(tx, set, null);
      purged.push(id);
    }
    if (purged.length > 0) {
      recordEvent(tx, { ...target, kind: "change_set.abandoned", data: { changeSetIds: purged } }, 1);
    }
    return purged;
  });
}

/** Both counters of a layer in one query by primary keys; read it before the data. Throws `changeSetNotFound`. */
export async function revisionOf(reads: Reads, layerId: string): Promise<Revision> {
  const { rows } = await sql<Revision>`
    select h.rev as head, c.rev as own from change_set c join change_set h on h.id = c.head_id
    where c.id = ${layerId}`.execute(reads.db);
  return rows[0] ?? fail("changeSetNotFound");
}

/** Takes the row's lock whatever its status, as {@link lockLayer} does for active ones. */
async function lockRow(
  tx: Tx,
  target: { readonly workspaceId: string; readonly changeSetId: string },
): Promise<ChangeSet> {
  const row = await tx.db
    .updateTable("change_set")
    .set((set) => ({ rev: set("rev", "+", 1) }))
    .where("id", "=", target.changeSetId)
    .where("workspace_id", "=", target.workspaceId)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? fail("changeSetNotFound") : changeSetOf(row);
}

async function abandon(tx: Tx, set: ChangeSet, deletedAt: number | null): Promise<void> {
  await tx.db
    .updateTable("change_set")
    .set({ status: "Abandoned", updated_at: tx.now, deleted_at: deletedAt })
    .where("id", "=", set.id)
    .execute();
  await endManagementJobs(
    tx,
    set.id,
    "the change set was abandoned before the function had ended: nothing of it was done",
  );
  tx.changed(set.id);
}

/** The columns of an approval that nobody asked for yet. */
export const notRequested = {
  requested_by: null,
  requested_at: null,
  reviewed_by: null,
  reviewed_at: null,
  note: null,
} as const;

const changeSetOf = (row: ChangeSetTable): ChangeSet => ({
  id: row.id,
  workspaceId: row.workspace_id,
  headId: row.head_id,
  name: row.name,
  status: row.status,
  createdBy: row.created_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deletedAt: row.deleted_at ?? undefined,
});
