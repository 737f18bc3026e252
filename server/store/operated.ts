import { sql } from "kysely";
import { fail } from "../../src/contract/errors.ts";
import { type EventKind, recordEvent } from "./events.ts";
import type { Reads, Tx } from "./open.ts";
import type { UserTable } from "./people-tables.ts";
import { type User, userOf } from "./users.ts";
import { wakeHeld } from "./workspace-changes.ts";

/** A workspace as the operator sees it: also when it is deleted or closed. */
export interface OperatedWorkspace {
  readonly id: string;
  readonly displayName: string;
  /** E-mail addresses. */
  readonly owners: readonly string[];
  readonly deletedAt: number | undefined;
  readonly quarantinedAt: number | undefined;
}

/** Every workspace, oldest first. */
export const listOperatedWorkspaces = (reads: Reads): Promise<OperatedWorkspace[]> => operated(reads);

/** The workspace, also when it is deleted; throws `workspaceNotFound`. */
export async function getOperatedWorkspace(reads: Reads, workspaceId: string): Promise<OperatedWorkspace> {
  return (await operated(reads, workspaceId))[0] ?? fail("workspaceNotFound");
}

type Mark = "deleted_at" | "quarantined_at";

/** A mark of a workspace to set to now, or to clear. */
export type MarkMove = { readonly set: Mark } | { readonly clear: Mark };

/**
 * Sets or clears the moment at which a workspace was deleted or closed, as one event; what is so already leaves nothing.
 * Requests that are held in it judge their callers again. Says whether there was something to do.
 */
export async function markWorkspace(
  tx: Tx,
  workspaceId: string,
  move: MarkMove,
  event: { readonly kind: EventKind; readonly actor: string },
): Promise<boolean> {
  const [mark, time, before] =
    "set" in move ? ([move.set, tx.now, "is"] as const) : ([move.clear, null, "is not"] as const);
  const row = await tx.db
    .updateTable("workspace")
    .set({ [mark]: time })
    .where("id", "=", workspaceId)
    .where(mark, before, null)
    .returning(["id", "head_id as headId"])
    .executeTakeFirst();
  if (row === undefined) return false;
  recordEvent(tx, { workspaceId, subject: workspaceId, ...event }, 1);
  wakeHeld(tx, row);
  return true;
}

/** Every account, oldest first. */
export async function listUsers(reads: Reads): Promise<User[]> {
  return (await reads.db.selectFrom("user").selectAll().orderBy("id").execute()).map(userOf);
}

/** The account with this id, e-mail or username, in any letter case. */
export async function findUserNamed(reads: Reads, name: string): Promise<User | undefined> {
  const { rows } = await sql<UserTable>`
    select * from "user" where id = ${name.toUpperCase()} or email = ${name.toLowerCase()}
      or username = ${name.toLowerCase()} limit 1`.execute(reads.db);
  return rows[0] === undefined ? undefined : userOf(rows[0]);
}

async function operated(reads: Reads, workspaceId?: string): Promise<OperatedWorkspace[]> {
  let query = reads.db
    .selectFrom("workspace as w")
    .leftJoin("member as m", (join) => join.onRef("m.workspace_id", "=", "w.id").on("m.role", "=", "OWNER"))
    .leftJoin("user as u", "u.id", "m.user_id")
    .select(["w.id", "w.display_name", "w.deleted_at", "w.quarantined_at", "u.email"])
    .orderBy("w.id")
    .orderBy("u.email");
  if (workspaceId !== undefined) query = query.where("w.id", "=", workspaceId);
  const found = new Map<string, OperatedWorkspace>();
  for (const row of await query.execute()) {
    const owners = [...(found.get(row.id)?.owners ?? []), ...(row.email === null ? [] : [row.email])];
    found.set(row.id, {
      id: row.id,
      displayName: row.display_name,
      owners,
      deletedAt: row.deleted_at ?? undefined,
      quarantinedAt: row.quarantined_at ?? undefined,
    });
  }
  return [...found.values()];
}
