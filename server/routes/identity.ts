import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { type Context, userOf } from "../context.ts";
import { listWorkspacesOf } from "../store/workspaces.ts";

/** Handlers of the rows in `src/contract/system.ts`. */
export const identityHandlers: GroupHandlers<typeof api.identity, Context> = {
  whoami: async (_input, context) => {
    const user = userOf(context);
    return {
      userId: user.id,
      userEmail: user.email,
      workspaceId: await workspaceFor(context),
      token: describePrincipal(context),
    };
  },
};

/**
 * The workspace of the token, or the one that the caller asks for, else the user's default: the one they prefer, or the
 * one joined first. One that is quarantined stays it: nobody should act elsewhere unawares. Throws `forbidden`.
 */
async function workspaceFor(context: Context): Promise<string> {
  const { principal } = context;
  if (principal?.kind === "workspace") return ownWorkspace(context, principal.token.workspaceId);
  const joined = await listWorkspacesOf(context.server.store, userOf(context).id);
  const asked = context.workspaceHeader;
  if (asked !== undefined) {
    const found = joined.find(({ workspace }) => workspace.id === asked.toUpperCase());
    return (
      found?.workspace.id ?? fail("forbidden", "you are not a member of the workspace of X-Workspace-Id")
    );
  }
  return joined[0]?.workspace.id ?? fail("forbidden", "you are not a member of any workspace");
}

function ownWorkspace({ workspaceHeader: asked }: Context, workspaceId: string): string {
  return asked === undefined || asked.toUpperCase() === workspaceId
    ? workspaceId
    : fail("forbidden", "the token belongs to another workspace than that of X-Workspace-Id");
}

/** What a token is, without its value. */
function describePrincipal({ principal }: Context) {
  if (principal === undefined) return fail("unauthenticated");
  if (principal.kind === "collective") return fail("userRequired");
  if (principal.kind === "workspace") {
    const { claims, token } = principal;
    return { id: token.id, kind: "workspace", ...claims, name: token.name ?? null };
  }
  if (principal.kind === "session") {
    const { id, userId, createdAt, expiresAt } = principal.session;
    return {
      id,
      kind: "session",
      userId,
      createdAt: toTimestamp(createdAt),
      expiresAt: toTimestamp(expiresAt),
    };
  }
  const { id, userId, name, start, createdAt, expiresAt } = principal.key;
  return {
    id,
    kind: "personal",
    userId,
    name: name ?? null,
    start,
    createdAt: toTimestamp(createdAt),
    expiresAt: expiresAt === undefined ? null : toTimestamp(expiresAt),
  };
}
