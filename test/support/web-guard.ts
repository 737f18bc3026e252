import { expect } from "vitest";

/** What a browser sends with what it opens. */
export const asBrowser = { accept: "text/html,application/xhtml+xml" } as const;

/** Expects the headers that every page has, whatever it says: it runs and fetches nothing else, in no frame, kept by nobody. */
export function expectGuarded(headers: Headers, what: string): void {
  const { "content-security-policy": policy = "", ...rest } = Object.fromEntries(headers);
  expect(rest, what).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
  });
  expect(policy, what).toMatch(
    /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; form-action 'self'( \S+)?; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(policy, what).not.toMatch(/unsafe|\*/);
  expect(headers.get("access-control-allow-origin"), what).toBeNull();
}
