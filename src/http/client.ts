import got, { type Agents, type Got, RequestError, TimeoutError } from "got";
import { matches } from "../contract/check.ts";
import type { Contract, Endpoint, Input, Output } from "../contract/endpoint.ts";
import { fillPath, queryString } from "./address.ts";
import { answerError, connectionError, stillBuilding, unexpectedAnswer } from "./failure.ts";
import { formOf } from "./form.ts";

/** Where requests go and what they carry; `headers` is asked for each request, so that keys and ids stay fresh. */
export interface ClientOptions {
  /** `http://host:port`, or `unix:/path/to.sock:` for a local socket. */
  readonly baseUrl: string;
  readonly headers?: (
    endpoint: Endpoint,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  readonly agent?: Agents;
  /** Milliseconds for one request beyond what it asks to be held. Default 15,000. */
  readonly timeoutMs?: number;
}

/** How one call is made. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ConditionalOptions extends CallOptions {
  readonly etag: string | undefined;
  /** Seconds the server may hold an unchanged answer back; 0 asks for none. */
  readonly waitSeconds: number;
}

export type Conditional<T> =
  | { readonly unchanged: true }
  | { readonly unchanged: false; readonly body: T; readonly etag: string | undefined };

/** An answer as it came, for callers that pass it on. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

export interface Call<E extends Endpoint> {
  /** Performs the operation. Throws ApiError for a refusal, StillBuildingError for a 202 of a row with `building`, ConnectionError without an answer. */
  (input: Input<E>, options?: CallOptions): Promise<Output<E>>;
  /** The same with `If-None-Match` and `Prefer: wait`; for GET only. */
  readonly conditional: (input: Input<E>, options: ConditionalOptions) => Promise<Conditional<Output<E>>>;
}

/** One method for each row of the contract. */
export type Client<C extends Contract> = {
  readonly [G in keyof C]: { readonly [K in keyof C[G]]: Call<C[G][K]> };
};

const defaultTimeoutMs = 15_000;
/** A held request may take its wait and ten seconds more before it counts as lost. */
const graceMs = 10_000;

/** Builds the typed client of a contract: validated answers, typed errors, nothing retried silently. */
export function createClient<C extends Contract>(contract: C, options: ClientOptions): Client<C> {
  const transport = transportOf(options);
  const groups = Object.entries(contract).map(([name, endpoints]) => [
    name,
    Object.fromEntries(Object.entries(endpoints).map(([key, row]) => [key, callOf(transport, row, options)])),
  ]);
  // The interpreter's boundary: rows are data, their types are computed from them.
  return Object.fromEntries(groups) as Client<C>;
}

const transportOf = (options: ClientOptions): Got =>
  got.extend({
    throwHttpErrors: false,
    retry: { limit: 0 },
    followRedirect: false,
    enableUnixSockets: options.baseUrl.startsWith("unix:"),
    ...(options.agent === undefined ? {} : { agent: options.agent }),
  });

type LooseInput = Readonly<Record<string, unknown>>;

function callOf(transport: Got, endpoint: Endpoint, options: ClientOptions): Call<Endpoint> {
  const plain = async (input: LooseInput, callOptions: CallOptions = {}): Promise<unknown> => {
    const answer = await send(transport, endpoint, input, options, callOptions, {}, 0);
    return bodyOf(endpoint, answer);
  };
  const conditional = async (
    input: LooseInput,
    callOptions: ConditionalOptions,
  ): Promise<Conditional<unknown>> => {
    const answer = await sendConditionally(transport, endpoint, input, options, callOptions);
    if (answer.status === 304) return { unchanged: true };
    const tag = answer.headers["etag"];
    return {
      unchanged: false,
      body: bodyOf(endpoint, answer),
      etag: typeof tag === "string" ? tag : undefined,
    };
  };
  return Object.assign(plain, { conditional }) as Call<Endpoint>;
}

function sendConditionally(
  transport: Got,
  endpoint: Endpoint,
  input: LooseInput,
  options: ClientOptions,
  conditions: ConditionalOptions,
): Promise<Answer> {
  const { etag, waitSeconds } = conditions;
  const headers = {
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(etag === undefined || waitSeconds === 0 ? {} : { prefer: `wait=${waitSeconds}` }),
  };
  return send(transport, endpoint, input, options, conditions, headers, waitSeconds * 1000 + graceMs);
}

function bodyOf(endpoint: Endpoint, answer: Answer): unknown {
  if (answer.status >= 300) throw answerError(endpoint, answer);
  if (endpoint.building === true && answer.status === 202) throw stillBuilding(endpoint, answer);
  if (endpoint.response === undefined) return undefined;
  if (!matches(endpoint.response, answer.body)) throw unexpectedAnswer(endpoint, endpoint.response, answer);
  return answer.body;
}

/** Sends one request and gives the answer whatever its status; throws only ConnectionError. */
async function send(
  transport: Got,
  endpoint: Endpoint,
  input: LooseInput,
  options: ClientOptions,
  callOptions: CallOptions,
  conditions: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Answer> {
  const url = `${options.baseUrl}${fillPath(endpoint.path, input)}${queryString(input["query"])}`;
  const limit = Math.max(timeoutMs, options.timeoutMs ?? defaultTimeoutMs);
  const request = {
    method: endpoint.method,
    headers: { accept: "application/json", ...(await options.headers?.(endpoint)), ...conditions },
    timeout: { connect: 3_000, request: limit },
    ...(callOptions.signal === undefined ? {} : { signal: callOptions.signal }),
    ...bodyOfRequest(endpoint, input["body"]),
  };
  try {
    const response = await transport(url, { ...request, responseType: "buffer" });
    return { status: response.statusCode, headers: response.headers, body: parse(response.rawBody) };
  } catch (error) {
    if (callOptions.signal?.aborted === true) throw callOptions.signal.reason;
    if (error instanceof TimeoutError)
      throw connectionError(url, `no answer within ${Math.round(limit / 1000)} s`, error);
    if (error instanceof RequestError) throw connectionError(url, error.message, error);
    throw error;
  }
}

function bodyOfRequest(
  { body, multipart }: Endpoint,
  given: unknown,
): { json: unknown } | { body: FormData } | object {
  if (body === undefined) return {};
  return multipart === undefined ? { json: given ?? {} } : { body: formOf(multipart, given) };
}

/** Performs a row's operation without reading its answer: for `svc api` and the daemon's forwarding. */
export function createForwarder(
  options: ClientOptions,
): (endpoint: Endpoint, input: LooseInput, conditions?: ConditionalOptions) => Promise<Answer> {
  const transport = transportOf(options);
  return (endpoint, input, conditions) =>
    conditions === undefined
      ? send(transport, endpoint, input, options, {}, {}, 0)
      : sendConditionally(transport, endpoint, input, options, conditions);
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
