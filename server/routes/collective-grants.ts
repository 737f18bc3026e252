import type { CollectiveGrant as GrantAnswer } from "../../src/contract/collective-grants.ts";
import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { originOf } from "../auth/audit.ts";
import type { Context } from "../context.ts";
import { checkCovers } from "../domain/roles.ts";
import { type AuditEntry, recordAudit } from "../store/audit.ts";
import {
  type CollectiveGrant,
  grantWorkspace,
  listGrants,
  ungrantWorkspace,
} from "../store/collective-grants.ts";
import { type Collective, getJoinedCollective } from "../store/collectives.ts";
import {
  changeWorkspace,
  getJoinedWorkspace,
  type WorkspaceChange,
  type WorkspaceTarget,
} from "../store/workspace-changes.ts";
import { collectiveTarget } from "./collectives.ts";
import { tokensTarget } from "./tokens-target.ts";

/** Handlers of the rows in `src/contract/collective-grants.ts`. */
export const collectiveGrantHandlers: GroupHandlers<typeof api.collectiveGrants, Context> = {
  list: async ({ workspaceId }, context) => {
    const { store } = context.server;
    const { workspace } = await getJoinedWorkspace(store, targetOf(context, workspaceId));
    return (await listGrants(store, workspace.id)).map(grantView);
  },
  grant: async ({ workspaceId, body }, context) => {
    const target = targetOf(context, workspaceId);
    const named = await collectiveTarget(context, body.slug);
    return changeWorkspace(context.server.store, target, { grantsOf: named.slug }, async (change) => {
      checkCovers(change.role, "OWNER", "granting a workspace");
      const { collective } = await getJoinedCollective(change.tx, named);
      await grantWorkspace(change, collective);
      await recordAudit(change.tx, originOf(context), entryOf("workspace.granted", change, collective));
      return (await listGrants(change.tx, change.workspace.id)).map(grantView);
    });
  },
  ungrant: ({ workspaceId, slug }, context) =>
    changeWorkspace(context.server.store, targetOf(context, workspaceId), {}, async (change) => {
      checkCovers(change.role, "OWNER", "taking a workspace back");
      const grants = await listGrants(change.tx, change.workspace.id);
      const grant = grants.find(({ collective }) => collective.slug === slug.toLowerCase());
      if (grant === undefined) fail("collectiveNotFound", "the workspace is not granted to that collective");
      await ungrantWorkspace(change, grant.collective);
      await recordAudit(
        change.tx,
        originOf(context),
        entryOf("workspace.ungranted", change, grant.collective),
      );
      return grants.filter((one) => one !== grant).map(grantView);
    }),
};

/** It stands in both logs: of the workspace and of the collective. */
const entryOf = (
  kind: AuditEntry["kind"],
  { workspace }: WorkspaceChange,
  { id, slug }: Collective,
): AuditEntry => ({ kind, subject: id, workspaceId: workspace.id, collectiveId: id, data: { slug } });

const targetOf = (context: Context, workspaceId: string): WorkspaceTarget =>
  tokensTarget(context, workspaceId, "grants to collectives");

const grantView = ({ collective, createdAt }: CollectiveGrant): GrantAnswer => ({
  collectiveId: collective.id,
  slug: collective.slug,
  name: collective.name,
  createdAt: toTimestamp(createdAt),
});
