import type { FastifyRequest } from "fastify";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { fail } from "../../src/contract/errors.ts";
import type { Incoming } from "../../src/http/mount.ts";
import type { Caller, Context, Server } from "../context.ts";
import type { Access } from "../store/access.ts";
import { createAdmissions } from "./admissions.ts";
import { type Credential, credentialOf, sessionCookie, sessionSeconds } from "./credentials.ts";
import { checkOrigin } from "./origin.ts";
import { claimOf, type Principal, principalOf } from "./principals.ts";
import { createUseNotes } from "./use-notes.ts";
import { openWorkspace, pathOf } from "./workspace-access.ts";

/**
 * Decides who calls and whether the row is for them; throws the refusal. At once where everything is remembered, so that
 * the requests of a turn of the event loop do not wait for each other.
 */
export function createGuard(server: Server): (incoming: Incoming) => Promise<Context> | Context {
  const { settings, clock } = server;
  const secure = isSecure(settings.publicUrl);
  const noteUse = createUseNotes(server);
  const admit = createAdmissions(server.store);

  const decide = (
    { endpoint, request, reply }: Incoming,
    credential: Credential | undefined,
    access: Access | undefined,
  ): Context => {
    const setSessionCookie: Context["setSessionCookie"] = (token, remember = true) => {
      const age = token === undefined ? { maxAge: 0 } : remember ? { maxAge: sessionSeconds } : {};
      reply.setCookie(sessionCookie, token ?? "", { ...cookieOptions, secure, ...age });
    };
    const found = access && credential && principalOf(access.holder, credential.token, clock.now());
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
        ? openWorkspace(access?.workspace, endpoint, paramsOf(request))
        : undefined;
    request.userId = principal?.user.id;
    const header = request.headers["x-workspace-id"];
    const workspaceHeader = typeof header === "string" ? header : undefined;
    return { server, caller: callerOf(request), principal, workspace, workspaceHeader, setSessionCookie };
  };

  return (incoming) => {
    const { endpoint, request } = incoming;
    const cookie = takesCookies(endpoint) ? cookieOf(request) : undefined;
    const credential = credentialOf(request.headers, cookie);
    const path = endpoint.access === "workspace" ? pathOf(paramsOf(request)) : undefined;
    const claim = credential && claimOf(credential, path);
    const access = claim && admit(claim);
    return access instanceof Promise
      ? access.then((found) => decide(incoming, credential, found))
      : decide(incoming, credential, access);
  };
}

// The router's boundary: it reads every parameter of a path as text.
const paramsOf = (request: FastifyRequest): Readonly<Record<string, string>> =>
  request.params as Readonly<Record<string, string>>;

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

const cookieOf = ({ headers, server }: FastifyRequest): string | undefined =>
  headers.cookie === undefined ? undefined : server.parseCookie(headers.cookie)[sessionCookie];

/** Cookies count where pages use them, and nowhere else: not on the modeling API. */
const takesCookies = ({ path }: Endpoint): boolean => path.startsWith("/api/");

/** Whether people reach the server over TLS, so that its cookies may be kept to it. */
const isSecure = (publicUrl: string | undefined): boolean => publicUrl?.startsWith("https:") === true;

/** The longest user agent that is kept. */
const maximumUserAgent = 512;

/** Where a request comes from. */
export const callerOf = (request: FastifyRequest): Caller => ({
  ip: request.ip,
  userAgent: request.headers["user-agent"]?.slice(0, maximumUserAgent),
});
