import type { FastifyInstance } from "fastify";
import { concealCredentials } from "../src/contract/conceal.ts";
import type { Clock } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** When it came in, in milliseconds since the epoch. */
    began: number;
    /** The row that answers it, undefined where none does. */
    operation: string | undefined;
    /** Who called, once that is known: the id of the user or of the collective. */
    userId: string | undefined;
    /** The collective that a collective token calls for, and which of its tokens. */
    collectiveTokenContext: CollectiveTokenContext | undefined;
  }
}

/** What a request is done for that a collective token authenticates: a collective, and no user. */
export interface CollectiveTokenContext {
  readonly collectiveId: string;
  readonly collectiveSlug: string;
  readonly tokenId: string;
}

/** Ids that callers may bring along: short, and harmless in a log and in a header. */
const acceptable = /^[\w.:+/=-]{1,128}$/;

/** The header that carries a request's id, in and out. */
export const requestIdHeader = "x-request-id";

/** The request's id: the caller's `x-request-id` where it is acceptable, else a new one. */
export function requestId(header: string | string[] | undefined, newId: () => string): string {
  if (typeof header !== "string" || !acceptable.test(header)) return newId();
  // A credential that was put there by mistake is nothing for a log.
  return concealCredentials(header) === header ? header : newId();
}

/** A request that was answered, as far as its line in the log tells of it. */
export interface Answered {
  readonly requestId: string;
  readonly operation: string | undefined;
  readonly method: string | undefined;
  readonly status: number;
  readonly ms: number;
  readonly userId: string | undefined;
}

/** Writes a request's one line: id, operation, status, time; never what it carried. */
export function logAnswered(log: Log, answered: Answered): void {
  const { requestId, operation = "none", method = "", status, ms, userId } = answered;
  log.info(
    "request",
    userId === undefined
      ? { requestId, operation, method, status, ms }
      : { requestId, operation, method, status, ms, userId },
  );
}

/** Answers carry the request's id, and each leaves its line. */
export function logRequests(
  app: FastifyInstance,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): void {
  app.decorateRequest("began", 0);
  app.decorateRequest("operation");
  app.decorateRequest("userId");
  app.decorateRequest("collectiveTokenContext");
  app.addHook("onRequest", (request, reply, done) => {
    request.began = clock.now();
    reply.header(requestIdHeader, request.id);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { id, operation, userId, raw } = request;
    const status = reply.raw.statusCode;
    const ms = clock.now() - request.began;
    logAnswered(log, { requestId: id, operation, method: raw.method, status, ms, userId });
    done();
  });
}
