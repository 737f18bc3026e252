import { explain } from "../src/contract/check.ts";
import { type Endpoint, pathParameters, rowsOf } from "../src/contract/endpoint.ts";
import { fail } from "../src/contract/errors.ts";
import { api } from "../src/contract/index.ts";
import type { ConditionalOptions } from "../src/http/client.ts";
import type { Forward } from "./session-client.ts";

/** What forwarding needs of the daemon. */
export interface Forwarding {
  /** Passes a request on with the session's key; undefined when there is none that could be used. */
  readonly forward: () => Forward | undefined;
  /** Why there is none, in words. */
  readonly whyNot: () => string;
  /** A request that may have changed something was answered. */
  readonly onChanged: (
    operation: string,
    input: Readonly<Record<string, unknown>>,
    answer: Forwarded,
  ) => void;
}

/** An answer of the server, passed on as it came. */
export interface Forwarded {
  readonly status: number;
  readonly body: unknown;
  /** The tag that stands for it, where the server has one. */
  readonly etag?: string;
}

const rows = new Map(rowsOf(api).map(({ operation, endpoint }) => [operation, endpoint]));

/**
 * Performs an operation of the public contract with the daemon's session. Only operations by name, only with the input
 * that their row declares: a reader of the socket can never send the key anywhere else.
 */
export async function forward(
  forwarding: Forwarding,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  conditions?: ConditionalOptions,
): Promise<Forwarded> {
  const endpoint = rows.get(operation);
  if (endpoint === undefined)
    fail(
      "invalidRequest",
      `operation: expected the name of an operation, found ${JSON.stringify(operation)}`,
    );
  const checked = checkInput(endpoint, input);
  const pass = forwarding.forward();
  if (pass === undefined) fail("unauthenticated", forwarding.whyNot());
  const isRead = endpoint.method === "GET";
  const answer = await pass(endpoint, checked, isRead ? conditions : undefined);
  if (!isRead) forwarding.onChanged(operation, checked, answer);
  const etag = answer.headers["etag"];
  return { status: answer.status, body: answer.body ?? null, ...(typeof etag === "string" ? { etag } : {}) };
}

/** The members that the row declares, each validated; anything else is left behind. */
function checkInput(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const checked: Record<string, unknown> = {};
  for (const name of pathParameters(endpoint.path)) {
    const value = input[name];
    // A dot segment or an empty one would make another path of it.
    if (typeof value !== "string" || value === "" || value === "." || value === "..")
      fail("invalidRequest", `input.${name}: expected an id, found ${JSON.stringify(value) ?? "nothing"}`);
    checked[name] = value;
  }
  for (const part of ["query", "body"] as const) {
    const schema = endpoint[part];
    if (schema === undefined) continue;
    const value = input[part] ?? {};
    const problem = explain(schema, value, `input.${part}`);
    if (problem !== undefined) fail("invalidRequest", problem);
    checked[part] = value;
  }
  return checked;
}
