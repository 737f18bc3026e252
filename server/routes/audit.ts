import type { AuditEntry } from "../../src/contract/audit.ts";
import type { api } from "../../src/contract/index.ts";
import { clampLimit } from "../../src/contract/page.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { idOf } from "../auth/workspace-access.ts";
import { type Context, userOf } from "../context.ts";
import { checkCollectiveRole } from "../domain/collectives.ts";
import { checkCovers } from "../domain/roles.ts";
import { type AuditRow, type AuditScope, listAudit } from "../store/audit.ts";
import { getJoinedCollective } from "../store/collectives.ts";
import { getJoinedWorkspace } from "../store/workspace-changes.ts";
import { collectiveTarget } from "./collectives.ts";

/** Handlers of the rows in `src/contract/audit.ts`. */
export const auditHandlers: GroupHandlers<typeof api.audit, Context> = {
  account: ({ query }, context) => pageOf(context, ["userId", userOf(context).id], query),
  collective: async ({ slug, query }, context) => {
    const target = await collectiveTarget(context, slug);
    const { collective, role } = await getJoinedCollective(context.server.store, target);
    checkCollectiveRole(role, "admin", "reading the audit log");
    return pageOf(context, ["collectiveId", collective.id], query);
  },
  workspace: async ({ workspaceId, query }, context) => {
    const target = { workspaceId: idOf(workspaceId), actor: userOf(context).id };
    const { role } = await getJoinedWorkspace(context.server.store, target);
    checkCovers(role, "OWNER", "reading the audit log");
    return pageOf(context, ["workspaceId", target.workspaceId], query);
  },
};

/** A page of one log. */
async function pageOf(
  { server }: Context,
  log: readonly [keyof AuditScope, string],
  query: { readonly limit?: number; readonly cursor?: string },
) {
  const limit = clampLimit(query.limit);
  const cursor = query.cursor === undefined ? undefined : idOf(query.cursor);
  const rows = await listAudit(server.store, log, { limit, cursor });
  const entries = rows.slice(0, limit).map(entryView);
  return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

const entryView = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: toTimestamp(row.at),
  kind: row.kind,
  actor: { kind: row.actor_kind, id: row.actor, name: row.username },
  credential:
    row.credential_kind === null || row.credential === null
      ? null
      : { kind: row.credential_kind, id: row.credential },
  ip: row.ip,
  userAgent: row.user_agent,
  subject: row.subject,
  data: JSON.parse(row.data),
});
