import type { FastifyInstance } from "fastify";
import { rowsOf } from "../src/contract/endpoint.ts";
import type { ApiError } from "../src/contract/errors.ts";
import { api } from "../src/contract/index.ts";
import type { Incoming } from "../src/http/mount.ts";
import type { Maintenance } from "./maintenance.ts";
import { sendProblem } from "./web/send-page.ts";
import { wantsPage } from "./web/wants-page.ts";

const healthChecks = new Set<string>(
  rowsOf(api).flatMap(({ endpoint: { always, path } }) => (always === true ? [path] : [])),
);

/** Whether an address tells how the process is: such a check is answered whatever else is refused. */
export const isHealthCheck = (url: string): boolean => healthChecks.has(url.split("?", 1)[0] ?? "");

/** Answers everything but health checks with 503 while the server is in maintenance, before anybody is recognised. */
export function refuseInMaintenance(app: FastifyInstance, maintenance: Maintenance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (isHealthCheck(request.url)) return done();
    const decide = (refusal: ApiError | undefined): void => {
      if (refusal === undefined || !wantsPage(request)) done(refusal);
      else sendProblem(request, reply, refusal);
    };
    const refusal = maintenance.refusal();
    if (refusal instanceof Promise) refusal.then(decide, done);
    else decide(refusal);
  });
}

/** The same for requests that are held: they are admitted again whenever they are looked at. */
export function whileOpen<C>(
  maintenance: Maintenance,
  authorize: (incoming: Incoming) => C | Promise<C>,
): (incoming: Incoming) => C | Promise<C> {
  return (incoming) => {
    const decide = (refusal: ApiError | undefined): C | Promise<C> => {
      if (refusal !== undefined && !isHealthCheck(incoming.request.url)) throw refusal;
      return authorize(incoming);
    };
    const refusal = maintenance.refusal();
    return refusal instanceof Promise ? refusal.then(decide) : decide(refusal);
  };
}
