import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import type { ServerSettings } from "../../src/config/server-settings.ts";
import { fail } from "../../src/contract/errors.ts";
import type { Credential } from "./credentials.ts";

/** What decides which names are this server's own. */
type OwnNames = Pick<ServerSettings, "publicUrl" | "host">;

/**
 * Refuses a write that another site made a browser send: one that a cookie authenticates must name this server as its
 * origin, and one that may set a cookie must not name another. Throws `invalidOrigin`.
 */
export function checkOrigin(
  request: FastifyRequest,
  credential: Credential | undefined,
  names: OwnNames,
): void {
  if (isRead(request)) return;
  const { origin } = request.headers;
  const withCookie = credential?.from === "cookie";
  if (origin === undefined ? !withCookie : ownOrigins(request, names).includes(origin)) return;
  if (credential !== undefined && !withCookie) return;
  refuseOrigin(request, names);
}

/**
 * Whether the cookie of a request may count: a read must have been asked of a name of this server's own, since any name
 * can be made to lead here by whoever owns it, and its pages then read the answer. Of a write {@link checkOrigin} judges.
 */
export const mayCarryCookie = (request: FastifyRequest, names: OwnNames): boolean =>
  !isRead(request) || hasOwnHost(request, names);

/** Throws `invalidOrigin` with what was found and how to mend it. */
function refuseOrigin(request: FastifyRequest, names: OwnNames): never {
  const found = `found ${request.headers.origin ?? "none"}`;
  const expected = ownOrigins(request, names);
  const rule = "a request with a cookie must come from this server's own pages";
  if (expected.length > 0)
    return fail("invalidOrigin", `${rule}: expected the origin ${expected.join(" or ")}, ${found}`);
  return fail(
    "invalidOrigin",
    `${rule}, ${found}, and it does not know the name ${request.host} as its own: set server.publicUrl to the address that people use, or go by an IP address or localhost`,
  );
}

const isRead = ({ method }: FastifyRequest): boolean => method === "GET" || method === "HEAD";

function ownOrigins(request: FastifyRequest, names: OwnNames): string[] {
  const { publicUrl } = names;
  const here = isOwnName(request.host, names) ? [`${request.protocol}://${request.host}`] : [];
  return [...new Set([...(publicUrl === undefined ? [] : [new URL(publicUrl).origin]), ...here])];
}

/** Whether a request names the server by the public address, or by what no stranger's name can be. */
const hasOwnHost = ({ host }: FastifyRequest, names: OwnNames): boolean =>
  isOwnName(host, names) ||
  (names.publicUrl !== undefined && new URL(names.publicUrl).host === host.toLowerCase());

/** An address, this machine, or the name that the server was told to listen on; of every other one somebody else decides. */
function isOwnName(host: string, { host: listening }: OwnNames): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:[\]@/?#\\]+))(?::\d+)?$/.exec(host.toLowerCase()) ?? [];
  const name = bracketed ?? plain ?? "";
  if (isIP(name) !== 0) return true;
  return name !== "" && (name === listening.toLowerCase() || /(^|\.)localhost$/.test(name));
}
