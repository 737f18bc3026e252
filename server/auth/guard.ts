import type { FastifyRequest } from "fastify";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { fail } from "../../src/contract/errors.ts";
import type { Incoming } from "../../src/http/mount.ts";
import type { Caller, Context, Server } from "../context.ts";
import { credentialOf, sessionCookie, sessionSeconds } from "./credentials.ts";
import { checkOrigin } from "./origin.ts";
import { findPrincipal, type Principal } from "./principals.ts";
import { createUseNotes } from "./use-notes.ts";
import { openWorkspace } from "./workspace-access.ts";

/** Decides who calls and whether the row is for them; throws the refusal. */
export function createGuard(server: Server): (incoming: Incoming) => Promise<Context> {
  const { settings } = server;
  const noteUse = createUseNotes(server);
  return async ({ endpoint, request, reply }) => {
    const cookie = takesCookies(request.url) ? request.cookies[sessionCookie] : undefined;
    const credential = credentialOf(request.headers, cookie);
    const found = credential && (await findPrincipal(server.store, credential));
    const secure = isSecure(settings.publicUrl);
    const setSessionCookie: Context["setSessionCookie"] = (token, remember = true) => {
      const age = token === undefined ? { maxAge: 0 } : remember ? { maxAge: sessionSeconds } : {};
      reply.setCookie(sessionCookie, token ?? "", { ...cookieOptions, secure, ...age });
    };
    const principal = judge(endpoint, found);
    checkOrigin(request, principal === undefined ? undefined : credential, settings.publicUrl);
    if (principal !== undefined) {
      const refreshed = noteUse(principal);
      if (refreshed && credential?.from === "cookie" && principal.kind === "session") {
        setSessionCookie(principal.token);
      }
    }
    const workspace =
      endpoint.access === "workspace" && principal !== undefined
        ? await openWorkspace(server.store, principal.user.id, endpoint, request)
        : undefined;
    const header = request.headers["x-workspace-id"];
    const workspaceHeader = typeof header === "string" ? header : undefined;
    return { server, caller: callerOf(request), principal, workspace, workspaceHeader, setSessionCookie };
  };
}

const cookieOptions = { path: "/", httpOnly: true, sameSite: "lax" } as const;

/** The principal as the row sees it; throws `unauthenticated` or `sessionRequired`. */
function judge(endpoint: Endpoint, found: Principal | undefined): Principal | undefined {
  switch (endpoint.access) {
    case "none":
    case "optional":
      return found;
    case "any":
    case "user":
    case "sessionOrKey":
    case "workspace":
      return found ?? fail("unauthenticated");
    case "session":
      if (found?.kind === "personal") fail("sessionRequired");
      return found ?? fail("unauthenticated");
  }
}

/** Cookies count where pages use them, and nowhere else: not on the modeling API. */
const takesCookies = (url: string): boolean => url.startsWith("/api/");

/** Whether people reach the server over TLS, so that its cookies may be kept to it. */
const isSecure = (publicUrl: string | undefined): boolean => publicUrl?.startsWith("https:") === true;

/** The longest user agent that is kept. */
const maximumUserAgent = 512;

/** Where a request comes from. */
export const callerOf = (request: FastifyRequest): Caller => ({
  ip: request.ip,
  userAgent: request.headers["user-agent"]?.slice(0, maximumUserAgent),
});
