import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SchemaPackage } from "../../server/routes/install-schema.ts";
import type { Launch } from "../../src/cli/launch.ts";
import { systemLaunch } from "../../src/cli/launch.ts";
import { runCommandLine } from "../../src/cli/program.ts";
import { createPrompt } from "../../src/cli/prompt.ts";
import type { Keychain } from "../../src/config/keychain.ts";
import type { Environment } from "../../src/config/load.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { sqlite } from "./engines.ts";
import { type FakeInput, fakeInput } from "./fake-input.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { temporaryDirectory } from "./temporary.ts";

/** What one run of the command line gave. */
export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** How one run is made. */
export interface RunOptions {
  /** Both outputs and the input are a terminal. */
  readonly terminal?: boolean;
  /** What is typed or piped; the input ends after it. */
  readonly input?: string;
  readonly environment?: Environment;
  readonly keychain?: Keychain;
  readonly launch?: Launch;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Hears what goes to standard error as it comes. */
  readonly onError?: (text: string) => void;
}

/** A person with a home of his own, who runs commands in this process. */
export interface Person {
  readonly home: string;
  /** Path of a file in the person's configuration directory. */
  readonly file: (name: string) => string;
  readonly svc: (argv: readonly string[] | string, options?: RunOptions) => Promise<Run>;
}

/** A person who has nothing yet: an empty home, and `environment` on top of it. */
export async function person(environment: Environment = {}): Promise<Person> {
  const home = await temporaryDirectory();
  const base: Environment = { HOME: home, ...environment };
  return {
    home,
    file: (name) => join(home, ".config", "svc", name),
    svc: (argv, options = {}) =>
      run(typeof argv === "string" ? argv.split(" ") : argv, { ...base, ...options.environment }, options),
  };
}

async function run(argv: readonly string[], environment: Environment, options: RunOptions): Promise<Run> {
  const { terminal = false } = options;
  let out = "";
  let err = "";
  const complain = (text: string): void => {
    err += text;
    options.onError?.(text);
  };
  const input: FakeInput = fakeInput(options.input ?? "", terminal);
  const code = await runCommandLine({
    argv,
    environment,
    clock: options.clock ?? systemClock,
    out: { isTTY: terminal, write: (text) => (out += text) },
    err: { isTTY: terminal, write: complain },
    prompt: createPrompt(input, complain),
    launch: options.launch ?? systemLaunch,
    untilStopped: () => options.signal ?? new AbortController().signal,
    ...(options.keychain === undefined ? {} : { keychain: options.keychain }),
  });
  return { code, out, err };
}

/** A server of the test's own with one user, `ada`, and her password. */
export interface ServerWithAda {
  readonly url: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly workspaceId: string;
  readonly server: TestServer;
  /** Stops it before the test ends. */
  stop(): Promise<void>;
}

/** Starts a real server on a free loopback port with a database file of its own and `ada` in it. */
export async function serverWithAda(schemas: readonly SchemaPackage[] = []): Promise<ServerWithAda> {
  const server = await startTestServer(sqlite, { worker: schemas.length > 0 });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= server.stop();
    return stopped;
  };
  onTestFinished(stop);
  const ada = await server.person("ada");
  if (schemas.length > 0) await server.install(ada, schemas);
  const { username, email, password, workspaceId } = ada;
  return { url: server.url, username, email, password, workspaceId, server, stop };
}

/** Ada at her machine, logged in to the server. */
export async function loggedIn(server: ServerWithAda, environment: Environment = {}): Promise<Person> {
  const ada = await person({ SVC_CLUB_URL: server.url, ...environment });
  const login = await ada.svc(["auth", "login", "--username", server.username], {
    input: `${server.password}\n`,
  });
  if (login.code !== 0) throw new Error(`could not log in: ${login.err}`);
  return ada;
}

/** Writes a file of a person's configuration directory, readable by its owner only. */
export async function writeConfigFile(someone: Person, name: string, text: string): Promise<void> {
  await mkdir(join(someone.home, ".config", "svc"), { recursive: true });
  await writeFile(someone.file(name), text, { mode: 0o600 });
}

/** The text of such a file; undefined when there is none. */
export const configText = (someone: Person, name: string): Promise<string | undefined> =>
  readFile(someone.file(name), "utf8").catch(() => undefined);
