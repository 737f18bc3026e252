import { randomBytes } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { createApp } from "../../server/app.ts";
import { createAccount } from "../../server/auth/accounts.ts";
import { keyForOf, type ServerKeys, serverKeys } from "../../server/auth/server-keys.ts";
import { hashToken, newPersonalKey, newSessionToken } from "../../server/auth/tokens.ts";
import {
  createWorkspaceTokens,
  type IssuedWorkspaceToken,
  issueWorkspaceToken,
  type WorkspaceTokenRequest,
} from "../../server/auth/workspace-tokens.ts";
import { keyStart, personalPrefix } from "../../server/domain/keys.ts";
import { createHandlers } from "../../server/jobs/handlers.ts";
import { propagationOf } from "../../server/jobs/propagate.ts";
import { startWorker } from "../../server/jobs/worker.ts";
import { type Maintenance, openMaintenance } from "../../server/maintenance.ts";
import { rulesFor } from "../../server/read/rules.ts";
import { VariantCache } from "../../server/read/variants.ts";
import { installSchema, type SchemaPackage } from "../../server/routes/install-schema.ts";
import { createFunctionRuns } from "../../server/runs/create-runs.ts";
import type { FunctionRuns } from "../../server/runs/runs.ts";
import { createSandbox, type Sandbox } from "../../server/sandbox/sandbox.ts";
import { runLimits, sandboxSettings } from "../../server/sandbox-settings.ts";
import { applyChangeSet } from "../../server/store/apply.ts";
import { createChangeSet } from "../../server/store/change-sets.ts";
import { createKey } from "../../server/store/keys.ts";
import { changeLayer } from "../../server/store/layer.ts";
import { openStore, type Store } from "../../server/store/open.ts";
import { createSession } from "../../server/store/sessions.ts";
import { storeLog } from "../../server/store-log.ts";
import type { ServerSettings } from "../../src/config/server-settings.ts";
import { type Api, api } from "../../src/contract/index.ts";
import { type Client, createClient } from "../../src/http/client.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import type { Log, LogFields } from "../../src/lib/log.ts";
import type { TestEngine } from "./engines.ts";

/** A person of a test, with a workspace of their own and every way of getting in. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly password: string;
  readonly workspaceId: string;
  readonly key: string;
  readonly keyId: string;
  readonly session: string;
}

/** An answer as it came over the wire. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, undefined when there is none. */
  readonly body: unknown;
  /** The text at a dotted path of the body; throws when there is none. */
  at(path: string): string;
}

