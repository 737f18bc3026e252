import { concealCredentials } from "./conceal.ts";
import type { ErrorRow } from "./error-row.ts";
import { errorTable } from "./error-table.ts";

export { errorTable } from "./error-table.ts";

export type ErrorName = keyof typeof errorTable;

/** The row of an error, with its types widened. */
export const errorRow = (name: ErrorName): ErrorRow => errorTable[name];

/** The one error that crosses the wire: thrown by handlers and rules, rebuilt by the client. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly error: ErrorName;
  /** Seconds the caller should wait, sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  /**
   * `detail` replaces the catalogue's sentence where there is more to say: what was expected, found, and what to do; of a
   * credential in it only the beginning stays, of a very long one, as names that were sent may make it, both ends.
   */
  constructor(
    error: ErrorName,
    detail?: string,
    options: ErrorOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(detail === undefined ? errorTable[error].message : bounded(concealCredentials(detail)), options);
    this.error = error;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.error].status;
  }
}

/** Characters of a message that are sent, and how many of them are its end, which says what to do. */
const maximumMessage = 4_000;
const messageEnd = 1_000;

function bounded(message: string): string {
  if (message.length <= maximumMessage) return message;
  const left = message.slice(0, maximumMessage - messageEnd).toWellFormed();
  const right = message.slice(-messageEnd).toWellFormed();
  return `${left} … (${message.length - maximumMessage} characters are left out) … ${right}`;
}

/** Throws an {@link ApiError}; an expression, so that it fits after `??`. */
export function fail(error: ErrorName, detail?: string): never {
  throw new ApiError(error, detail);
}

const byCode = new Map<number, ErrorName>(
  Object.entries(errorTable).map(([name, row]) => [row.code, name as ErrorName]),
);
const byWord = new Map<string, ErrorName>(
  Object.entries(errorTable).map(([name, row]) => [`${row.status} ${row.word}`, name as ErrorName]),
);

/** The catalogue's name for an answer's `code`, number or word; undefined when another server made it up. */
export const errorNameOf = (status: number, code: unknown): ErrorName | undefined =>
  typeof code === "number" ? byCode.get(code) : byWord.get(`${status} ${String(code)}`);
