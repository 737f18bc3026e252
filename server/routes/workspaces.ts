import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { Workspace as WorkspaceAnswer } from "../../src/contract/workspaces.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { audited, originOf } from "../auth/audit.ts";
import { idOf } from "../auth/workspace-access.ts";
import { issueWorkspaceToken } from "../auth/workspace-tokens.ts";
import { type Context, userOf } from "../context.ts";
import { checkCovers } from "../domain/roles.ts";
import { checkWorkspaceTexts, instanceEnvTypeOf, splitName } from "../domain/workspaces.ts";
import { type AuditEntry, recordAudit } from "../store/audit.ts";
import {
  changeWorkspace,
  deleteWorkspace,
  getJoinedWorkspace,
  updateWorkspace,
  type WorkspaceTarget,
} from "../store/workspace-changes.ts";
import { createWorkspace, getWorkspaceOf, listWorkspacesOf, type WorkspaceOf } from "../store/workspaces.ts";
import { memberHandlers } from "./members.ts";

/** Seconds that the token lives which a creation answers: an hour to set up what needs a longer one. */
const setupTokenSeconds = 60 * 60;

/** Handlers of the rows in `src/contract/workspaces.ts`. */
export const workspaceHandlers: GroupHandlers<typeof api.workspaces, Context> = {
  list: async (_input, context) =>
    (await listWorkspacesOf(context.server.store, userOf(context).id)).map((found) => workspaceView(found)),
  create: async ({ body }, context) => {
    const { store } = context.server;
    const { id: creatorId } = userOf(context);
    checkWorkspaceTexts(body);
    if (body.createSetupToken === true && context.principal?.kind === "workspace") {
      fail("badRequest", "createSetupToken: expected a personal key or a session, found a workspace token");
    }
    const { displayName, description, instanceUrl, isDefault } = body;
    const instanceEnvType = instanceEnvTypeOf(instanceUrl);
    const wanted = { displayName, description, instanceUrl, instanceEnvType, creatorId, isDefault };
    const made = await audited(
      context,
      (within) => createWorkspace(within, wanted),
      ({ id }) => ({ ...entryOf("workspace.created", id), userId: creatorId, data: { displayName } }),
    );
    const found = await getWorkspaceOf(store, made.id, creatorId);
    return workspaceView(found, body.createSetupToken === true ? await setupToken(context, made.id) : null);
  },
  get: async ({ workspaceId }, context) =>
    workspaceView(await getJoinedWorkspace(context.server.store, targetOf(context, workspaceId))),
  delete: async ({ workspaceId }, context) => {
    await changeWorkspace(context.server.store, targetOf(context, workspaceId), {}, async (change) => {
      checkCovers(change.role, "OWNER", "deleting a workspace");
      await deleteWorkspace(change);
      await recordAudit(change.tx, originOf(context), entryOf("workspace.deleted", change.workspace.id));
    });
    return undefined;
  },
  update: async ({ workspaceId, body }, context) => {
    const target = targetOf(context, workspaceId);
    const head = body.approvalsEnabled !== undefined;
    return changeWorkspace(context.server.store, target, { head }, async (change) => {
      checkCovers(change.role, "OWNER", "changing a workspace");
      const texts = {
        displayName: body.displayName ?? undefined,
        description: body.description ?? undefined,
        instanceUrl: body.instanceUrl ?? undefined,
      };
      checkWorkspaceTexts(texts);
      const instanceEnvType =
        texts.instanceUrl === undefined ? undefined : instanceEnvTypeOf(texts.instanceUrl);
      const { approvalsEnabled } = body;
      const workspace = await updateWorkspace(change, { ...texts, instanceEnvType, approvalsEnabled });
      const entry = entryOf("workspace.updated", workspace.id);
      await recordAudit(change.tx, originOf(context), { ...entry, data: { ...texts, approvalsEnabled } });
      return workspaceView({ ...change, workspace });
    });
  },
  ...memberHandlers,
};

/** The workspace of the path, and who asks. */
const targetOf = (context: Context, workspaceId: string): WorkspaceTarget => ({
  workspaceId: idOf(workspaceId),
  actor: userOf(context).id,
});

const entryOf = (kind: AuditEntry["kind"], workspaceId: string): AuditEntry => ({
  kind,
  subject: workspaceId,
  workspaceId,
});

async function setupToken(context: Context, workspaceId: string) {
  const { server } = context;
  const userId = userOf(context).id;
  const request = { workspaceId, userId, name: "setup", expiresInSeconds: setupTokenSeconds };
  const { token, expiresAt } = await audited(
    context,
    (store) => issueWorkspaceToken({ ...server, store }, request),
    ({ id }) => ({
      kind: "workspace_token.created",
      subject: id,
      workspaceId,
      userId,
      data: { name: "setup" },
    }),
  );
  return { token, expiresAt: toTimestamp(expiresAt) };
}

/** A workspace as the wire shows it to one user. */
const workspaceView = (
  { workspace, role, isDefault, creatorName }: WorkspaceOf,
  initialApiToken: WorkspaceAnswer["initialApiToken"] = null,
): WorkspaceAnswer => ({
  id: workspace.id,
  displayName: workspace.displayName,
  description: workspace.description,
  instanceUrl: workspace.instanceUrl ?? null,
  instanceEnvType: workspace.instanceEnvType,
  creatorUserId: workspace.creatorId,
  creatorUser: creatorName === undefined ? null : splitName(creatorName),
  role: role ?? null,
  isDefault,
  approvalsEnabled: workspace.approvalsEnabled,
  externalId: workspace.externalId ?? null,
  quarantinedAt: workspace.quarantinedAt === undefined ? null : toTimestamp(workspace.quarantinedAt),
  initialApiToken,
});
