import { loadAccess } from "../src/config/access.ts";
import { loadDistinctId } from "../src/config/identity.ts";
import { type Environment, loadConfig, variable } from "../src/config/load.ts";
import { authFile, identityFile } from "../src/config/paths.ts";
import type { Clock } from "../src/lib/clock.ts";

/** What a session is opened with. */
export interface Credentials {
  readonly serverUrl: string;
  /** Undefined when nobody is logged in. */
  readonly apiKey: string | undefined;
  /** The workspace that was chosen; undefined takes the one the server names. */
  readonly workspaceId: string | undefined;
  /** The id of this device, sent where the server counts devices. */
  readonly distinctId: string | undefined;
  /** Why there is no key, when there is none. */
  readonly reason?: string | undefined;
}

/**
 * Reads the credentials of the server at `serverUrl` anew at each call: environment, auth.json, keychain, in the order of
 * the command line. A stored key of another server is no key for this one: a daemon never sends it there.
 */
export function credentialsOf(
  environment: Environment,
  serverUrl: string,
  clock: Clock,
): () => Promise<Credentials> {
  return async () => {
    const config = loadConfig(environment);
    // Whatever the setting: a foreign key is found below, and goes nowhere.
    const access = await loadAccess(config, { flagServer: serverUrl, strictOrigin: false });
    const foreign = access.stored !== undefined && access.stored.serverUrl !== access.serverUrl;
    const distinctId = await loadDistinctId(identityFile(config.directories), clock);
    const workspaceId =
      variable(environment, "SVC_WORKSPACE") ?? config.settings.workspaces[access.serverUrl];
    return {
      serverUrl: access.serverUrl,
      apiKey: foreign ? undefined : access.apiKey,
      workspaceId,
      distinctId,
      reason: foreign
        ? `the key in ${authFile(config.directories)} belongs to ${access.stored?.serverUrl ?? "another server"}`
        : access.warnings.at(-1),
    };
  };
}
