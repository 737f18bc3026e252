import { type Endpoint, type Input, type Output, rowsOf } from "../contract/endpoint.ts";
import { type Api, api } from "../contract/index.ts";
import {
  type CallOptions,
  type Client,
  type Conditional,
  type ConditionalOptions,
  createClient,
} from "../http/client.ts";
import { answerError, ConnectionError } from "../http/failure.ts";
import { Problem } from "../lib/problem.ts";
import { type Ipc, ipc } from "./contract.ts";
import { SocketAgent } from "./socket-agent.ts";

/** The typed client of the daemon that listens at `socketPath`; nothing is sent before the first call. */
export const connectDaemon = (socketPath: string): Client<Ipc> =>
  createClient(ipc, { baseUrl: "http://daemon", agent: { http: new SocketAgent(socketPath) } });

/** Every operation of the public API by the name the daemon takes, such as `changeSets.create`. */
type OperationName = {
  [G in keyof Api & string]: `${G}.${keyof Api[G] & string}`;
}[keyof Api & string];

/** The row that an operation's name stands for. */
type OperationRow<O extends OperationName> = O extends `${infer G extends keyof Api & string}.${infer K}`
  ? K extends keyof Api[G]
    ? Api[G][K] extends infer E extends Endpoint
      ? E
      : never
    : never
  : never;

/**
 * Performs an operation of the public API with the daemon's session. Throws ApiError for the server's refusal and for
 * the daemon's own (`unauthenticated` when nobody is signed in, `unavailable` when the server is away).
 */
export async function callThroughDaemon<O extends OperationName>(
  daemon: Pick<Client<Ipc>, "daemon">,
  operation: O,
  input: Input<OperationRow<O>>,
  options: CallOptions = {},
): Promise<Output<OperationRow<O>>> {
  const { status, body } = await daemon.daemon.call({ body: { operation, input: { ...input } } }, options);
  const row = rowsOf(api).find((each) => each.operation === operation);
  if (row !== undefined && status >= 300) throw answerError(row.endpoint, { status, headers: {}, body });
  // The daemon validated the answer against the same row.
  return body as Output<OperationRow<O>>;
}

/** The same for what is read again and again: conditionally, and held by a server that can. */
export async function readThroughDaemon<O extends OperationName>(
  daemon: Pick<Client<Ipc>, "daemon">,
  operation: O,
  input: Input<OperationRow<O>>,
  { etag, waitSeconds, signal }: ConditionalOptions,
): Promise<Conditional<Output<OperationRow<O>>>> {
  const known = etag === undefined ? {} : { etag, waitSeconds };
  // Asked like a held request, so that the client waits longer than the daemon does.
  const answer = await daemon.daemon.call.conditional(
    { body: { operation, input: { ...input }, ...known } },
    { etag: undefined, waitSeconds, ...(signal === undefined ? {} : { signal }) },
  );
  if (answer.unchanged || answer.body.status === 304) return { unchanged: true };
  const { status, body, etag: tag } = answer.body;
  const row = rowsOf(api).find((each) => each.operation === operation);
  if (row !== undefined && status >= 300) throw answerError(row.endpoint, { status, headers: {}, body });
  // The server's answer; whoever shows it reads it leniently.
  return { unchanged: false, body: body as Output<OperationRow<O>>, etag: tag };
}

/** The error of a call as a person should read it: a Problem that says where the daemon was expected and how to start it. */
export function explainDaemonError(socketPath: string, error: unknown): Error {
  if (error instanceof ConnectionError)
    return new Problem(`no daemon answers at ${socketPath}`, {
      hint: "svc daemon start",
      code: "no_daemon",
      cause: error,
    });
  return error instanceof Error ? error : new Error(String(error));
}
