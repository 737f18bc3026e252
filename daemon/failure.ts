import { ApiError } from "../src/contract/errors.ts";
import { ConnectionError, UnexpectedAnswerError } from "../src/http/failure.ts";

/** Statuses that say that nobody is there to answer: a proxy without its server, a server that does not serve now. */
const absent = new Set([502, 503, 504]);

/** Whether a failure means that there is no server to talk to, rather than that one request went wrong. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && absent.has(error.status)) ||
  (error instanceof UnexpectedAnswerError && absent.has(error.status));

/** Whether a failure means that the key is not, or no longer, valid. */
export const isRejected = (error: unknown): boolean =>
  (error instanceof ApiError || error instanceof UnexpectedAnswerError) && error.status === 401;

/** Whether a failure means that what was asked for is not there. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Seconds that the server asked to be left alone. */
export const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof ApiError ? error.retryAfterSeconds : undefined;

/** A thrown thing as one line. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, " ");
