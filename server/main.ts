import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import type { FastifyInstance } from "fastify";
import type { ServerSettings } from "../src/config/server-settings.ts";
import { errorCode } from "../src/lib/atomic-file.ts";
import { type Clock, systemClock } from "../src/lib/clock.ts";
import { sqliteFile } from "../src/lib/database-url.ts";
import { errorMessage } from "../src/lib/error-message.ts";
import { type Log, logToStderr } from "../src/lib/log.ts";
import { Problem } from "../src/lib/problem.ts";
import { ownSocketFolder } from "../src/lib/socket-folder.ts";
import { createApp } from "./app.ts";
import { rotationToDo } from "./auth/rotate-secret-key.ts";
import { noteServerKey } from "./auth/server-key.ts";
import { checkServerKeys, loadServerKeys, type ServerKeys } from "./auth/server-keys.ts";
import { openDatabase } from "./database.ts";
import { createHandlers } from "./jobs/handlers.ts";
import { valuesSettled } from "./jobs/values-settled.ts";
import { startWorker, type Worker } from "./jobs/worker.ts";
import { isLoopback } from "./loopback.ts";
import { type Maintenance, openMaintenance } from "./maintenance.ts";
import { type OperatorServer, serveOperator } from "./operator/serve.ts";
import { VariantCache } from "./read/variants.ts";
import { createFunctionRuns } from "./runs/create-runs.ts";
import type { FunctionRuns } from "./runs/runs.ts";
import { createSandbox, type Sandbox } from "./sandbox/sandbox.ts";
import { runLimits, sandboxSettings } from "./sandbox-settings.ts";
import { endLeftRuns } from "./store/func-runs.ts";
import type { Store } from "./store/open.ts";
import { hasUsers } from "./store/users.ts";
import { storeLog } from "./store-log.ts";
import { type Sweeper, startSweeper } from "./sweeper.ts";

/** A server that answers. */
export interface RunningServer {
  /** `http://host:port`, where it listens. */
  readonly url: string;
  /** What the person who started it should know, one line each. */
  readonly warnings: readonly string[];
  /** The same database, for what the process that started the server does by itself, such as a first sample. */
  readonly store: Store;
  /** What its secrets are sealed with. */
  readonly keys: ServerKeys;
  /** Resolves once no value of a layer is pending; the jobs of this process compute them. */
  settle(layerId: string): Promise<void>;
  /** Takes no new requests, releases held ones, finishes running ones, closes the database; again does nothing. */
  stop(): Promise<void>;
}

/** What a test or another process may bring instead of the usual. */
export interface StartOptions {
  readonly log?: Log;
  readonly clock?: Clock;
}

/** Running requests have this long to finish once the server was asked to stop. */
const graceMs = 10_000;

/** Longest wait for values: what a first sample needs on a slow machine, many times over. */
const settleMs = 300_000;

/**
 * Starts a server. Throws a {@link Problem} of one line for what a person can mend: a taken port, a database in use.
 * A server without keys is given some only after all of that was looked at: a start that is refused makes none.
 */
export async function startServer(
  settings: ServerSettings,
  options: StartOptions = {},
): Promise<RunningServer> {
  const { clock = systemClock, log = logToStderr(settings.logLevel) } = options;
  await checkServerKeys(settings);
  const store = await openDatabase(settings.database, clock, log);
  const parts: Parts = { store, clock, log };
  const warnings = warningsOf(settings);
  try {
    const sandbox = createSandbox(sandboxSettings(settings.functions), clock);
    parts.sandbox = sandbox;
    await tryPort(settings);
    const keys = await loadServerKeys(settings);
    const otherKey = await noteServerKey(store, keys.base);
    const toDo = await rotationToDo(store, keys);
    const unowned = (await hasUsers(store)) ? undefined : nobodyYet;
    warnings.push(...[otherKey, toDo, unowned].filter((line) => line !== undefined));
    const maintenance = await openMaintenance(store, clock);
    parts.maintenance = maintenance;
    await endLeftRuns(store);
    const runs = createFunctionRuns({
      store,
      sandbox,
      clock,
      log,
      limits: runLimits(settings.functions),
    });
    parts.runs = runs;
    parts.app = createApp({ store, clock, settings, log, keys, maintenance, sandbox, runs });
    const url = await listen(parts.app, settings);
    parts.worker = await startWorker({
      store,
      clock,
      log: storeLog(log),
      handlers: createHandlers({ store, clock, log, keys, variants: new VariantCache(), runs }),
      mayBegin: async () => (await maintenance.refusal()) === undefined,
    });
    parts.sweeper = startSweeper({ store, clock, log, eventDays: settings.eventDays });
    try {
      parts.operator = await listenToOperator(settings, store, keys, log);
    } catch (error) {
      warnings.push(deafness(settings, error));
    }
    // The first function should not wait for a process; nor should the start.
    void sandbox.prepare();
    log.info("server started", { address: url });
    for (const warning of warnings) log.warn("not as it should be", { reason: warning });
    const settle = async (layerId: string): Promise<void> => {
      const limits = { limitMs: settleMs, signal: new AbortController().signal };
      if (!(await valuesSettled({ store, clock }, layerId, limits)))
        throw new Error(`values of ${layerId} are still being computed`);
    };
    return { url, warnings, store, keys, settle, stop: once(() => stop(parts)) };
  } catch (error) {
    await close(parts);
    throw error;
  }
}

