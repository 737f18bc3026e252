import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 38rem; margin: 4rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; }
p { margin: .5rem 0; }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; }
pre { padding: 1rem; border: 1px solid; border-radius: .375rem; overflow-x: auto; }
footer { margin-top: 3rem; font-size: .875rem; opacity: .7; }
`;

const page = (address: string, version: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>svc</h1>
<p>Infrastructure modelled as components in change sets. This server is running.</p>
<p><a href="/docs">API documentation</a> · <a href="/openapi.json">OpenAPI document</a></p>
<p>From a terminal:</p>
<pre>svc auth login --server ${escapeHtml(address)}
svc status
svc tui</pre>
</main>
<footer>svc ${escapeHtml(version)}</footer>
</body>
</html>
`;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Shows people with a browser where they are; programs, and whoever brings a token, get the API's answer. */
export function serveLanding(
  app: FastifyInstance,
  options: { readonly version: string; readonly publicUrl: string | undefined },
): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!isVisit(request)) return done();
    const address = options.publicUrl ?? `${request.protocol}://${request.host}`;
    reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", policy)
      .header("x-content-type-options", "nosniff")
      .header("referrer-policy", "no-referrer")
      .header("cache-control", "no-cache")
      .header("vary", "accept")
      .send(page(address, options.version));
  });
}

function isVisit({ method, url, headers }: FastifyRequest): boolean {
  if ((method !== "GET" && method !== "HEAD") || (url !== "/" && !url.startsWith("/?"))) return false;
  if (headers.authorization !== undefined || headers["x-api-key"] !== undefined) return false;
  return headers.accept?.includes("text/html") === true;
}
