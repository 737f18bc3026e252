import type { CollectiveToken as TokenAnswer } from "../../src/contract/collective-tokens.ts";
import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { noteInCollective } from "../auth/audit.ts";
import { hashToken, newCollectiveToken } from "../auth/tokens.ts";
import { idOf } from "../auth/workspace-access.ts";
import type { Context } from "../context.ts";
import {
  checkScopes,
  checkTokenCount,
  checkTokenName,
  readTokenExpiry,
} from "../domain/collective-tokens.ts";
import { checkCollectiveRole } from "../domain/collectives.ts";
import { keyStart } from "../domain/keys.ts";
import type { AuditEntry } from "../store/audit.ts";
import {
  type CollectiveToken,
  countCollectiveTokens,
  createCollectiveToken,
  deleteCollectiveToken,
  getCollectiveToken,
  listCollectiveTokens,
  revokeCollectiveToken,
} from "../store/collective-tokens.ts";
import { type CollectiveChange, changeCollective, getJoinedCollective } from "../store/collectives.ts";
import { collectiveTarget } from "./collectives.ts";

/** Handlers of the rows in `src/contract/collective-tokens.ts`. */
export const collectiveTokenHandlers: GroupHandlers<typeof api.collectiveTokens, Context> = {
  list: async ({ slug }, context) => {
    const { store } = context.server;
    const { collective, role } = await getJoinedCollective(store, await collectiveTarget(context, slug));
    checkCollectiveRole(role, "admin", "listing tokens");
    const tokens = await listCollectiveTokens(store, collective.id);
    return { tokens: tokens.map((token) => tokenView(context, token)) };
  },
  create: ({ slug, body }, context) =>
    changeTokens(context, slug, "creating a token", async (change) => {
      checkScopes(body.scopes);
      const name = checkTokenName(body.name);
      const expiresAt = readTokenExpiry(body, context.server.clock.now());
      checkTokenCount(await countCollectiveTokens(change));
      const key = newCollectiveToken();
      const kept = { name, start: keyStart(key), tokenHash: hashToken(key), expiresAt };
      const token = await createCollectiveToken(change, kept);
      await noteInCollective(context, change, entryOf("collective_token.created", token));
      return { token: tokenView(context, token), key };
    }),
  revoke: ({ slug, tokenId, body }, context) =>
    changeTokens(context, slug, "revoking a token", async (change) => {
      const token = await getCollectiveToken(change, idOf(tokenId));
      if (body.enabled !== true) {
        const revoked = await revokeCollectiveToken(change, token.id);
        if (token.state !== "Revoked")
          await noteInCollective(context, change, entryOf("collective_token.revoked", token));
        return { token: tokenView(context, revoked) };
      }
      if (token.state === "Revoked") fail("keyRevoked");
      return { token: tokenView(context, token) };
    }),
  delete: ({ slug, tokenId }, context) =>
    changeTokens(context, slug, "deleting a token", async (change) => {
      const token = await deleteCollectiveToken(change, idOf(tokenId));
      await noteInCollective(context, change, entryOf("collective_token.deleted", token));
      return { token: { ...tokenView(context, token), enabled: false }, deleted: true };
    }),
};

/** One change of the tokens of a collective by an owner or admin; `doing` begins the sentence of the refusal. */
async function changeTokens<T>(
  context: Context,
  slug: string,
  doing: string,
  work: (change: CollectiveChange) => Promise<T>,
): Promise<T> {
  const target = await collectiveTarget(context, slug);
  return changeCollective(context.server.store, target, (change) => {
    checkCollectiveRole(change.role, "admin", doing);
    return work(change);
  });
}

/** What moves a token, and through which states. */
const moves = {
  "collective_token.created": ["Created", "Enabled"],
  "collective_token.revoked": ["Revoked"],
  "collective_token.deleted": ["Deleted"],
} as const;

const entryOf = (kind: keyof typeof moves, { id, name }: CollectiveToken): AuditEntry => ({
  kind,
  subject: id,
  data: { name, states: moves[kind] },
});

/** A token as the wire shows it. */
const tokenView = (
  { server }: Context,
  { id, name, start, state, expiresAt, createdAt, createdBy, lastUsedAt }: CollectiveToken,
): TokenAnswer => ({
  id,
  name,
  keyPrefix: start,
  enabled: state === "Enabled",
  expired: expiresAt !== undefined && server.clock.now() >= expiresAt,
  expiresAt: expiresAt === undefined ? null : toTimestamp(expiresAt),
  createdAt: toTimestamp(createdAt),
  createdBy,
  lastUsedAt: lastUsedAt === undefined ? null : toTimestamp(lastUsedAt),
  scopes: ["*"],
});