/** What a server is made of, as far as it was started. */
interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  maintenance?: Maintenance;
  sandbox?: Sandbox;
  runs?: FunctionRuns;
  app?: FastifyInstance;
  worker?: Worker;
  sweeper?: Sweeper;
  operator?: OperatorServer | undefined;
}

async function stop(parts: Parts): Promise<void> {
  const { app, clock, log } = parts;
  log.info("server stopping");
  const cancel = clock.after(graceMs, () => app?.server.closeAllConnections(), { background: true });
  await close(parts, cancel);
  log.info("server stopped");
}

async function close(
  { app, worker, runs, sandbox, sweeper, operator, maintenance, store }: Parts,
  answered?: () => void,
): Promise<void> {
  await app?.close();
  answered?.();
  const worked = worker?.stop();
  // What jobs wait for: it ends as failed by the stop rather than as killed by somebody.
  await runs?.close();
  await worked;
  await sandbox?.close();
  await sweeper?.stop();
  await operator?.close();
  maintenance?.stop();
  await store.close();
}

/** Opens the socket through which the operator's commands reach the one process that has the database. */
async function listenToOperator(
  { operatorSocket, database }: ServerSettings,
  store: Store,
  keys: ServerKeys,
  log: Log,
): Promise<OperatorServer | undefined> {
  if (operatorSocket === undefined) return undefined;
  // Where there was no room beside the database: the folder of this user's sockets.
  if (dirname(operatorSocket) !== dirname(resolve(sqliteFile(database) ?? "")))
    await ownSocketFolder(dirname(operatorSocket));
  const context = { store, variants: new VariantCache(), keys: async () => keys };
  return await serveOperator(operatorSocket, context, log);
}

const deafness = ({ operatorSocket }: ServerSettings, error: unknown): string =>
  `operator commands need this server to be stopped: it cannot listen at ${operatorSocket} (${errorMessage(error)})`;

async function listen(app: FastifyInstance, { host, port }: ServerSettings): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    throw cannotListen(error, host, port);
  }
}

/** Throws what {@link listen} would throw now, and leaves the port free. */
async function tryPort({ host, port }: ServerSettings): Promise<void> {
  // Whoever calls meanwhile is cut off: closing would wait for them.
  const server = createServer((socket) => socket.destroy());
  try {
    await new Promise<void>((done, fail) => {
      server.once("error", fail);
      server.listen({ host, port }, done);
    });
  } catch (error) {
    throw cannotListen(error, host, port);
  }
  await new Promise((done) => server.close(done));
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  const where = `${host}:${port}`;
  switch (errorCode(error)) {
    case "EADDRINUSE":
      return new Problem(`the port ${port} on ${host} is taken by another program`, {
        code: "port_taken",
        hint: "stop that program, or choose another port with --port, 0 for any free one",
        cause: error,
      });
    case "EACCES":
      return new Problem(`the port ${port} on ${host} needs rights that this user does not have`, {
        code: "port_denied",
        hint: "choose a port of 1024 or more with --port",
        cause: error,
      });
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new Problem(`this machine has no address ${host} to listen on`, {
        code: "address_unknown",
        hint: "use 127.0.0.1 for this machine only, or 0.0.0.0 for every address it has",
        cause: error,
      });
    case undefined:
      return error;
    default:
      return new Problem(`cannot listen on ${where}: ${errorMessage(error)}`, {
        code: "listen_failed",
        cause: error,
      });
  }
}

/** Before the first account whoever comes may sign up, whatever the settings say. */
const nobodyYet =
  "there is no account yet: whoever signs up first has the first account; svc server init makes it";

/** Other machines can reach a server whose keys and passwords then cross the network readable by anybody. */
function warningsOf({ host, publicUrl }: ServerSettings): string[] {
  if (isLoopback(host) || publicUrl?.startsWith("https:") === true) return [];
  const pages = publicUrl === undefined ? ", which pages need, too, where people reach them by a name" : "";
  return [
    `listening on ${host} without TLS: passwords and keys cross the network in the clear; put a proxy with TLS in front and set server.publicUrl to its https address${pages}`,
  ];
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
