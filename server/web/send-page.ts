import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../src/contract/errors.ts";
import { toApiError } from "../../src/http/errors.ts";
import type { Move, View, Visit } from "./page-row.ts";
import { documentOf } from "./parts/document.tsx";
import { ProblemLinks } from "./parts/problem-links.tsx";
import { refusalOf } from "./perform-act.ts";
import { pageHeaders } from "./style.ts";

/** Carries the sentence of a {@link Move} to the page that it leads to, which takes it away. */
const noteCookie = "svc.note";
const noteSeconds = 60;

/** Sends the browser on, with GET. */
export function sendMove(reply: FastifyReply, { to, note }: Move): FastifyReply {
  if (note !== undefined) {
    const kept = { path: "/", httpOnly: true, sameSite: "lax", maxAge: noteSeconds } as const;
    reply.setCookie(noteCookie, note, kept);
  }
  return reply.header("cache-control", "no-store").redirect(to, 303);
}

/** Sends a page, with what was noted on the way to it. */
export function sendView(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, csrf }: Visit,
  { title, main, status = 200, narrow, problem, callback }: View,
): FastifyReply {
  const note = problem === undefined ? request.cookies[noteCookie] : undefined;
  if (note !== undefined) reply.clearCookie(noteCookie, { path: "/" });
  const path = request.url.split("?", 1)[0] ?? "/";
  const frame = { title, user, csrf, path, note, problem, narrow: narrow ?? false };
  return reply.code(status).headers(pageHeaders(callback)).send(documentOf(frame, main));
}

/** Sends a page that says why there is none. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  onInternalError: (error: unknown, request: FastifyRequest) => void,
): FastifyReply {
  const { status, message, retryAfterSeconds, error: name } = problemOf(error);
  if (name === "internal") onInternalError(error, request);
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  const text = name === "internal" ? `${message}; the server's log has it as ${request.id}` : message;
  const frame = { title: titles[status] ?? "That did not work", problem: text, narrow: true };
  return reply.code(status).headers(pageHeaders()).send(documentOf(frame, ProblemLinks()));
}

const titles: Readonly<Record<number, string>> = {
  403: "Not for you",
  404: "Nothing here",
  429: "Too many attempts",
  503: "Not available",
};

function problemOf(error: unknown): ApiError {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (code === "FST_CSRF_MISSING_SECRET" || code === "FST_CSRF_INVALID_TOKEN")
    return new ApiError(
      "invalidOrigin",
      "this form is out of date: you signed in or out since, or cookies are blocked; go back, load the page again and repeat what you did",
    );
  return refusalOf(error) ?? toApiError(error);
}
