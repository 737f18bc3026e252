import { Problem } from "../lib/problem.ts";
import { keychainAccount, readCredentials, type StoredCredentials } from "./credentials.ts";
import { type Keychain, systemKeychain } from "./keychain.ts";
import { type Config, variable } from "./load.ts";
import { authFile } from "./paths.ts";
import { defaultServerUrl, originOf, parseServerUrl } from "./server-url.ts";

/** Everything that may name a server or a key, strongest first within its kind. */
export interface AccessSources {
  readonly flagServer: string | undefined;
  readonly environmentServer: string | undefined;
  readonly environmentKey: string | undefined;
  readonly stored: StoredCredentials | undefined;
  /** Whether a stored key that would go to another origin than its own is refused; else it is sent with a warning. */
  readonly strictOrigin: boolean;
}

/** Which server is asked, with which key, and why these. */
export interface Access {
  /** The server's address without a slash at its end. */
  readonly serverUrl: string;
  readonly serverFrom: "--server" | "SVC_CLUB_URL" | "auth.json" | "default";
  /** The raw key; undefined when there is none, or when it lies in the keychain and was not fetched yet. */
  readonly apiKey: string | undefined;
  readonly keyFrom: "SVC_API_KEY" | "auth.json" | "keychain" | "none";
  /** The record that the key comes from; undefined with a key of the environment. */
  readonly stored: StoredCredentials | undefined;
  readonly warnings: readonly string[];
}

/**
 * Decides the server and the key by the rules of precedence; pure. Empty texts must have been turned into undefined.
 * Throws a Problem for what is no address, no key, or a key going astray that must not.
 */
export function resolveAccess(sources: AccessSources): Access {
  const server = serverOf(sources);
  if (sources.environmentKey !== undefined) {
    const apiKey = headerSafe(sources.environmentKey);
    return { ...server, apiKey, keyFrom: "SVC_API_KEY", stored: undefined, warnings: [] };
  }
  const { stored } = sources;
  if (stored === undefined)
    return { ...server, apiKey: undefined, keyFrom: "none", stored: undefined, warnings: [] };
  const astray = originOf(stored.serverUrl) !== originOf(server.serverUrl);
  const owner = `the stored key belongs to ${stored.serverUrl}`;
  const asked = `${server.serverUrl} (from ${server.serverFrom})`;
  if (astray && sources.strictOrigin)
    throw new Problem(`${owner} and is not sent to ${asked}, since strictOrigin is set`, {
      code: "other_origin",
      hint: `svc auth login --server ${server.serverUrl}`,
    });
  return {
    ...server,
    apiKey: stored.apiKey,
    keyFrom: stored.apiKey === undefined ? "keychain" : "auth.json",
    stored,
    warnings: astray ? [`${owner} and goes to ${asked}`] : [],
  };
}

function serverOf(sources: AccessSources): Pick<Access, "serverUrl" | "serverFrom"> {
  const { flagServer, environmentServer, stored } = sources;
  if (flagServer !== undefined)
    return { serverUrl: parseServerUrl(flagServer, "--server"), serverFrom: "--server" };
  if (environmentServer !== undefined)
    return { serverUrl: parseServerUrl(environmentServer, "SVC_CLUB_URL"), serverFrom: "SVC_CLUB_URL" };
  if (stored !== undefined) return { serverUrl: stored.serverUrl, serverFrom: "auth.json" };
  return { serverUrl: defaultServerUrl, serverFrom: "default" };
}

function headerSafe(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Problem(
    "expected a key of visible letters and digits, got one with other characters (from SVC_API_KEY)",
    {
      code: "validation_failed",
    },
  );
}

/** What {@link loadAccess} may be told beside the configuration. */
export interface AccessOptions {
  readonly flagServer?: string | undefined;
  readonly keychain?: Keychain;
  /** Instead of the setting, for who looks after the key by itself. */
  readonly strictOrigin?: boolean;
}

/** Reads auth.json, and the keychain where the record says so, and decides. Throws a Problem with a remedy. */
export async function loadAccess(config: Config, options: AccessOptions = {}): Promise<Access> {
  const { environment, directories } = config;
  const environmentKey = variable(environment, "SVC_API_KEY");
  const path = authFile(directories);
  const read = await readCredentials(path).catch((error: unknown) => {
    // With a key of one's own the file decides nothing that could not be said otherwise.
    if (environmentKey === undefined || !(error instanceof Problem)) throw error;
    return { stored: undefined, warnings: [`${error.message}; SVC_API_KEY is used`] };
  });
  const access = resolveAccess({
    flagServer: options.flagServer?.trim() === "" ? undefined : options.flagServer,
    environmentServer: variable(environment, "SVC_CLUB_URL"),
    environmentKey,
    stored: read.stored,
    strictOrigin: options.strictOrigin ?? config.settings.strictOrigin,
  });
  const warnings = [...read.warnings, ...access.warnings];
  if (access.keyFrom !== "keychain" || access.stored === undefined) return { ...access, warnings };
  const found = await (options.keychain ?? systemKeychain(environment)).get(keychainAccount(access.stored));
  if (found.state === "unavailable")
    return {
      ...access,
      warnings: [...warnings, `the key lies in the keychain, which does not answer: ${found.reason}`],
    };
  return found.value === null
    ? { ...access, warnings: [...warnings, "the key is no longer in the keychain; run: svc auth login"] }
    : { ...access, apiKey: found.value, warnings };
}
