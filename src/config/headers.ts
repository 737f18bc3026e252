import type { Endpoint } from "../contract/endpoint.ts";
import type { Clock } from "../lib/clock.ts";
import { version } from "../lib/version.ts";
import { loadDistinctId } from "./identity.ts";
import type { Config } from "./load.ts";
import { identityFile } from "./paths.ts";

/** What a request says about its sender. */
export interface Sender {
  /** Raw key or session token; undefined asks anonymously. */
  readonly token: string | undefined;
  /** Which program asks, such as `svc-cli`. */
  readonly program: string;
}

/**
 * The headers of every request to a server, for the `headers` option of the client: who asks, with which program, and
 * on `/api/*` the device's id. The id is read at the first request that carries it.
 */
export function requestHeaders(
  config: Config,
  clock: Clock,
  sender: Sender,
): (endpoint: Endpoint) => Promise<Readonly<Record<string, string>>> {
  let distinctId: Promise<string | undefined> | undefined;
  return async (endpoint) => {
    const headers: Record<string, string> = { "user-agent": `${sender.program}/${version}` };
    if (sender.token !== undefined) headers["authorization"] = `Bearer ${sender.token}`;
    if (endpoint.path.startsWith("/api/")) {
      distinctId ??= loadDistinctId(identityFile(config.directories), clock);
      const id = await distinctId;
      if (id !== undefined) headers["svc-distinct-id"] = id;
    }
    return headers;
  };
}
