import { createServer } from "node:http";
import cookies from "@fastify/cookie";
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { ServerSettings } from "../src/config/server-settings.ts";
import { ApiError } from "../src/contract/errors.ts";
import { api } from "../src/contract/index.ts";
import { openApiDocument } from "../src/contract/openapi.ts";
import { maximumJsonBytes, readJsonBodies } from "../src/http/json-body.ts";
import { mount } from "../src/http/mount.ts";
import { ReadyAnswers } from "../src/http/ready-answers.ts";
import type { Clock } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";
import { version } from "../src/lib/version.ts";
import { createAttempts } from "./auth/attempts.ts";
import { createGuard, isSecure } from "./auth/guard.ts";
import { keyForOf, type ServerKeys } from "./auth/server-keys.ts";
import { recordUse } from "./auth/telemetry.ts";
import { createWorkspaceTokens } from "./auth/workspace-tokens.ts";
import { createBackground } from "./background.ts";
import { cutOffIdleConnections } from "./connections.ts";
import type { Server } from "./context.ts";
import type { Maintenance } from "./maintenance.ts";
import { isHealthCheck, refuseInMaintenance, whileOpen } from "./maintenance-gate.ts";
import { createQuickWay } from "./quick-way.ts";
import { SearchIndex } from "./read/search-index.ts";
import { VariantCache } from "./read/variants.ts";
import { refusalOf } from "./refusal-of.ts";
import { logRequests, requestId, requestIdHeader } from "./request-log.ts";
import { revisionOf, waitForChange } from "./revisions.ts";
import { handlers } from "./routes/index.ts";
import type { FunctionRuns } from "./runs/runs.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { createTogether, sendTogether } from "./send-together.ts";
import type { Store } from "./store/open.ts";
import {
  answerUnreadableAddress,
  answerUnreadableRequest,
  answerUnrouted,
  refuseUnreadableQueries,
} from "./unrouted.ts";
import { serveDocs } from "./web/docs.ts";
import { serveLanding } from "./web/landing.tsx";
import { pages } from "./web/pages/index.ts";
import { sendProblem } from "./web/send-page.ts";
import { servePages } from "./web/serve-pages.ts";
import { wantsPage } from "./web/wants-page.ts";

/** What an application is made of; all of it belongs to the caller, who also closes it. */
export interface AppOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: ServerSettings;
  readonly log: Log;
  readonly keys: ServerKeys;
  readonly maintenance: Maintenance;
  readonly sandbox: Sandbox;
  readonly runs: FunctionRuns;
}

/** A client that takes longer to send a request is cut off: slow senders must not hold connections. */
const requestTimeoutMs = 30_000;
/** Longer than the usual 60 s of a proxy in front, so that it is the proxy that closes idle connections. */
const keepAliveMs = 65_000;

/**
 * The whole API on one fastify instance. Closing it takes no new requests, releases held ones, finishes running ones
 * and everything they left to be written in the background; the store stays open.
 */
export function createApp(options: AppOptions): FastifyInstance {
  const { store, clock, settings, log, keys, maintenance, sandbox, runs } = options;
  const stopping = new AbortController();
  const keyFor = keyForOf(keys);
  const server: Server = {
    store,
    clock,
    settings,
    log,
    keyFor,
    keys,
    background: createBackground(log),
    attempts: createAttempts(clock),
    variants: new VariantCache(),
    search: new SearchIndex(),
    workspaceTokens: createWorkspaceTokens(keyFor, clock),
    sandbox,
    runs,
    stopping: stopping.signal,
  };
  const guard = createGuard(server);
  const ready = new ReadyAnswers();
  const together = createTogether();
  const isOpen = (): boolean => !stopping.signal.aborted && maintenance.isOpen();
  const quickWay = createQuickWay({ server, guard, ready, together, isOpen });
  const app = fastify({
    logger: false,
    trustProxy: settings.trustProxy,
    bodyLimit: maximumJsonBytes,
    serverFactory: (usualWay) =>
      createServer(
        // Of two Authorization headers the parser would keep the first: joined they are no credential at all.
        { requestTimeout: requestTimeoutMs, keepAliveTimeout: keepAliveMs, joinDuplicateHeaders: true },
        (request, response) => {
          if (!quickWay(request, response)) usualWay(request, response);
        },
      ),
    genReqId: (request) => requestId(request.headers[requestIdHeader], store.id),
    // Refused below in the shape of the address instead.
    return503OnClosing: false,
    clientErrorHandler: answerUnreadableRequest,
    frameworkErrors: (_error, request, reply) => answerUnreadableAddress(request, reply),
  });
  logRequests(app, { log, clock });
  refuseWhileStopping(app, stopping.signal);
  refuseInMaintenance(app, maintenance);
  cutOffIdleConnections(app.server, stopping.signal);
  serveLanding(app, { version, store, settings });
  // Read by the guard, where they count.
  app.register(cookies, { hook: false });
  refuseUnreadableQueries(app);
  readJsonBodies(app);
  answerUnrouted(app, api, guard);
  serveDocs(app, openApiDocument(api, version));

  const authorize = whileOpen(maintenance, (incoming) => {
    incoming.request.operation = incoming.operation;
    return guard.admit(incoming);
  });
  if (settings.telemetry) recordUse(app, server);
  const noteInternalError = (error: unknown, operation: string, request: FastifyRequest): void =>
    log.error("request failed", { operation, requestId: request.id, ...describeError(error) });
  mount(app, api, handlers, {
    authorize,
    revisionOf,
    waitForChange,
    ready,
    stopping: stopping.signal,
    translate: refusalOf,
    onInternalError: (error, { operation, request }) => noteInternalError(error, operation, request),
  });
  servePages(app, pages, {
    guard,
    secure: isSecure(settings.publicUrl),
    formKey: keyFor("forms of pages"),
    onInternalError: (error, request) => noteInternalError(error, request.operation ?? "page", request),
  });

  sendTogether(app, together);

  app.addHook("preClose", async () => stopping.abort());
  app.addHook("onClose", () => server.background.settled());
  return app;
}

/** What still arrives on open connections is sent elsewhere; health checks go on telling how it is. */
function refuseWhileStopping(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!stopping.aborted || isHealthCheck(request.url)) return done();
    const refusal = new ApiError("unavailable", "the server is stopping", { retryAfterSeconds: 1 });
    if (wantsPage(request)) sendProblem(request, reply, refusal);
    else done(refusal);
  });
  // A connection kept open after its last answer would keep the server from closing.
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (stopping.aborted) reply.header("connection", "close");
    done();
  });
}

const describeError = (error: unknown): { readonly reason: string; readonly stack?: string } =>
  error instanceof Error
    ? { reason: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) }
    : { reason: String(error) };
