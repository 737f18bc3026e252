import { sql } from "kysely";
import type { ChangeSetStatus } from "../../src/contract/change-sets.ts";
import type { Store } from "./open.ts";
import type { Role } from "./tables.ts";

/** What one statement knows of a path's workspace, the user's membership and the change set. */
export interface AccessRow {
  readonly workspace_id: string;
  readonly head_id: string;
  readonly role: Role | null;
  readonly layer: string | null;
  readonly name: string | null;
  readonly status: ChangeSetStatus | null;
  readonly deleted_at: number | null;
}

/**
 * The workspace unless it was deleted, with the user's role where there is one and the change set where there is one:
 * one statement, because every request needs it. `changeSetId` undefined means the head.
 */
export async function findAccess(
  store: Store,
  asked: { readonly workspaceId: string; readonly userId: string; readonly changeSetId: string | undefined },
): Promise<AccessRow | undefined> {
  const layer = asked.changeSetId === undefined ? sql`w.head_id` : sql`${asked.changeSetId}`;
  const result = await sql<AccessRow>`
    select w.id as workspace_id, w.head_id, m.role, c.id as layer, c.name, c.status, c.deleted_at
    from workspace w
    left join member m on m.workspace_id = w.id and m.user_id = ${asked.userId}
    left join change_set c on c.id = ${layer} and c.workspace_id = w.id
    where w.id = ${asked.workspaceId} and w.deleted_at is null`.execute(store.db);
  return result.rows[0];
}

/** The counters of a change set and its head, what an ETag is made of; undefined when it is gone from everywhere. */
export async function findLayerRevision(
  store: Store,
  layer: string,
): Promise<
  { readonly rev: number; readonly head_rev: number; readonly deleted_at: number | null } | undefined
> {
  return store.db
    .selectFrom("change_set as c")
    .innerJoin("change_set as h", "h.id", "c.head_id")
    .select(["c.rev", "h.rev as head_rev", "c.deleted_at"])
    .where("c.id", "=", layer)
    .executeTakeFirst();
}
