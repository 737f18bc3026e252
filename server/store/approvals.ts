import { sql } from "kysely";
import type { ChangeSetStatus } from "../../src/contract/change-sets.ts";
import { fail } from "../../src/contract/errors.ts";
import type { DecideMoves, Movable, Move } from "../domain/approvals.ts";
import type { ChangeSetTarget } from "./change-sets.ts";
import { recordEvent } from "./events.ts";
import type { Reads, Store, Tx } from "./open.ts";
import type { ChangeSetTable } from "./tables.ts";

/** A change set that this transaction holds, with what its moves are decided by. */
export interface LockedChangeSet {
  readonly row: ChangeSetTable;
  readonly movable: Movable;
}

/** Who moves which change set, and with which words. */
export interface MoveTarget extends ChangeSetTarget {
  readonly note?: string | undefined;
}

/** What approvals say of a change set; names are null for accounts that are gone. */
export interface ReviewState {
  readonly row: ChangeSetTable;
  readonly requestedBy: string | null;
  readonly reviewedBy: string | null;
  readonly approvalsEnabled: boolean;
  /** Whether values are still to be computed. */
  readonly pending: boolean;
}

/**
 * Moves a change set as `decide` says, under its lock: each move is one event, and no move leaves nothing. Throws
 * `changeSetNotFound`, and what `decide` throws.
 */
export async function moveChangeSet(store: Store, target: MoveTarget, decide: DecideMoves): Promise<void> {
  await store.write(async (tx) => {
    const locked = await lockChangeSet(tx, target);
    await recordMoves(tx, target, locked, decide(locked.movable));
  });
}

/** Takes a change set's lock whatever its status, and reads what its moves depend on. Throws `changeSetNotFound`. */
export async function lockChangeSet(tx: Tx, target: ChangeSetTarget): Promise<LockedChangeSet> {
  const { workspaceId, changeSetId, actor } = target;
  const row = await tx.db
    .updateTable("change_set")
    .set((set) => ({ rev: set.ref("rev") }))
    .where("id", "=", changeSetId)
    .where("workspace_id", "=", workspaceId)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return fail("changeSetNotFound");
  const terms = await tx.db
    .selectFrom("workspace as w")
    .leftJoin("member as m", (join) => join.onRef("m.workspace_id", "=", "w.id").on("m.user_id", "=", actor))
    .leftJoin("collective_grant as g", (join) =>
      join.onRef("g.workspace_id", "=", "w.id").on("g.collective_id", "=", actor),
    )
    .select(["w.approvals_enabled", "m.role", "g.collective_id"])
    .where("w.id", "=", workspaceId)
    .executeTakeFirst();
  const movable: Movable = {
    name: row.name,
    status: row.status,
    isHead: row.id === row.head_id,
    approvalsEnabled: terms?.approvals_enabled === 1,
    requestedAt: row.requested_at,
    // A collective that the workspace was granted to acts as an editor.
    role: terms?.role ?? ((terms?.collective_id ?? null) === null ? undefined : "EDITOR"),
  };
  return { row, movable };
}

/** Writes the moves of a change set that is locked, with one event each; `data` goes with the last of them. */
export async function recordMoves(
  tx: Tx,
  target: MoveTarget,
  { row: before }: LockedChangeSet,
  moves: readonly Move[],
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  if (moves.length === 0) return;
  const { workspaceId, changeSetId, actor } = target;
  const by: Reviewer = { actor, at: tx.now, note: target.note };
  let set: Approval = before;
  const events = moves.map((move, index) => {
    const from = set.status;
    set = moved(set, move, by);
    const note = by.note === undefined ? {} : { note: by.note };
    return {
      kind: `change_set.${move}`,
      data: { name: before.name, from, ...note, ...(index === moves.length - 1 ? data : {}) },
    } as const;
  });
  await tx.db
    .updateTable("change_set")
    .set((row) => ({ ...approvalOf(set), rev: row("rev", "+", 1), updated_at: tx.now }))
    .where("id", "=", changeSetId)
    .execute();
  tx.changed(changeSetId);
  for (const event of events) {
    recordEvent(tx, { workspaceId, actor, changeSetId, subject: changeSetId, ...event }, 1);
  }
}

