import { ApiError } from "../src/contract/errors.ts";
import { ConnectionError, UnexpectedAnswerError } from "../src/http/failure.ts";
import { errorMessage } from "../src/lib/error-message.ts";

/** Statuses that say that nobody is there to answer: a proxy without its server, a server that does not serve now. */
const absent = new Set([502, 503, 504]);

/** Whether a failure means that there is no server to talk to, rather than that one request went wrong. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && absent.has(error.status)) ||
  (error instanceof UnexpectedAnswerError && absent.has(error.status));

/** Whether the server itself says that its operator has closed it. */
export const isMaintenance = (error: unknown): boolean =>
  error instanceof ApiError && error.error === "maintenance";

/** Whether a failure means that the key is not, or no longer, valid. */
export const isRejected = (error: unknown): boolean =>
  (error instanceof ApiError || error instanceof UnexpectedAnswerError) && error.status === 401;

/** Whether a failure means that what was asked for is not there. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

const placesNotFound: readonly string[] = ["workspaceNotFound", "changeSetNotFound"];
/** Not found, method not allowed, not implemented. */
const notServed = new Set([404, 405, 501]);

/** Whether a failure means that the server has no such endpoint at all, rather than nothing in that place. */
export const isNotOffered = (error: unknown): boolean =>
  error instanceof ApiError
    ? notServed.has(error.status) && !placesNotFound.includes(error.error)
    : error instanceof UnexpectedAnswerError && notServed.has(error.status);

/** Seconds that the server asked to be left alone. */
export const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof ApiError ? error.retryAfterSeconds : undefined;

/** A thrown thing as one line. */
export const messageOf = (error: unknown): string => errorMessage(error).replace(/\s*\n\s*/g, " ");
