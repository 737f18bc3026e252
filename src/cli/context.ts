import { type Access, loadAccess } from "../config/access.ts";
import { requestHeaders } from "../config/headers.ts";
import { type Keychain, systemKeychain } from "../config/keychain.ts";
import { type Config, type Environment, loadConfig, variable } from "../config/load.ts";
import { dataConfigFile, type Profile, profileOf } from "../config/paths.ts";
import { type ServerOverrides, type ServerSettings, serverSettings } from "../config/server-settings.ts";
import { type Api, api as contract } from "../contract/index.ts";
import { type Client, type ClientOptions, createClient } from "../http/client.ts";
import type { Clock } from "../lib/clock.ts";
import { Problem } from "../lib/problem.ts";
import type { OperatorApi } from "../operator/contract.ts";
import type { AnyCommand, GlobalArguments } from "./command.ts";
import { invalidKey, notAuthenticated, noWorkspaceOfCollective, usageProblem } from "./failure.ts";
import type { Launch } from "./launch.ts";
import { asOperator } from "./operator.ts";
import type { Output } from "./output.ts";
import type { Prompt } from "./prompt.ts";

/** What the process gives to every command of one run. */
export interface Surroundings {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly prompt: Prompt;
  readonly launch: Launch;
  readonly keychain?: Keychain;
  /** Aborts at SIGINT or SIGTERM; asked for only by commands that go on until they are told to stop. */
  readonly untilStopped: () => AbortSignal;
  /** Every command there is. */
  readonly commands: readonly AnyCommand[];
  /** Makes the run end with this status although nothing failed: for what has already said why by itself. */
  readonly exitWith: (status: number) => void;
}

/** What a command may use; nothing is read, opened or asked before it is first used. */
export interface Context extends Surroundings {
  readonly flags: GlobalArguments;
  readonly output: Output;
  readonly keychain: Keychain;
  /** The configuration; its warnings are printed once. */
  config(): Config;
  /** Server and key; its warnings are printed once. */
  access(): Promise<Access>;
  /** The daemon's files and socket for the server that is asked. */
  profile(): Promise<Profile>;
  /** The API with the caller's key; throws `not_authenticated` before any request when there is none. */
  api(): Promise<Client<Api>>;
  /** The API of a server with another token, or none. */
  apiWith(serverUrl: string, token: string | undefined, timeoutMs?: number): Client<Api>;
  /** How any row of the API is sent: with the key when there is one. */
  clientOptions(): Promise<ClientOptions>;
  /** The settings of a server of this machine: of its data directory where one is named, else of the configuration. */
  server(place: ServerOverrides): ServerSettings;
  /** The workspace to act in; asks the server only when nothing names one. */
  workspaceId(): Promise<string>;
  /**
   * Performs `work` as the operator of a server of this machine, as {@link Context.server} finds it: through the running
   * server, else by opening its database here. With `make` a database that is missing is made.
   */
  operator<T>(
    place: ServerOverrides,
    work: (client: Client<OperatorApi>) => Promise<T>,
    make?: "make",
  ): Promise<T>;
  /** Whether a person agrees; throws `usage` where nobody can be asked and --yes was not given. */
  confirm(consent: Consent, yes: boolean): Promise<boolean>;
}

/** What a person is asked before something that cannot be undone, and what it is called where nobody can be asked. */
export interface Consent {
  /** `erase the component "web"?` */
  readonly question: string;
  /** `erasing component "web"` */
  readonly doing: string;
}

/** Builds the context of one command. */
export function createContext(flags: GlobalArguments, output: Output, around: Surroundings): Context {
  const keychain = around.keychain ?? systemKeychain(around.environment);
  const once = <T>(make: () => T): (() => T) => {
    let made: { readonly value: T } | undefined;
    return () => {
      made ??= { value: make() };
      return made.value;
    };
  };
  const config = once(() => {
    const loaded = loadConfig(around.environment);
    for (const line of loaded.warnings) output.warn(line);
    return loaded;
  });
  const access = once(async () => {
    const loaded = await loadAccess(config(), { flagServer: flags.server, keychain });
    for (const line of loaded.warnings) output.warn(line);
    return loaded;
  });
  const headers = (token: string | undefined) =>
    requestHeaders(config(), around.clock, { token, program: "svc-cli" });
  const apiWith = (serverUrl: string, token: string | undefined, timeoutMs?: number): Client<Api> =>
    createClient(contract, {
      baseUrl: serverUrl,
      headers: headers(token),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  const api = once(async () => {
    const { serverUrl, apiKey } = await access();
    if (apiKey === undefined) throw notAuthenticated();
    return apiWith(serverUrl, apiKey);
  });
  const warned = new Set<string>();
  const warnOnce = (line: string): void => {
    if (!warned.has(line)) output.warn(line);
    warned.add(line);
  };
  const server = (place: ServerOverrides): ServerSettings => {
    if (place.data === undefined) return serverSettings(config(), place);
    const ofServer = loadConfig(around.environment, dataConfigFile(place.data));
    for (const line of ofServer.warnings) warnOnce(line);
    return serverSettings(ofServer, place);
  };
  const workspaceId = once(async () => {
    const { serverUrl, apiKey, keyFrom } = await access();
    const named =
      filled(flags.workspace) ??
      variable(around.environment, "SVC_WORKSPACE") ??
      config().settings.workspaces[serverUrl];
    if (named === undefined && apiKey?.startsWith("svc_org_") === true) {
      // One that is not valid needs no workspace: it needs another token.
      const { authenticated } = await (await api()).accounts.whoami({});
      throw authenticated ? noWorkspaceOfCollective() : invalidKey(serverUrl, keyFrom);
    }
    return named ?? (await (await api()).identity.whoami({})).workspaceId;
  });
  return {
    ...around,
    flags,
    output,
    keychain,
    config,
    access,
    profile: async () => profileOf(config().directories, (await access()).serverUrl),
    api,
    apiWith,
    clientOptions: async () => {
      const { serverUrl, apiKey } = await access();
      return { baseUrl: serverUrl, headers: headers(apiKey) };
    },
    workspaceId,
    server,
    operator: (place, work, make) =>
      asOperator({ settings: server(place), launch: around.launch, clock: around.clock, make }, work),
    confirm: (consent, yes) => confirm(output, around.prompt, consent, yes),
  };
}

const filled = (text: string | undefined): string | undefined =>
  text?.trim() === "" ? undefined : text?.trim();

async function confirm(
  output: Output,
  prompt: Prompt,
  { question, doing }: Consent,
  yes: boolean,
): Promise<boolean> {
  if (yes) return true;
  if (output.json || !prompt.interactive)
    throw usageProblem(`${doing} needs --yes where nobody can be asked`, "add --yes");
  output.ask(`${question} [y/N] `);
  const answer = await prompt.line();
  if (answer === undefined) throw new Problem("cancelled", { code: "cancelled" });
  const agreed = /^y(es)?$/i.test(answer.trim());
  if (!agreed) output.note("left as it is");
  return agreed;
}
