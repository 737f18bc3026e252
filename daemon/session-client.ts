import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Endpoint } from "../src/contract/endpoint.ts";
import { type Api, api } from "../src/contract/index.ts";
import {
  type Answer,
  type Client,
  type ClientOptions,
  type ConditionalOptions,
  createClient,
} from "../src/http/client.ts";
import type { Credentials } from "./credentials.ts";

/** A session that can be used: whose data it reads, and how to ask for it. The key is inside and stays there. */
export interface SignedIn {
  readonly serverUrl: string;
  readonly workspaceId: string;
  readonly api: Client<Api>;
}

/** Performs a row of the contract with input that was validated, and gives the answer as it came. */
export type Forward = (
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  conditions?: ConditionalOptions,
) => Promise<Answer>;

/** Connections that are kept open between requests. */
export interface Connections {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
  close(): void;
}

/** As many idle connections are kept as lists are read at once; held requests have one each beside them. */
export function keepConnections(): Connections {
  const options = { keepAlive: true, maxFreeSockets: 16 };
  const http = new HttpAgent(options);
  const https = new HttpsAgent(options);
  const close = (): void => {
    http.destroy();
    https.destroy();
  };
  return { http, https, close };
}

/** How requests are made on behalf of credentials that have a key. */
export function clientOptions(
  found: Credentials,
  connections: Connections,
  timeoutMs: number,
): ClientOptions {
  const { serverUrl, apiKey, workspaceId, distinctId } = found;
  const always = {
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(workspaceId === undefined ? {} : { "x-workspace-id": workspaceId }),
  };
  const counted = distinctId === undefined ? always : { ...always, "svc-distinct-id": distinctId };
  const { http, https } = connections;
  return {
    baseUrl: serverUrl,
    agent: { http, https },
    timeoutMs,
    headers: (endpoint) => (endpoint.path.startsWith("/api/") ? counted : always),
  };
}

/** The session that these options and this workspace make. */
export const openSession = (options: ClientOptions, workspaceId: string): SignedIn => ({
  serverUrl: options.baseUrl,
  workspaceId,
  api: createClient(api, options),
});
