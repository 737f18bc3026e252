import csrfProtection from "@fastify/csrf-protection";
import formBody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Guard } from "../auth/guard.ts";
import type { Context } from "../context.ts";
import { askFor } from "./ask.ts";
import { flatten } from "./form-fields.ts";
import type { Outcome, Page, Visit } from "./page-row.ts";
import { csrfField } from "./parts/forms.tsx";
import { performAct } from "./perform-act.ts";
import { maximumFormBytes, readForm, refuseUnreadableForm } from "./read-form.ts";
import { sendMove, sendProblem, sendView } from "./send-page.ts";
import { admitVisitor, boundTo, visitorOf } from "./visitor.ts";

/** What the pages of a server need. */
export interface PagesOptions {
  readonly guard: Guard;
  /** Whether cookies are kept to TLS. */
  readonly secure: boolean;
  /** What the proofs of forms are sealed with. */
  readonly formKey: Buffer;
  readonly onInternalError: (error: unknown, request: FastifyRequest) => void;
}

const csrfCookie = "svc.csrf";

/** Serves pages: GET shows one, POST takes the forms that stand on it. */
export function servePages(app: FastifyInstance, pages: readonly Page[], options: PagesOptions): void {
  // For the whole application: what no page answers shows the bar with its form too.
  app.register(csrfProtection, {
    cookieKey: csrfCookie,
    cookieOpts: { path: "/", httpOnly: true, sameSite: "lax", secure: options.secure },
    csrfOpts: { hmacKey: options.formKey.toString("hex") },
    getToken: (request: FastifyRequest) => flatten(request.body)[csrfField] ?? "",
    getUserInfo: (request: FastifyRequest) => boundTo(contextOf(request)),
  });
  app.register(async (scope) => {
    // Forms and nothing else.
    scope.removeAllContentTypeParsers();
    await scope.register(formBody, { bodyLimit: maximumFormBytes, parser: readForm });
    scope.setErrorHandler((error, request, reply) => {
      const context = findContext(request);
      const visitor = context && visitorOf(context, reply);
      sendProblem(request, reply, error, { visitor, onInternalError: options.onInternalError });
    });
    for (const page of pages) servePage(scope, page, options);
  });
}

function servePage(scope: FastifyInstance, page: Page, { guard, secure }: PagesOptions): void {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.operation = `page ${page.path}`;
    await admitVisitor(guard, request, reply);
  };
  const visitOf = (request: FastifyRequest, reply: FastifyReply): Visit => {
    const context = contextOf(request);
    return {
      ...visitorOf(context, reply),
      context,
      params: flatten(request.params),
      query: flatten(request.query),
      form: {},
      ask: askFor(context),
    };
  };
  const answer = (request: FastifyRequest, reply: FastifyReply, visit: Visit, outcome: Outcome) =>
    "to" in outcome ? sendMove(reply, outcome, secure) : sendView(request, reply, visit, outcome);
  /** The way to sign in first, where a page is for users and nobody is signed in. */
  const signInFirst = ({ user }: Visit, { url }: FastifyRequest): Outcome | undefined =>
    page.access === "user" && user === undefined
      ? { to: `/login?next=${encodeURIComponent(url)}` }
      : undefined;
  scope.route({
    method: "GET",
    url: page.path,
    onRequest,
    handler: async (request, reply) => {
      const visit = visitOf(request, reply);
      return answer(request, reply, visit, signInFirst(visit, request) ?? (await page.show(visit)));
    },
  });
  if (page.acts === undefined) return;
  scope.route({
    method: "POST",
    url: page.path,
    onRequest,
    preHandler: [refuseUnreadableForm, scope.csrfProtection],
    handler: async (request, reply) => {
      const visit = visitOf(request, reply);
      const outcome = signInFirst(visit, request) ?? (await performAct(page, visit, flatten(request.body)));
      return answer(request, reply, visit, outcome);
    },
  });
}

// What the hook left.
const contextOf = (request: FastifyRequest): Context => request.admitted as Context;

/** The same where the hook may have failed. */
const findContext = (request: FastifyRequest): Context | undefined => request.admitted as Context | undefined;