/** Opens a locked change set again because its contents are being changed; the request is over, the last review stays. */
export async function reopenEdited(
  tx: Tx,
  set: { readonly id: string; readonly workspaceId: string; readonly status: ChangeSetStatus },
  actor: string,
): Promise<void> {
  const { name } = await tx.db
    .updateTable("change_set")
    .set({ status: "Open", requested_by: null, requested_at: null })
    .where("id", "=", set.id)
    .returning("name")
    .executeTakeFirstOrThrow();
  const { id, workspaceId, status: from } = set;
  const event = { kind: "change_set.reopened", data: { name, from, edited: true } } as const;
  recordEvent(tx, { workspaceId, actor, changeSetId: id, subject: id, ...event }, 1);
}

/** Whether the workspace asks for approvals; throws `workspaceNotFound`. */
export async function approvalsEnabled(reads: Reads, workspaceId: string): Promise<boolean> {
  const row = await reads.db
    .selectFrom("workspace")
    .select("approvals_enabled")
    .where("id", "=", workspaceId)
    .executeTakeFirst();
  return (row ?? fail("workspaceNotFound")).approvals_enabled === 1;
}

/** What approvals say of a change set or head, in one statement; throws `changeSetNotFound`. */
export async function getReviewState(reads: Reads, changeSetId: string): Promise<ReviewState> {
  type Row = ChangeSetTable & {
    readonly requester: string | null;
    readonly reviewer: string | null;
    readonly approvals_enabled: number;
    readonly pending: number | null;
  };
  const { rows } = await sql<Row>`
    select c.*, coalesce(nullif(q.name, ''), q.email, o.name) as requester, coalesce(nullif(v.name, ''), v.email, p.name) as reviewer,
      w.approvals_enabled, (select 1 from root where layer = c.id limit 1) as pending
    from change_set c join workspace w on w.id = c.workspace_id
    left join "user" q on q.id = c.requested_by left join "user" v on v.id = c.reviewed_by
    left join collective o on o.id = c.requested_by left join collective p on p.id = c.reviewed_by
    where c.id = ${changeSetId}`.execute(reads.db);
  const [row] = rows;
  if (row === undefined) return fail("changeSetNotFound");
  return {
    row,
    requestedBy: row.requester,
    reviewedBy: row.reviewer,
    approvalsEnabled: row.approvals_enabled === 1,
    pending: row.pending !== null,
  };
}

type Approval = Pick<
  ChangeSetTable,
  "status" | "requested_by" | "requested_at" | "reviewed_by" | "reviewed_at" | "note"
>;

interface Reviewer {
  readonly actor: string;
  readonly at: number;
  readonly note: string | undefined;
}

const approvalOf = ({
  status,
  requested_by,
  requested_at,
  reviewed_by,
  reviewed_at,
  note,
}: Approval): Approval => ({
  status,
  requested_by,
  requested_at,
  reviewed_by,
  reviewed_at,
  note,
});

/** The columns of an approval after one move. */
function moved(before: Approval, move: Move, by: Reviewer): Approval {
  const request = { requested_by: by.actor, requested_at: by.at };
  const review = { reviewed_by: by.actor, reviewed_at: by.at, note: by.note ?? null };
  switch (move) {
    case "approval_requested":
      return { status: "NeedsApproval", ...request, ...notReviewed };
    case "approved":
      return { ...before, status: "Approved", ...review };
    case "rejected":
      return { ...before, status: "Rejected", ...review };
    case "reopened":
      return { status: "Open", ...nobodyAsks, ...review };
    case "applied":
      // Who merges without an approval has asked for it and granted it in one.
      return before.status === "Approved"
        ? { ...before, status: "Applied" }
        : { ...(before.requested_by === null ? request : requestOf(before)), ...review, status: "Applied" };
  }
}

const requestOf = ({ requested_by, requested_at }: Approval) => ({ requested_by, requested_at });
const nobodyAsks = { requested_by: null, requested_at: null };
const notReviewed = { reviewed_by: null, reviewed_at: null, note: null };
