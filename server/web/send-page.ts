import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, type ErrorName } from "../../src/contract/errors.ts";
import { toApiError } from "../../src/http/errors.ts";
import { refusalOf } from "../refusal-of.ts";
import type { Move, View, Visit } from "./page-row.ts";
import { documentOf } from "./parts/document.tsx";
import { Later, ProblemLinks } from "./parts/problem-links.tsx";
import { maximumFormBytes } from "./read-form.ts";
import { pageHeaders } from "./style.ts";
import type { Visitor } from "./visitor.ts";

/** Carries the sentence of a {@link Move} to the page that it leads to, which takes it away. */
const noteCookie = "svc.note";
const noteSeconds = 60;

/** Sends the browser on, with GET; `secure` as for all cookies of the server. */
export function sendMove(reply: FastifyReply, { to, note }: Move, secure: boolean): FastifyReply {
  if (note !== undefined) {
    const kept = { path: "/", httpOnly: true, sameSite: "lax", secure, maxAge: noteSeconds } as const;
    reply.setCookie(noteCookie, note, kept);
  }
  return reply.header("cache-control", "no-store").redirect(to, 303);
}

/** Sends a page, with what was noted on the way to it. */
export function sendView(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, csrf }: Visit,
  { title, main, status = 200, narrow, problem, retryAfterSeconds, callback }: View,
): FastifyReply {
  const note = problem === undefined ? request.cookies[noteCookie] : undefined;
  if (note !== undefined) reply.clearCookie(noteCookie, { path: "/" });
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  const path = request.url.split("?", 1)[0] ?? "/";
  const frame = { title, user, csrf, path, note, problem, narrow: narrow ?? false };
  return reply.code(status).headers(pageHeaders(callback)).send(documentOf(frame, main));
}

/**
 * Sends a page that says why there is none, with the bar of who is signed in; `onInternalError` sees what is the
 * server's own fault.
 */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  {
    visitor,
    onInternalError,
  }: {
    readonly visitor?: Visitor | undefined;
    readonly onInternalError?: (error: unknown, request: FastifyRequest) => void;
  } = {},
): FastifyReply {
  const { status, message, retryAfterSeconds, error: name } = problemOf(thrown);
  if (name === "internal") onInternalError?.(thrown, request);
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  const problem = name === "internal" ? `${message}; the server's log has it as ${request.id}` : message;
  const frame = { ...visitor, title: titles[status] ?? "That did not work", problem, narrow: true };
  const main = status === 503 ? Later() : ProblemLinks({ signedIn: visitor?.user !== undefined });
  return reply.code(status).headers(pageHeaders()).send(documentOf(frame, main));
}

const titles: Readonly<Record<number, string>> = {
  403: "Not for you",
  404: "Nothing here",
  429: "Too many attempts",
  503: "Not available",
};

function problemOf(thrown: unknown): ApiError {
  const sentence = frameworkSentences[codeOf(thrown)];
  if (sentence !== undefined) return new ApiError(...sentence);
  return refusalOf(thrown) ?? toApiError(thrown);
}

const outOfDate =
  "this form is out of date: you signed in or out since, or cookies are blocked; go back, load the page again and repeat what you did";

/** What the framework finds wrong with forms, in words for who fills them in. */
const frameworkSentences: Readonly<Record<string, readonly [ErrorName, string]>> = {
  FST_CSRF_MISSING_SECRET: ["invalidOrigin", outOfDate],
  FST_CSRF_INVALID_TOKEN: ["invalidOrigin", outOfDate],
  FST_ERR_CTP_BODY_TOO_LARGE: [
    "invalidRequest",
    `form: expected at most ${maximumFormBytes / 1024} KB, found more`,
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    "invalidRequest",
    "content-type: expected application/x-www-form-urlencoded, found another; pages take forms only",
  ],
};

const codeOf = (thrown: unknown): string =>
  typeof thrown === "object" && thrown !== null && "code" in thrown ? String(thrown.code) : "";
