import type { Collective as CollectiveAnswer } from "../../src/contract/collectives.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { audited, noteInCollective, originOf } from "../auth/audit.ts";
import { type Context, userOf } from "../context.ts";
import {
  checkCollectiveCount,
  checkCollectiveDeletion,
  checkCollectiveName,
  checkCollectiveRole,
  checkSlug,
  countedAfterDeletionMs,
  personalSlugs,
} from "../domain/collectives.ts";
import { type AuditEntry, recordAudits } from "../store/audit.ts";
import {
  changeCollectiveWithGrants,
  type DeletedCollective,
  deleteCollective,
} from "../store/collective-deletion.ts";
import { listGrantedWorkspaces } from "../store/collective-grants.ts";
import {
  type Collective,
  type CollectiveTarget,
  changeCollective,
  createCollective,
  ensurePersonalCollective,
  getJoinedCollective,
  type JoinedCollective,
  listCollectivesOf,
  renameCollective,
} from "../store/collectives.ts";

/** Handlers of the rows in `src/contract/collectives.ts`. */
export const collectiveHandlers: GroupHandlers<typeof api.collectives, Context> = {
  list: async (_input, context) => ({ collectives: (await collectivesOf(context)).map(collectiveView) }),
  create: async ({ body }, context) => {
    const slug = checkSlug(body.slug);
    const name = checkCollectiveName(body.name ?? slug);
    const creatorId = userOf(context).id;
    const made = await audited(
      context,
      (store) =>
        createCollective(
          store,
          { slug, name, creatorId },
          { since: store.clock.now() - countedAfterDeletionMs, admit: checkCollectiveCount },
        ),
      ({ collective: { id } }) => ({
        kind: "collective.created",
        subject: id,
        collectiveId: id,
        data: { slug },
      }),
    );
    return collectiveView(made);
  },
  get: async ({ slug }, context) => {
    const { store } = context.server;
    const found = await getJoinedCollective(store, await collectiveTarget(context, slug));
    const workspaces = await listGrantedWorkspaces(store, found.collective.id);
    return { ...collectiveView(found), workspaces };
  },
  rename: async ({ slug, body }, context) => {
    const name = checkCollectiveName(body.name);
    const target = await collectiveTarget(context, slug);
    return changeCollective(context.server.store, target, async (change) => {
      checkCollectiveRole(change.role, "admin", "renaming a collective");
      const collective = await renameCollective(change, name);
      const entry = { kind: "collective.renamed", subject: collective.id, data: { name } } as const;
      await noteInCollective(context, change, entry);
      return collectiveView({ ...change, collective });
    });
  },
  delete: async ({ slug }, context) => {
    const target = await collectiveTarget(context, slug);
    await changeCollectiveWithGrants(context.server.store, target, async (change) => {
      const { collective, role, tx } = change;
      checkCollectiveDeletion(role, collective);
      const gone = await deleteCollective(change);
      await recordAudits(tx, originOf(context), deletionEntries(collective, gone));
    });
    return { success: true };
  },
};

/** In the collective's log, in those of its members, who could not look into it any more, and in its workspaces'. */
function deletionEntries(
  { id: subject, slug, name }: Collective,
  { memberIds, workspaceIds }: DeletedCollective,
): AuditEntry[] {
  const data = { slug, name };
  const deleted = { kind: "collective.deleted", subject, data } as const;
  return [
    { ...deleted, collectiveId: subject },
    ...memberIds.map((userId): AuditEntry => ({ ...deleted, userId })),
    ...workspaceIds.map(
      (workspaceId): AuditEntry => ({ ...deleted, kind: "workspace.ungranted", workspaceId }),
    ),
  ];
}

/** The collectives of the user who calls; makes the personal one of an account from before there were any. */
export async function collectivesOf(context: Context): Promise<JoinedCollective[]> {
  const user = userOf(context);
  await ensurePersonalCollective(context.server.store, user, personalSlugs(user.username));
  return listCollectivesOf(context.server.store, user.id);
}

/** The collective of the path in any letter case, and who asks. */
export async function collectiveTarget(context: Context, slug: string): Promise<CollectiveTarget> {
  const user = userOf(context);
  await ensurePersonalCollective(context.server.store, user, personalSlugs(user.username));
  return { slug: slug.toLowerCase(), actor: user.id };
}

/** A collective as the wire shows it to one of its members. */
export const collectiveView = ({ collective, role }: JoinedCollective): CollectiveAnswer => ({
  id: collective.id,
  slug: collective.slug,
  name: collective.name,
  personal: collective.personal,
  role,
  createdAt: toTimestamp(collective.createdAt),
});