/** What a raw request carries besides its address. */
export interface RequestOptions {
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text, bytes or a form already. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** A real server on a loopback port with a database of its own. */
export interface TestServer {
  readonly url: string;
  /** What another process opens to work on the same database. */
  readonly databaseUrl: string;
  readonly store: Store;
  readonly maintenance: Maintenance;
  readonly keys: ServerKeys;
  /** Runs functions as this server does. */
  readonly runs: FunctionRuns;
  readonly sandbox: Sandbox;
  /** What was logged, newest last. */
  readonly log: readonly (LogFields & { readonly level: string; readonly message: string })[];
  /** Sends one request and gives the answer whatever its status. */
  request(method: string, path: string, options?: RequestOptions): Promise<HttpAnswer>;
  /** The typed client with a person's key. */
  client(key: string): Client<Api>;
  /** Creates a user with a workspace, a key and a session, without the cost of a request. */
  person(name: string): Promise<Person>;
  /** Makes a token of a person's workspace that is good for an hour, unless the request says otherwise. */
  workspaceToken(person: Person, request?: Partial<WorkspaceTokenRequest>): Promise<IssuedWorkspaceToken>;
  /** Installs schemas into the head of a workspace, through a change set. */
  install(person: Person, schemas: readonly SchemaPackage[]): Promise<void>;
  /** Merges a change set into the head once its values are computed. */
  apply(person: Person, changeSetId: string): Promise<void>;
  /** Computes what a change set's components read from each other. */
  propagate(layerId: string): Promise<void>;
  stop(): Promise<void>;
}

/** How a test's server differs from the usual one. */
export interface TestServerOptions {
  readonly clock?: Clock;
  readonly settings?: Partial<ServerSettings>;
  /** Another server, whose database this one shares as a second process would: a store and memory of its own. */
  readonly beside?: TestServer;
  /** Its keys, instead of new ones. */
  readonly keys?: ServerKeys;
  /** Whether background jobs run; without, values are computed only by `propagate`. */
  readonly worker?: boolean;
}

/** How the server of a test runs where the test does not say otherwise. */
export const testSettings: ServerSettings = {
  host: "127.0.0.1",
  port: 0,
  database: "",
  operatorSocket: undefined,
  secretKeyFile: "",
  secretKey: undefined,
  publicUrl: undefined,
  trustProxy: false,
  signUp: "open",
  eventDays: 30,
  telemetry: true,
  functions: {
    network: { mode: "off", hosts: [] },
    commands: { programs: {}, path: "" },
    seconds: 60,
    megabytes: 64,
    processes: 1,
  },
  logLevel: "info",
};

/** Starts a server of its own; stop it when the test is over. */
export async function startTestServer(
  engine: TestEngine,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const clock = options.clock ?? systemClock;
  const { beside } = options;
  const database =
    beside === undefined
      ? await engine.create()
      : { url: beside.databaseUrl, remove: (): Promise<void> => Promise.resolve() };
  const store = await openStore({ url: database.url, clock });
  const { log, lines } = keepingLog();
  const settings = { ...testSettings, database: database.url, ...options.settings };
  // On real time: a clock that is moved by days would look thousands of times.
  const maintenance = await openMaintenance(store, systemClock);
  // As on one database everywhere: every process of it is given the same key.
  const keys = options.keys ?? beside?.keys ?? serverKeys([randomBytes(32)]);
  // Processes start with the first function, so a test that runs none has none.
  const sandbox = createSandbox({ ...sandboxSettings(settings.functions), spareChildren: 0 });
  // On real time as well: what is written soon is written by itself.
  const limits = runLimits(settings.functions);
  const runs = createFunctionRuns({ store, sandbox, clock: systemClock, log, limits });
  const app = createApp({ store, clock, settings, log, keys, maintenance, sandbox, runs });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const rules = rulesFor(store, new VariantCache());
  const worker =
    options.worker === true
      ? await startWorker({
          store,
          clock: systemClock,
          log: storeLog(log),
          handlers: createHandlers({ store, clock, log, keys, variants: new VariantCache(), runs }),
          mayBegin: async () => (await maintenance.refusal()) === undefined,
        })
      : undefined;
  const propagate = propagationOf({ store, variants: new VariantCache(), keys, runs });
  const server: TestServer = {
    url,
    databaseUrl: database.url,
    store,
    maintenance,
    keys,
    runs,
    sandbox,
    log: lines,
    request: (method, path, request = {}) => send(url, method, path, request),
    client: (key) => createClient(api, { baseUrl: url, headers: () => ({ authorization: `Bearer ${key}` }) }),
    person: (name) => createPerson(store, name),
    workspaceToken: (person, request = {}) => {
      const workspaceTokens = createWorkspaceTokens(keyForOf(keys), clock);
      const { id: userId, workspaceId } = person;
      const usual = { workspaceId, userId, name: "setup", expiresInSeconds: 3_600 };
      return issueWorkspaceToken({ store, clock, workspaceTokens }, { ...usual, ...request });
    },
    install: async (person, schemas) => {
      const { workspaceId, id: actor } = person;
      const name = `schemas ${store.id().toLowerCase()} installed`;
      const changeSet = await createChangeSet(store, { workspaceId, name, actor });
      for (const schema of schemas) {
        await changeLayer(store, changeSet, { kind: "entity.changed", actor }, (change) =>
          installSchema(change, schema),
        );
      }
      await server.apply(person, changeSet.id);
    },
    apply: async ({ workspaceId, id: actor }, changeSetId) => {
      await server.propagate(changeSetId);
      await applyChangeSet(store, rules, { workspaceId, changeSetId, actor });
    },
    propagate: async (layerId) => {
      while ((await propagate(layerId)) !== "idle");
    },
    stop: async () => {
      await app.close();
      const worked = worker?.stop();
      await runs.close();
      await worked;
      await sandbox.close();
      maintenance.stop();
      await store.close();
      await database.remove();
    },
  };
  return server;
}

/** A server before the rows of the current `describe` and stopped after them. */
export function suiteServer(
  engine: TestEngine,
  options: TestServerOptions = {},
): { readonly server: TestServer } {
  let started: TestServer | undefined;
  beforeAll(async () => {
    started = await startTestServer(engine, options);
  });
  afterAll(() => started?.stop());
  return {
    get server() {
      if (started === undefined) throw new Error("the suite's server runs only inside its tests");
      return started;
    },
  };
}

async function send(url: string, method: string, path: string, options: RequestOptions): Promise<HttpAnswer> {
  const { as, body, signal } = options;
  const raw = body instanceof Uint8Array ? Buffer.from(body) : body;
  const ready = typeof raw === "string" || raw instanceof Buffer || raw instanceof FormData;
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: "manual",
    headers: {
      ...(body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" }),
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: ready ? raw : JSON.stringify(raw) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const answered = parse(text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: answered,
    at: (path) => textAt(answered, path),
  };
}

function textAt(value: unknown, path: string): string {
  let found = value;
  for (const name of path.split(".")) {
    found = typeof found === "object" && found !== null ? Reflect.get(found, name) : undefined;
  }
  if (typeof found !== "string") throw new Error(`no text at ${path} of ${JSON.stringify(value)}`);
  return found;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const password = "correct horse battery";

async function createPerson(store: Store, name: string): Promise<Person> {
  const email = `${name}@example.org`;
  const { user, workspace } = await createAccount(store, { name, email, username: name, password });
  const key = newPersonalKey();
  const session = newSessionToken();
  const made = await createKey(store, {
    userId: user.id,
    actor: user.id,
    start: keyStart(key),
    prefix: personalPrefix,
    keyHash: hashToken(key),
  });
  await createSession(store, {
    userId: user.id,
    tokenHash: hashToken(session),
    expiresAt: store.clock.now() + 7 * 24 * 60 * 60 * 1000,
  });
  return {
    id: user.id,
    email,
    username: user.username,
    password,
    workspaceId: workspace.id,
    key,
    keyId: made.id,
    session,
  };
}

function keepingLog(): {
  readonly log: Log;
  readonly lines: (LogFields & { level: string; message: string })[];
} {
  const lines: (LogFields & { level: string; message: string })[] = [];
  const note =
    (level: string, bound: LogFields) =>
    (message: string, fields: LogFields = {}): void => {
      lines.push({ ...bound, ...fields, level, message });
    };
  const make = (bound: LogFields): Log => ({
    debug: note("debug", bound),
    info: note("info", bound),
    warn: note("warn", bound),
    error: note("error", bound),
    with: (fields) => make({ ...bound, ...fields }),
  });
  return { log: make({}), lines };
}
