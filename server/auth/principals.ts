import { admits } from "../domain/keys.ts";
import type { Access, Claim } from "../store/access.ts";
import type { CollectiveToken } from "../store/collective-tokens.ts";
import type { Collective } from "../store/collectives.ts";
import type { Key } from "../store/keys.ts";
import type { Session } from "../store/sessions.ts";
import type { User } from "../store/users.ts";
import type { WorkspaceToken } from "../store/workspace-tokens.ts";
import type { Credential } from "./credentials.ts";
import { hashToken, tokenKind } from "./tokens.ts";
import type { WorkspaceClaims, WorkspaceTokens } from "./workspace-tokens.ts";

/**
 * Who calls: a signed-in session, a personal key, or a token of one workspace, each of which stands for a user; or a
 * token of a collective, which stands for no user at all.
 */
export type Principal =
  | { readonly kind: "session"; readonly user: User; readonly session: Session; readonly token: string }
  | { readonly kind: "personal"; readonly user: User; readonly key: Key }
  | {
      readonly kind: "workspace";
      readonly user: User;
      readonly token: WorkspaceToken;
      readonly claims: WorkspaceClaims;
    }
  | { readonly kind: "collective"; readonly collective: Collective; readonly token: CollectiveToken };

/** Whom what the caller does is attributed to: the id of the user, or of the collective. */
export const actorIdOf = (principal: Principal): string =>
  principal.kind === "collective" ? principal.collective.id : principal.user.id;

/** The id of what the caller showed: its row is what revoking changes. */
export function credentialIdOf(principal: Principal): string {
  switch (principal.kind) {
    case "session":
      return principal.session.id;
    case "personal":
      return principal.key.id;
    case "workspace":
    case "collective":
      return principal.token.id;
  }
}

/** A credential that may be worth a look into the database. */
export interface Claimed {
  readonly claim: Claim;
  /** What was signed, of a workspace token. */
  readonly claims?: WorkspaceClaims;
}

/**
 * What a credential claims; undefined when its form or its signature alone say that it is none, or none where it was
 * found, or one of another workspace than the path's.
 */
export function claimOf(
  { token, from }: Credential,
  path: Claim["path"],
  workspaceTokens: WorkspaceTokens,
): Claimed | undefined | Promise<Claimed | undefined> {
  const kind = tokenKind(token);
  switch (kind) {
    case "session":
      return from === "x-api-key" ? undefined : { claim: { kind, token: hashToken(token), path } };
    case "personal":
    case "collective":
      return from === "cookie" ? undefined : { claim: { kind, token: hashToken(token), path } };
    case "workspace": {
      if (from === "cookie") return undefined;
      const claims = workspaceTokens.verify(token);
      return claims instanceof Promise
        ? claims.then((verified) => claimedBy(verified, path))
        : claimedBy(claims, path);
    }
    case "malformed":
      return undefined;
  }
}

/** Where the path names no workspace, the token's own is looked at: who left it has no token any more. */
function claimedBy(claims: WorkspaceClaims | undefined, path: Claim["path"]): Claimed | undefined {
  if (claims === undefined) return undefined;
  const { jti, workspaceId } = claims;
  if (path !== undefined && path.workspaceId !== workspaceId) return undefined;
  const own = path ?? { workspaceId, changeSetId: undefined };
  return { claim: { kind: "workspace", token: jti, path: own }, claims };
}

/** The principal that a token's holder is at `now`; undefined when it is revoked, expired or its user suspended. */
export function principalOf(
  { holder, workspace }: Access,
  { token, claims }: { readonly token: string; readonly claims: WorkspaceClaims | undefined },
  now: number,
): Principal | undefined {
  if (holder.kind === "collective") {
    const { collective, token: kept, suspendedAt } = holder;
    const admitted = suspendedAt === undefined && admits(kept.state, kept.expiresAt ?? null, now);
    return admitted ? { kind: "collective", collective, token: kept } : undefined;
  }
  const { user } = holder;
  if (user.suspendedAt !== undefined) return undefined;
  switch (holder.kind) {
    case "session": {
      const { session } = holder;
      return session.expiresAt > now ? { kind: "session", user, session, token } : undefined;
    }
    case "personal": {
      const { key } = holder;
      return admits(key.state, key.expiresAt ?? null, now) ? { kind: "personal", user, key } : undefined;
    }
    case "workspace": {
      const kept = holder.token;
      if (claims === undefined || claims.exp * 1000 <= now) return undefined;
      if (kept.workspaceId !== claims.workspaceId || user.id !== claims.userId) return undefined;
      // Its rights are the user's: none once the user has left, or the workspace is gone.
      if ((workspace?.role ?? null) === null) return undefined;
      return { kind: "workspace", user, token: kept, claims };
    }
  }
}
