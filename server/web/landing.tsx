import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ServerSettings } from "../../src/config/server-settings.ts";
import { isSignUpClosed } from "../auth/sign-up.ts";
import type { Store } from "../store/open.ts";
import { documentOf } from "./parts/document.tsx";
import { pageHeaders } from "./style.ts";

const landing = (address: string, version: string, signingUp: boolean): string =>
  documentOf(
    { title: "svc", narrow: true, footer: `svc ${version}` },
    <>
      <p>Infrastructure modelled as components in change sets. This server is running.</p>
      <p>
        <a href="/keys">Your keys</a> · <a href="/login">Sign in</a>
        {signingUp ? (
          <>
            {" · "}
            <a href="/signup">Create an account</a>
          </>
        ) : null}
      </p>
      <p>
        <a href="/docs">API documentation</a> · <a href="/openapi.json">OpenAPI document</a>
      </p>
      <p>From a terminal:</p>
      <pre>{`svc auth login --server ${address}\nsvc status\nsvc tui`}</pre>
    </>,
  );

/** Shows people with a browser where they are; programs, and whoever brings a token, get the API's answer. */
export function serveLanding(
  app: FastifyInstance,
  {
    version,
    store,
    settings,
  }: { readonly version: string; readonly store: Store; readonly settings: ServerSettings },
): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!isVisit(request)) return done();
    const address = settings.publicUrl ?? `${request.protocol}://${request.host}`;
    isSignUpClosed(store, settings.signUp).then((closed) => {
      reply.headers(pageHeaders()).send(landing(address, version, !closed));
    }, done);
  });
}

function isVisit({ method, url, headers }: FastifyRequest): boolean {
  if ((method !== "GET" && method !== "HEAD") || (url !== "/" && !url.startsWith("/?"))) return false;
  if (headers.authorization !== undefined || headers["x-api-key"] !== undefined) return false;
  return headers.accept?.includes("text/html") === true;
}
