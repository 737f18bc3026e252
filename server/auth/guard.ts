import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { fail } from "../../src/contract/errors.ts";
import type { Incoming } from "../../src/http/mount.ts";
import type { Caller, Context, Server, WorkspaceAccess } from "../context.ts";
import type { CollectiveTokenContext } from "../request-log.ts";
import type { Access, Claim } from "../store/access.ts";
import { createAdmissions } from "./admissions.ts";
import { type Credential, credentialOf, sessionCookie, sessionSeconds } from "./credentials.ts";
import { checkOrigin, mayCarryCookie } from "./origin.ts";
import { actorIdOf, type Claimed, claimOf, type Principal, principalOf } from "./principals.ts";
import { createUseNotes } from "./use-notes.ts";
import { openWorkspace, type Params, pathOf } from "./workspace-access.ts";

/** A GET whose row and path are known before the framework has seen it. */
export interface Asked {
  readonly endpoint: Endpoint;
  readonly params: Params;
  readonly headers: IncomingHttpHeaders;
}

/** Who calls, and their place in the workspace of the path. */
export interface Admitted {
  readonly principal: Principal;
  readonly workspace: WorkspaceAccess;
}

/** A request's credential, what it claims, and what the database knows of that. */
interface Found {
  readonly credential: Credential | undefined;
  readonly claimed: Claimed | undefined;
  readonly access: Access | undefined;
}

/** What stands before every row. */
export interface Guard {
  /**
   * Decides who calls and whether the row is for them; throws the refusal. At once where everything is remembered, so
   * that the requests of a turn of the event loop do not wait for each other.
   */
  admit(incoming: Incoming): Promise<Context> | Context;
  /**
   * The same decision about a GET of a row with access `workspace`, from memory alone: undefined where the database
   * would have to be asked. Throws the same refusals.
   */
  recall(asked: Asked): Admitted | undefined;
  /** Decides who looks at a page, or sends a form from it: the cookie counts under a name of this server's own. */
  visit(request: FastifyRequest, reply: FastifyReply): Promise<Context> | Context;
}

/** Makes the guard of one server. */
export function createGuard(server: Server): Guard {
  const { settings, clock } = server;
  const secure = isSecure(settings.publicUrl);
  const noteUse = createUseNotes(server);
  const admissions = createAdmissions(server.store);

  const principalFor = (
    endpoint: Endpoint,
    { credential, claimed, access }: Found,
  ): Principal | undefined => {
    const known = access && credential && { token: credential.token, claims: claimed?.claims };
    return judge(endpoint, known && principalOf(access, known, clock.now()));
  };

  const decide = ({ endpoint, request, reply }: Incoming, found: Found): Context => {
    const { credential, access } = found;
    const setSessionCookie: Context["setSessionCookie"] = (token, remember = true) => {
      const age = token === undefined ? { maxAge: 0 } : remember ? { maxAge: sessionSeconds } : {};
      reply.setCookie(sessionCookie, token ?? "", { ...cookieOptions, secure, ...age });
    };
    const principal = principalFor(endpoint, found);
    checkOrigin(request, principal === undefined ? undefined : credential, settings);
    if (principal?.kind === "workspace") checkOwn(principal.token.workspaceId, paramsOf(request));
    if (principal !== undefined) {
      const refreshed = noteUse(principal);
      if (refreshed && credential?.from === "cookie" && principal.kind === "session") {
        setSessionCookie(principal.token);
      }
    }
    const workspace =
      endpoint.access === "workspace" && principal !== undefined
        ? openWorkspace(access?.workspace, endpoint, paramsOf(request), strangerTo(principal))
        : undefined;
    if (principal !== undefined) request.userId = actorIdOf(principal);
    const collectiveTokenContext = tokenContextOf(principal);
    request.collectiveTokenContext = collectiveTokenContext;
    const header = request.headers["x-workspace-id"];
    const workspaceHeader = typeof header === "string" ? header : undefined;
    const caller = callerOf(request);
    const asked = { workspace, workspaceHeader, setSessionCookie };
    return { server, caller, principal, collectiveTokenContext, ...asked };
  };

  const admit = (incoming: Incoming): Promise<Context> | Context => {
    const { endpoint, request } = incoming;
    const counts = takesCookies(endpoint) && mayCarryCookie(request, settings);
    const cookie = counts ? cookieOf(request) : undefined;
    const credential = credentialOf(request.headers, cookie);
    const path = claimedPath(endpoint, paramsOf(request));
    const admitClaimed = (claimed: Claimed | undefined): Promise<Context> | Context => {
      const access = claimed && admissions.ask(claimed.claim);
      return access instanceof Promise
        ? access.then((known) => decide(incoming, { credential, claimed, access: known }))
        : decide(incoming, { credential, claimed, access });
    };
    const claimed = credential && claimOf(credential, path, server.workspaceTokens);
    return claimed instanceof Promise ? claimed.then(admitClaimed) : admitClaimed(claimed);
  };

  return {
    admit,
    visit: (request, reply) => admit({ operation: "page", endpoint: pageVisit, request, reply }),
    // No cookie counts on these rows, and a GET may come from any origin.
    recall: ({ endpoint, params, headers }) => {
      const credential = credentialOf(headers, undefined);
      const claimed =
        credential && claimOf(credential, claimedPath(endpoint, params), server.workspaceTokens);
      if (claimed === undefined || claimed instanceof Promise) return undefined;
      const access = admissions.recall(claimed.claim);
      if (access === undefined) return undefined;
      const principal = principalFor(endpoint, { credential, claimed, access });
      if (principal === undefined) return undefined;
      noteUse(principal);
      return {
        principal,
        workspace: openWorkspace(access.workspace, endpoint, params, strangerTo(principal)),
      };
    },
  };
}

