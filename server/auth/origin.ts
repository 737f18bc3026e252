import type { FastifyRequest } from "fastify";
import { fail } from "../../src/contract/errors.ts";
import type { Credential } from "./credentials.ts";

/**
 * Refuses a write that another site made a browser send: one that a cookie authenticates must name this server as its
 * origin, and one that may set a cookie must not name another. Throws `invalidOrigin`.
 */
export function checkOrigin(
  request: FastifyRequest,
  credential: Credential | undefined,
  publicUrl: string | undefined,
): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const { origin } = request.headers;
  const withCookie = credential?.from === "cookie";
  if (origin === undefined ? !withCookie : isOwn(origin, request, publicUrl)) return;
  if (credential !== undefined && !withCookie) return;
  fail(
    "invalidOrigin",
    `a request with a cookie must come from this server's own pages: expected the origin ${own(request)}, found ${origin ?? "none"}`,
  );
}

const own = (request: FastifyRequest): string => `${request.protocol}://${request.host}`;

function isOwn(origin: string, request: FastifyRequest, publicUrl: string | undefined): boolean {
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  return origin === own(request);
}
