import { Problem } from "../lib/problem.ts";

/** Where a client goes when nothing names a server; also where a server listens when nothing names an address. */
export const defaultServerUrl = "http://127.0.0.1:5380";

/**
 * A server's address in the one form that is compared and stored: scheme, host, port when it is not the usual one, and
 * a path without a slash at its end. `from` says where the text stood, for the message.
 */
export function parseServerUrl(text: string, from: string): string {
  const expected = (found: string, hint?: string): Problem =>
    new Problem(`expected a server address like ${defaultServerUrl}, got ${found} (from ${from})`, {
      code: "validation_failed",
      hint,
    });
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw expected(JSON.stringify(text));
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const guess = /^[\w.[\]-]+(:\d+)?(\/|$)/.test(text) ? `http://${text}` : undefined;
    throw expected(JSON.stringify(text), guess === undefined ? undefined : `did you mean ${guess}?`);
  }
  if (url.username !== "" || url.password !== "")
    throw expected("one with a user name or a password", "keys belong in SVC_API_KEY or svc auth login");
  if (url.search !== "" || url.hash !== "") throw expected("one with a query or a fragment");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Scheme, host and port of a server's address: what decides whether two addresses are the same server. */
export const originOf = (serverUrl: string): string => new URL(serverUrl).origin;
