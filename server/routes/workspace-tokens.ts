import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { WorkspaceToken as WorkspaceTokenAnswer } from "../../src/contract/workspace-tokens.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { originOf } from "../auth/audit.ts";
import { idOf } from "../auth/workspace-access.ts";
import { signWorkspaceToken } from "../auth/workspace-tokens.ts";
import type { Context } from "../context.ts";
import { covers } from "../domain/roles.ts";
import { checkTokenName, tokenLifeOf } from "../domain/workspace-tokens.ts";
import { recordAudit } from "../store/audit.ts";
import { changeWorkspace, getJoinedWorkspace, type WorkspaceTarget } from "../store/workspace-changes.ts";
import {
  getHeldToken,
  type HeldWorkspaceToken,
  insertWorkspaceToken,
  listHeldTokens,
  revokeWorkspaceToken,
} from "../store/workspace-tokens.ts";
import { tokensTarget } from "./tokens-target.ts";

/** Handlers of the rows in `src/contract/workspace-tokens.ts`. */
export const workspaceTokenHandlers: GroupHandlers<typeof api.workspaceTokens, Context> = {
  list: async ({ workspaceId }, context) => {
    const { store } = context.server;
    const target = targetOf(context, workspaceId);
    const { role } = await getJoinedWorkspace(store, target);
    const holder = covers(role, "OWNER") ? undefined : target.actor;
    const tokens = await listHeldTokens(store, target.workspaceId, holder);
    return { authTokens: tokens.map(tokenView) };
  },
  create: async ({ workspaceId, body }, context) => {
    const target = targetOf(context, workspaceId);
    const { actor: userId } = target;
    const name = checkTokenName(body.name);
    const expiresInSeconds = tokenLifeOf(body.expiration);
    // A stranger's request is refused before anything is signed; the change looks again.
    await getJoinedWorkspace(context.server.store, target);
    const request = { workspaceId: target.workspaceId, userId, name, expiresInSeconds };
    const { kept, token } = await signWorkspaceToken(context.server, request);
    const made = await changeWorkspace(context.server.store, target, {}, async ({ tx }) => {
      await insertWorkspaceToken(tx, kept);
      await recordAudit(tx, originOf(context), {
        kind: "workspace_token.created",
        subject: kept.id,
        workspaceId: kept.workspaceId,
        userId,
        data: { name: name ?? null },
      });
      return getHeldToken(tx, kept.workspaceId, kept.id);
    });
    return { authToken: tokenView(made), token };
  },
  revoke: ({ workspaceId, tokenId }, context) => {
    const target = targetOf(context, workspaceId);
    return changeWorkspace(context.server.store, target, {}, async ({ tx, role, actor }) => {
      const { token } = await getHeldToken(tx, target.workspaceId, idOf(tokenId));
      // To who may not see it, somebody else's token is none.
      if (token.userId !== actor && !covers(role, "OWNER")) fail("workspaceTokenNotFound");
      await revokeWorkspaceToken(tx, { workspaceId: target.workspaceId, tokenId: token.id, actor });
      await recordAudit(tx, originOf(context), {
        kind: "workspace_token.revoked",
        subject: token.id,
        workspaceId: token.workspaceId,
        userId: token.userId,
        data: { name: token.name ?? null },
      });
      return { authToken: tokenView(await getHeldToken(tx, target.workspaceId, token.id)) };
    });
  },
};

const targetOf = (context: Context, workspaceId: string): WorkspaceTarget =>
  tokensTarget(context, workspaceId, "tokens");

const at = (time: number | undefined): string | null => (time === undefined ? null : toTimestamp(time));

/** A token as the wire shows it, without its value, which is kept nowhere. */
const tokenView = ({ token, userEmail }: HeldWorkspaceToken): WorkspaceTokenAnswer => ({
  id: token.id,
  name: token.name ?? null,
  workspaceId: token.workspaceId,
  userId: token.userId,
  userEmail,
  createdAt: toTimestamp(token.createdAt),
  expiresAt: at(token.expiresAt),
  revokedAt: at(token.revokedAt),
  lastUsedAt: at(token.lastUsedAt),
});
