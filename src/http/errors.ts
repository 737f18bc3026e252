import type { FastifyReply } from "fastify";
import { ApiError, errorRow } from "../contract/errors.ts";

/** Which of the two error shapes an address answers with. */
export type ErrorShape = "modeling" | "key";

export const shapeOf = (url: string): ErrorShape => (url.startsWith("/api/") ? "key" : "modeling");

/** Statuses raised before a handler: their bodies carry the alternate shape beside ApiError's members. */
const early = new Set([401, 403, 503]);

/** The body of an error: `{error, message, code}` for keys, ApiError for everything else. */
export function errorBody(error: ApiError, shape: ErrorShape): unknown {
  const { code, word, status } = errorRow(error.error);
  if (shape === "key") return { error: error.message, message: error.message, code: word };
  const body = { message: error.message, statusCode: status, code };
  return early.has(status) ? { ...body, error: { code, message: error.message, status_code: status } } : body;
}

/** Sends an error with its status and headers; without a body where the row says so. */
export function sendError(
  reply: FastifyReply,
  error: ApiError,
  shape: ErrorShape,
  bodiless = false,
): FastifyReply {
  reply.code(error.status);
  if (error.retryAfterSeconds !== undefined) {
    reply.header("retry-after", String(error.retryAfterSeconds));
    if (shape === "key") reply.header("x-retry-after", String(error.retryAfterSeconds));
  }
  if (error.status === 401) reply.header("www-authenticate", "Bearer");
  if (bodiless) return reply.send();
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(errorBody(error, shape)));
}

/** Any thrown thing as an ApiError: framework failures by their status, everything unknown as `internal`. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const status = statusOf(error);
  const message = error instanceof Error ? error.message : undefined;
  if (status === 413)
    return new ApiError("invalidRequest", "body: expected at most 2 MB, found more; send less at a time", {
      cause: error,
    });
  if (status === 404) return new ApiError("notFound", undefined, { cause: error });
  if (status === 429) return new ApiError("rateLimited", message, { cause: error });
  if (status === 503) return new ApiError("unavailable", message, { cause: error });
  if (status !== undefined && status >= 400 && status < 500)
    return new ApiError("invalidRequest", message, { cause: error });
  return new ApiError("internal", undefined, { cause: error });
}

const statusOf = (error: unknown): number | undefined =>
  typeof error === "object" && error !== null && "statusCode" in error && typeof error.statusCode === "number"
    ? error.statusCode
    : undefined;
