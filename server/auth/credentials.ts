import type { IncomingHttpHeaders } from "node:http";

/** A token as a request carries it; `malformed` ones are kept, because the strongest header counts even when bad. */
export interface Credential {
  readonly from: "authorization" | "x-api-key" | "cookie";
  readonly token: string;
}

/** The name of the cookie that carries a session's token. */
export const sessionCookie = "svc.session_token";

/**
 * The one credential that counts: `Authorization` before `x-api-key` before the cookie, without falling back from one
 * that is not valid to the next. `cookie` is undefined where cookies do not count.
 */
export function credentialOf(
  headers: IncomingHttpHeaders,
  cookie: string | undefined,
): Credential | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
    return { from: "authorization", token };
  }
  const key = headers["x-api-key"];
  if (key !== undefined) return { from: "x-api-key", token: typeof key === "string" ? key.trim() : "" };
  return cookie === undefined ? undefined : { from: "cookie", token: cookie };
}

/** Seconds a session lives from its last refresh: 7 days. */
export const sessionSeconds = 7 * 24 * 60 * 60;
/** Seconds a session lives that is not to be remembered: 1 day. */
export const shortSessionSeconds = 24 * 60 * 60;
