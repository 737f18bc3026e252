import { createHash } from "node:crypto";
import helmet from "@fastify/helmet";
import swagger, { type StaticDocumentSpec } from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { noneMatch } from "../../src/http/conditional.ts";

/** Everything comes from this server, and the page may ask this server only. */
const policy = [
  "default-src 'none'",
  "connect-src 'self'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Serves the document at `/openapi.json` and a page to try it at `/docs`. */
export function serveDocs(app: FastifyInstance, document: object): void {
  const bytes = Buffer.from(JSON.stringify(document));
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
  app.get("/openapi.json", (request, reply) => {
    reply.header("etag", etag).type("application/json; charset=utf-8");
    return noneMatch(request.headers["if-none-match"], etag) ? reply.code(304).send() : reply.send(bytes);
  });
  app.register(async (scope) => {
    await scope.register(helmet, { contentSecurityPolicy: false, hsts: false });
    // The library's types know 3.0 only; it passes the document on as it is.
    const specification = { document: document as StaticDocumentSpec["document"] };
    await scope.register(swagger, { mode: "static", specification });
    await scope.register(swaggerUi, {
      routePrefix: "/docs",
      staticCSP: policy,
      theme: { title: "svc API" },
      uiConfig: { deepLinking: true, tryItOutEnabled: true, validatorUrl: null },
    });
  });
}
