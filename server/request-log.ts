import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";

/** What became known of a request while it was handled. */
export interface Handled {
  readonly operation: string;
  readonly userId: string | undefined;
}

/** Ids that callers may bring along: short, and harmless in a log and in a header. */
const acceptable = /^[\w.:+/=-]{1,128}$/;

/** The request's id: the caller's `x-request-id` where it is acceptable, else a new one. */
export function requestId(header: string | string[] | undefined, newId: () => string): string {
  return typeof header === "string" && acceptable.test(header) ? header : newId();
}

/** Answers carry the request's id, and each leaves one line: id, operation, status, time; never what it carried. */
export function logRequests(
  app: FastifyInstance,
  options: {
    readonly log: Log;
    readonly clock: Clock;
    readonly handled: (request: FastifyRequest) => Handled | undefined;
  },
): void {
  const { log, clock, handled } = options;
  const began = new WeakMap<FastifyRequest, number>();
  app.addHook("onRequest", async (request, reply) => {
    began.set(request, clock.now());
    reply.header("x-request-id", request.id);
  });
  app.addHook("onResponse", async (request, reply) => {
    const known = handled(request);
    log.info("request", {
      requestId: request.id,
      operation: known?.operation ?? "none",
      method: request.method,
      status: reply.statusCode,
      ms: clock.now() - (began.get(request) ?? clock.now()),
      ...(known?.userId === undefined ? {} : { userId: known.userId }),
    });
  });
}
