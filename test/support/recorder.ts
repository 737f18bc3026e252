import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { onTestFinished } from "vitest";

/** One request that left this process, as node itself reports it. */
export interface SentRequest {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly header: (name: string) => string | undefined;
}

/** Records every HTTP request that this process starts, whoever starts it and wherever it goes, until the test ends. */
export function recordRequests(): SentRequest[] {
  const sent: SentRequest[] = [];
  const record = (message: unknown): void => {
    // The channel's documented message: `{ request: http.ClientRequest }`.
    const { request } = message as { readonly request: ClientRequest };
    sent.push({
      origin: `${request.protocol}//${request.host}${portOf(request)}`,
      method: request.method,
      path: request.path,
      header: (name) => {
        const value = request.getHeader(name);
        return value === undefined ? undefined : String(value);
      },
    });
  };
  subscribe("http.client.request.start", record);
  onTestFinished(() => {
    unsubscribe("http.client.request.start", record);
  });
  return sent;
}

/** The port stands in the Host header, which every request carries. */
const portOf = (request: ClientRequest): string => {
  const port = /:\d+$/.exec(String(request.getHeader("host") ?? ""));
  return port?.[0] ?? "";
};