/** The collective that a collective token calls for; undefined for who stands for a user, and for nobody. */
function tokenContextOf(principal: Principal | undefined): CollectiveTokenContext | undefined {
  if (principal?.kind !== "collective") return undefined;
  const { collective, token } = principal;
  return { collectiveId: collective.id, collectiveSlug: collective.slug, tokenId: token.id };
}

/** What somebody is told of a workspace where they may not act; undefined for the usual words. */
const strangerTo = ({ kind }: Principal): string | undefined =>
  kind === "collective"
    ? "the workspace was not granted to the collective of this token: ask its owner"
    : undefined;

/** Throws `unauthenticated` where a path names another workspace than the token's own, in any letter case. */
function checkOwn(workspaceId: string, { workspaceId: named }: Params): void {
  if (named === undefined || named.toUpperCase() === workspaceId) return;
  fail("unauthenticated", "the token is one of another workspace");
}

const claimedPath = (endpoint: Endpoint, params: Params): Claim["path"] =>
  endpoint.access === "workspace" ? pathOf(params) : undefined;

// The router's boundary: it reads every parameter of a path as text.
const paramsOf = (request: FastifyRequest): Params => request.params as Params;

const cookieOptions = { path: "/", httpOnly: true, sameSite: "lax" } as const;

/** What a collective token is never enough for: it stands for no user. */
const needsUser: ReadonlySet<Endpoint["access"]> = new Set(["session", "sessionOrKey", "user"]);

/** The principal as the row sees it; throws `unauthenticated`, `sessionRequired` or `userRequired`. */
function judge(endpoint: Endpoint, principal: Principal | undefined): Principal | undefined {
  // Tokens of a workspace model: they are nobody where accounts and keys are managed.
  const found = principal?.kind === "workspace" && isKeyApi(endpoint) ? undefined : principal;
  if (found?.kind === "collective" && needsUser.has(endpoint.access)) fail("userRequired");
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

/** The key-authentication API. */
function isKeyApi({ path }: Endpoint): boolean {
  return path.startsWith("/api/");
}

const cookieOf = ({ headers, server }: FastifyRequest): string | undefined =>
  headers.cookie === undefined ? undefined : server.parseCookie(headers.cookie)[sessionCookie];

/** Any page, as the guard sees it: for whoever comes. */
const pageVisit: Endpoint = { method: "GET", path: "/", summary: "A page", access: "optional" };

/** Cookies count where pages use them, and nowhere else: not on the modeling API. */
const takesCookies = (endpoint: Endpoint): boolean => endpoint === pageVisit || isKeyApi(endpoint);

/** Whether people reach the server over TLS, so that its cookies may be kept to it. */
export const isSecure = (publicUrl: string | undefined): boolean => publicUrl?.startsWith("https:") === true;

/** The longest user agent that is kept. */
const maximumUserAgent = 512;

/** Where a request comes from. */
export const callerOf = (request: FastifyRequest): Caller => ({
  ip: request.ip,
  userAgent: request.headers["user-agent"]?.slice(0, maximumUserAgent),
});
