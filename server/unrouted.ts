import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Contract, rowsOf } from "../src/contract/endpoint.ts";
import { ApiError } from "../src/contract/errors.ts";
import { errorBody, sendError, shapeOf, toApiError } from "../src/http/errors.ts";
import type { Guard } from "./auth/guard.ts";
import { pages } from "./web/pages/index.ts";
import { sendProblem } from "./web/send-page.ts";
import { findVisitor, type Visitor } from "./web/visitor.ts";
import { wantsPage } from "./web/wants-page.ts";

/**
 * Answers whatever no row and no page answers, in the shape of its address, people with a page: unknown paths with 404,
 * wrong methods with 405. Where a `guard` is given, pages show who is signed in.
 */
export function answerUnrouted(app: FastifyInstance, contract: Contract, guard?: Guard): void {
  const methodsOf = methodTable(contract);
  app.setNotFoundHandler(async (request, reply) => {
    const visitor =
      guard !== undefined && wantsPage(request) ? await findVisitor(guard, request, reply) : undefined;
    const path = request.url.split("?")[0] ?? "";
    const methods = methodsOf(path);
    if (methods.length === 0) {
      return refuse(request, reply, new ApiError("notFound", `there is nothing at ${shown(path)}`), visitor);
    }
    reply.header("allow", methods.join(", "));
    const message = `${shown(path)} does not take ${request.method}, only ${methods.join(", ")}`;
    return refuse(request, reply, new ApiError("methodNotAllowed", message), visitor);
  });
  app.setErrorHandler((error, request, reply) => refuse(request, reply, toApiError(error)));
}

/** An address that cannot be decoded names nothing; no hook sees such a request. */
export const answerUnreadableAddress = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  refuse(
    request,
    reply.header("x-request-id", request.id),
    new ApiError("notFound", "the address cannot be decoded"),
  );

/** Refuses a query that is not UTF-8 once the caller is known: decoding it leniently would change what was asked. */
export function refuseUnreadableQueries(app: FastifyInstance): void {
  app.addHook("preValidation", (request, _reply, done) => {
    done(isReadable(request.url) ? undefined : new ApiError("invalidRequest", unreadableQuery));
  });
}

const unreadableQuery = "query: expected percent-encoded UTF-8, found something else";

function isReadable(url: string): boolean {
  if (!url.includes("%")) return true;
  const query = url.split("?").slice(1).join("?");
  try {
    decodeURIComponent(query.replaceAll("+", " "));
    return true;
  } catch {
    return false;
  }
}

/** Bytes that are not HTTP: the parser gave up before there was a request. */
export function answerUnreadableRequest(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const sentence = {
    431: "the headers are too long",
    408: "the request took too long to arrive",
    400: "this is not HTTP",
  };
  const body = JSON.stringify({
    ...Object(errorBody(new ApiError("badRequest", sentence[status]), "modeling")),
    statusCode: status,
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
  visitor?: Visitor,
): FastifyReply =>
  wantsPage(request)
    ? sendProblem(request, reply, error, { visitor })
    : sendError(reply, error, shapeOf(request.url));

/** The longest part of an address that a message repeats. */
const maximumShown = 120;
const shown = (path: string): string =>
  path.length > maximumShown ? `${path.slice(0, maximumShown)}…` : path;

/** Which methods the rows and the pages take at a path; HEAD goes wherever GET does. */
function methodTable(contract: Contract): (path: string) => string[] {
  const taken = [
    ...rowsOf(contract).map(({ endpoint }) => endpoint),
    ...pages.map(({ path }) => ({ path, method: "GET" })),
    ...pages.flatMap(({ path, acts }) => (acts === undefined ? [] : [{ path, method: "POST" }])),
  ];
  const table = taken.map(({ path, method }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`),
  }));
  return (path) => {
    const methods = new Set<string>();
    for (const { method, pattern } of table) {
      if (!pattern.test(path)) continue;
      methods.add(method);
      if (method === "GET") methods.add("HEAD");
    }
    return [...methods].sort();
  };
}
