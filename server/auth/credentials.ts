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
 * that is not valid to the next. Cookies count only where `cookies` says so.
 */
export function credentialOf(headers: IncomingHttpHeaders, cookies: boolean): Credential | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
    return { from: "authorization", token };
  }
  const key = headers["x-api-key"];
  if (key !== undefined) return { from: "x-api-key", token: typeof key === "string" ? key.trim() : "" };
  if (!cookies || headers.cookie === undefined) return undefined;
  const token = cookieNamed(headers.cookie, sessionCookie);
  return token === undefined ? undefined : { from: "cookie", token };
}

/** The value of the first cookie of that name. */
function cookieNamed(header: string, name: string): string | undefined {
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** Seconds a session lives from its last refresh: 7 days; and one that is not to be remembered: 1 day. */
export const sessionSeconds = 7 * 24 * 60 * 60;
export const shortSessionSeconds = 24 * 60 * 60;

/** The `Set-Cookie` text that hands a session to a browser; without `maxAge` it ends with the browser. */
export function sessionCookieText(token: string, options: { secure: boolean; maxAge?: number }): string {
  const { secure, maxAge } = options;
  return [
    `${sessionCookie}=${token}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    ...(secure ? ["Secure"] : []),
  ].join("; ");
}
