import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { explain, matches } from "../contract/check.ts";
import { type Contract, type Endpoint, type Multipart, rowsOf } from "../contract/endpoint.ts";
import { ApiError, type ErrorName } from "../contract/errors.ts";
import { systemClock } from "../lib/clock.ts";
import { Building } from "./building.ts";
import { noneMatch, tagOf, waitSeconds } from "./conditional.ts";
import { sendError, shapeOf, toApiError } from "./errors.ts";
import type { Handlers } from "./handlers.ts";
import { inputReader, invalidOf, type ReadInput } from "./input.ts";
import { WrongContentType } from "./json-body.ts";
import { acceptForms, readForm } from "./multipart.ts";
import { RawJson } from "./raw.ts";
import { ReadyAnswers, type Resolved } from "./ready-answers.ts";

/** A request as the server sees it once its row is known. */
export interface Incoming {
  readonly operation: string;
  readonly endpoint: Endpoint;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What a contract's routes need beside their handlers. */
export interface MountOptions<Context> {
  /**
   * Decides who calls and whether they may; throws ApiError. Runs before the input is judged, and again whenever a held
   * answer is looked at: who lost access while waiting is refused.
   */
  readonly authorize: (incoming: Incoming) => Promise<Context> | Context;
  /**
   * The revision that stands for the answer of a row with `revision` layer or workspace, as of the moment at which the
   * caller was authorized, or later; costs no read of the data.
   */
  readonly revisionOf?: (incoming: Incoming, context: Context) => Promise<string> | string;
  /** Listens from the moment it is called; resolves when that revision may have moved, or when `signal` aborts. */
  readonly waitForChange?: (incoming: Incoming, context: Context, signal: AbortSignal) => Promise<void>;
  /** Sees each failure that is the server's own fault. */
  readonly onInternalError?: (error: unknown, incoming: Incoming) => void;
  /** Errors of other kinds than ApiError that the handlers throw on purpose. */
  readonly translate?: (error: unknown) => ApiError | undefined;
  /** The earliest moment at which a held answer must be given up, such as a shutdown. */
  readonly stopping?: AbortSignal;
  /** Where answers with a revision are kept ready, for whoever answers ahead of these routes. */
  readonly ready?: ReadyAnswers;
}

declare module "fastify" {
  interface FastifyRequest {
    /** What was decided of a request before its body was read: its row's context. */
    admitted: unknown;
  }
}

type LooseHandler<Context> = (input: unknown, context: Context) => unknown;

/** A row with all that is made of it once. */
interface Row<Context> {
  readonly handler: LooseHandler<Context>;
  readonly readInput: ReadInput;
  readonly options: MountOptions<Context>;
  readonly ready: ReadyAnswers;
}

/** Serves a contract: every row becomes a validated, authorized, conditional route. The only place that knows HTTP. */
export function mount<C extends Contract, Context>(
  app: FastifyInstance,
  contract: C,
  handlers: Handlers<C, Context>,
  options: MountOptions<Context>,
): void {
  const ready = options.ready ?? new ReadyAnswers();
  app.decorateRequest("admitted");
  for (const { operation, endpoint } of rowsOf(contract)) {
    const [group = "", key = ""] = operation.split(".");
    // The interpreter's boundary: rows and handlers were paired by type in `Handlers`.
    const handler = handlers[group]?.[key] as LooseHandler<Context>;
    const row = { handler, readInput: inputReader(endpoint), options, ready };
    const route = (scope: FastifyInstance): void => {
      scope.route({
        method: endpoint.method,
        url: endpoint.path,
        // Credentials are judged before the body is even read.
        onRequest: (request, reply, done) => {
          let context: Context | Promise<Context>;
          try {
            context = options.authorize({ operation, endpoint, request, reply });
          } catch (error) {
            return done(asError(error));
          }
          const admit = (admitted: Context): void => {
            request.admitted = admitted;
            done();
          };
          if (context instanceof Promise) context.then(admit, done);
          else admit(context);
        },
        // What the hook above left.
        handler: (request, reply) =>
          answer(row, { operation, endpoint, request, reply }, request.admitted as Context),
        errorHandler: (error, request, reply) => {
          void failed({ operation, endpoint, request, reply }, error, options);
        },
      });
    };
    if (endpoint.multipart === undefined) route(app);
    // In a scope of its own: all other rows refuse forms by name.
    else
      app.register((scope, _options, done) => {
        acceptForms(scope);
        route(scope);
        done();
      });
  }
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Answers at once where the tag alone decides, so that what is asked most often costs least. */
function answer<Context>(
  row: Row<Context>,
  incoming: Incoming,
  admitted: Context,
): FastifyReply | Promise<FastifyReply> {
  const { endpoint, request } = incoming;
  if (endpoint.multipart !== undefined) return answerForm(row, incoming, endpoint.multipart, admitted);
  if (endpoint.body !== undefined && request.body instanceof WrongContentType) {
    throw new ApiError(
      invalidOf(endpoint),
      `content-type: expected application/json, found ${request.body.found}`,
    );
  }
  const input = row.readInput(request);
  if (endpoint.revision === undefined || endpoint.revision === "answer") {
    return answerInFull(row, incoming, input, admitted);
  }
  const tagged = currentTag(incoming, admitted, row.options);
  return tagged instanceof Promise
    ? tagged.then((found) => answerTagged(row, incoming, input, found))
    : answerTagged(row, incoming, input, tagged);
}

async function answerForm<Context>(
  row: Row<Context>,
  incoming: Incoming,
  form: Multipart,
  admitted: Context,
): Promise<FastifyReply> {
  const { params, query } = incoming.request;
  const body = await readForm(incoming.request, form);
  return answerInFull(row, incoming, row.readInput({ params, query, body }), admitted);
}

async function answerInFull<Context>(
  { handler }: Row<Context>,
  incoming: Incoming,
  input: unknown,
  context: Context,
): Promise<FastifyReply> {
  const { endpoint, request, reply } = incoming;
  const result = await handler(input, context);
  if (result instanceof Building) return sendBuilding(reply, result);
  if (endpoint.revision === undefined) return send(incoming, result);
  const bytes = toBytes(endpoint, result);
  const etag = `"${createHash("sha1").update(bytes).digest("base64url")}"`;
  return noneMatch(request.headers["if-none-match"], etag)
    ? reply.header("etag", etag).code(304).send()
    : sendBytes(reply.header("etag", etag), bytes, endpoint.status);
}

function answerTagged<Context>(
  { handler, ready }: Row<Context>,
  { operation, endpoint, request, reply }: Incoming,
  input: unknown,
  { etag, context }: Tagged<Context>,
): FastifyReply | Promise<FastifyReply> {
  // The router's boundary: it reads every parameter of a path as text.
  ready.note(request.url, { operation, endpoint, params: request.params as Resolved["params"] });
  reply.header("etag", etag);
  if (noneMatch(request.headers["if-none-match"], etag)) return reply.code(304).send();
  const known = ready.bytes.get(request.url, etag);
  if (known !== undefined) return sendBytes(reply, known, endpoint.status);
  return Promise.resolve(handler(input, context)).then((result) => {
    if (result instanceof Building) return sendBuilding(reply, result);
    const bytes = toBytes(endpoint, result);
    ready.bytes.set(request.url, etag, bytes);
    return sendBytes(reply, bytes, endpoint.status);
  });
}

/** A tag, and the context that it was read with. */
interface Tagged<Context> {
  readonly etag: string;
  readonly context: Context;
}

/** The tag after holding an unchanged answer for as long as was asked. The tag is always read before the data. */
function currentTag<Context>(
  incoming: Incoming,
  admitted: Context,
  options: MountOptions<Context>,
): Tagged<Context> | Promise<Tagged<Context>> {
  const seconds = waitSeconds(incoming.request.headers["prefer"]);
  const { waitForChange } = options;
  return seconds === 0 || waitForChange === undefined
    ? tagNow(incoming, admitted, options)
    : heldTag(incoming, admitted, { ...options, waitForChange }, seconds);
}

function tagNow<Context>(
  incoming: Incoming,
  context: Context,
  options: MountOptions<Context>,
): Tagged<Context> | Promise<Tagged<Context>> {
  const revision = options.revisionOf?.(incoming, context) ?? "";
  return typeof revision === "string"
    ? { etag: tagOf(revision), context }
    : revision.then((read) => ({ etag: tagOf(read), context }));
}

async function heldTag<Context>(
  incoming: Incoming,
  admitted: Context,
  options: MountOptions<Context> & Required<Pick<MountOptions<Context>, "waitForChange">>,
  seconds: number,
): Promise<Tagged<Context>> {
  const { headers, raw } = incoming.request;
  incoming.reply.header("preference-applied", `wait=${seconds}`);
  const over = new AbortController();
  const leave = (): void => over.abort();
  raw.socket.once("close", leave);
  if (options.stopping?.aborted === true) over.abort();
  options.stopping?.addEventListener("abort", leave, { once: true });
  // A timer of its own: what `AbortSignal.any` makes of `AbortSignal.timeout` may be collected before it fires.
  const cancel = systemClock.after(seconds * 1000, leave, { background: true });
  const deadline = over.signal;
  const look = async (): Promise<Tagged<Context>> =>
    tagNow(incoming, await options.authorize(incoming), options);
  try {
    while (!deadline.aborted) {
      // Listening starts before the tag is read, so that no change slips between the two.
      const change = options.waitForChange(incoming, admitted, deadline);
      const now = await look();
      if (!noneMatch(headers["if-none-match"], now.etag)) return now;
      await change;
    }
    return await look();
  } finally {
    cancel();
    leave();
    raw.socket.off("close", leave);
    options.stopping?.removeEventListener("abort", leave);
  }
}

function send(incoming: Incoming, result: unknown): FastifyReply {
  const { endpoint, reply } = incoming;
  if (endpoint.response === undefined) return reply.code(endpoint.status ?? 200).send();
  return sendBytes(reply, toBytes(endpoint, result), endpoint.status);
}

/** Without a tag, so that nobody keeps it: what is being made may be ready without any counter having moved. */
const sendBuilding = (reply: FastifyReply, { body }: Building): FastifyReply =>
  sendBytes(
    reply.removeHeader("etag").header("retry-after", String(body.retryAfterSeconds)),
    Buffer.from(JSON.stringify(body)),
    202,
  );

const sendBytes = (reply: FastifyReply, bytes: Buffer, status = 200): FastifyReply =>
  reply.code(status).type(jsonType).send(bytes);

/** The content type of every answer with a body. */
export const jsonType = "application/json; charset=utf-8";

/** The answer as bytes. A handler whose answer breaks its own contract is a fault of the server and says so. */
function toBytes(endpoint: Endpoint, result: unknown): Buffer {
  if (result instanceof RawJson) return Buffer.from(result.text);
  const { response } = endpoint;
  if (response !== undefined && !matches(response, result)) {
    const problem = explain(response, result, "answer");
    throw new Error(`${endpoint.method} ${endpoint.path} broke its contract: ${problem}`);
  }
  return Buffer.from(JSON.stringify(result));
}

function failed<Context>(incoming: Incoming, thrown: unknown, options: MountOptions<Context>): FastifyReply {
  const { endpoint, request, reply } = incoming;
  const error = options.translate?.(thrown) ?? toApiError(thrown);
  if (error.error === "internal") options.onInternalError?.(error.cause ?? thrown, incoming);
  // Malformed bodies are noticed before the row is known to the parser: they get the row's own refusal here.
  const name: ErrorName = error.error === "invalidRequest" ? invalidOf(endpoint) : error.error;
  const final = name === error.error ? error : new ApiError(name, error.message, { cause: error });
  return sendError(reply, final, shapeOf(request.url), endpoint.bodiless?.includes(final.status));
}
