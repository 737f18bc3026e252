import { rmSync } from "node:fs";
import { chmod, mkdtemp, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import fastify from "fastify";
import { readJsonBodies } from "../../src/http/json-body.ts";
import { mount } from "../../src/http/mount.ts";
import { errorMessage } from "../../src/lib/error-message.ts";
import { asLastAct } from "../../src/lib/last-act.ts";
import type { Log } from "../../src/lib/log.ts";
import { operator } from "../../src/operator/contract.ts";
import { refusalOf } from "../refusal-of.ts";
import { answerUnrouted } from "../unrouted.ts";
import type { OperatorContext } from "./context.ts";
import { operatorHandlers } from "./handlers.ts";

/** The operator's socket while it listens. */
export interface OperatorServer {
  /** Finishes running requests and removes the socket; again does nothing. */
  close(): Promise<void>;
}

/**
 * Serves the operator's rows at `socketPath`, for the owner of this process only (0600). The caller holds the database,
 * so that a socket which is there already belongs to a process that is gone: it is replaced.
 */
export async function serveOperator(
  socketPath: string,
  context: OperatorContext,
  log: Log,
): Promise<OperatorServer> {
  const app = fastify({ forceCloseConnections: "idle" });
  readJsonBodies(app);
  answerUnrouted(app, operator);
  mount(app, operator, operatorHandlers, {
    authorize: ({ request, operation }) => {
      log.info("operator", { operation, requestId: request.id });
      return context;
    },
    translate: refusalOf,
    onInternalError: (error, { operation }) =>
      log.error("request failed", {
        operation,
        reason: errorMessage(error),
      }),
  });
  // Nobody reaches the socket before its mode is right: it is made in a folder of its own and moved from there.
  const folder = await mkdtemp(`${dirname(socketPath)}/.`);
  const first = join(folder, "s");
  try {
    await app.listen({ path: first });
    await chmod(first, 0o600);
    await rename(first, socketPath);
  } catch (error) {
    await app.close();
    throw error;
  } finally {
    await rm(first, { force: true });
    await rmdir(folder);
  }
  const forget = asLastAct(() => rmSync(socketPath, { force: true }));
  let closing: Promise<void> | undefined;
  return {
    close: () => {
      closing ??= app
        .close()
        .then(() => rm(socketPath, { force: true }))
        .finally(forget);
      return closing;
    },
  };
}
