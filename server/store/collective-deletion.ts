import {
  type CollectiveChange,
  type CollectiveTarget,
  getJoinedCollective,
  lockCollective,
} from "./collectives.ts";
import { lockWorkspaces, recordEvent } from "./events.ts";
import { recordKeyMoves } from "./keys.ts";
import type { Store, Tx } from "./open.ts";
import { holdGrants } from "./workspace-changes.ts";

/** What went with a collective. */
export interface DeletedCollective {
  readonly memberIds: readonly string[];
  /** Workspaces that had been granted to it. */
  readonly workspaceIds: readonly string[];
}

/**
 * One write by a member that may reach the workspaces which were granted to the collective: these are locked before it,
 * and nobody grants another meanwhile. Throws as `changeCollective` does.
 */
export const changeCollectiveWithGrants = <T>(
  store: Store,
  target: CollectiveTarget,
  work: (change: CollectiveChange) => Promise<T>,
): Promise<T> =>
  store.write(async (tx) => {
    await holdGrants(tx, target.slug);
    const { collective } = await getJoinedCollective(tx, target);
    const granted = await grantedTo(tx, collective.id);
    if (granted.length > 0) await lockWorkspaces(tx, granted);
    return work(await lockCollective(tx, target));
  });

/**
 * Ends a collective for good, within {@link changeCollectiveWithGrants}: its tokens, with what they hold, its grants,
 * invitations and memberships. Its row stays. A number of statements that does not grow with them.
 */
export async function deleteCollective({
  tx,
  collective,
  actor,
}: CollectiveChange): Promise<DeletedCollective> {
  const { id, slug, name } = collective;
  const tokens = await tx.db
    .deleteFrom("collective_token")
    .where("collective_id", "=", id)
    .returning(["id", "state"])
    .execute();
  for (const token of tokens) tx.changed(token.id);
  await recordKeyMoves(
    tx,
    tokens.map((token) => ({ keyId: token.id, from: token.state })),
    "Deleted",
    actor,
  );
  await tx.db.deleteFrom("collective_invitation").where("collective_id", "=", id).execute();
  const grants = await tx.db
    .deleteFrom("collective_grant")
    .where("collective_id", "=", id)
    .returning("workspace_id")
    .execute();
  const workspaceIds = grants.map(({ workspace_id }) => workspace_id);
  const event = { actor, kind: "collective.ungranted", subject: id, data: { slug, name } } as const;
  for (const workspaceId of workspaceIds) recordEvent(tx, { ...event, workspaceId }, 1);
  const members = await tx.db
    .deleteFrom("collective_member")
    .where("collective_id", "=", id)
    .returning("user_id")
    .execute();
  await tx.db.updateTable("collective").set({ deleted_at: tx.now }).where("id", "=", id).execute();
  return { memberIds: members.map(({ user_id }) => user_id), workspaceIds };
}

async function grantedTo(tx: Tx, collectiveId: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom("collective_grant")
    .select("workspace_id")
    .where("collective_id", "=", collectiveId)
    .execute();
  return rows.map(({ workspace_id }) => workspace_id);
}
