import type { Access } from "../config/access.ts";
import { concealCredentials } from "../contract/conceal.ts";
import { ApiError, type ErrorName } from "../contract/errors.ts";
import { ConnectionError, StillBuildingError, UnexpectedAnswerError } from "../http/failure.ts";
import { Problem } from "../lib/problem.ts";

/** A failure as it is told: the sentence, a stable word for programs, and the command that helps. */
export interface Failure {
  readonly message: string;
  readonly code: string;
  readonly hint?: string | undefined;
  readonly stack?: string | undefined;
}

/** A command line that cannot be understood; ends with the status for usage. */
export const usageProblem = (message: string, hint?: string): Problem =>
  new Problem(message, { code: "usage", hint });

/** A collective token acts in any workspace that was granted to its collective, and has no default one. */
export const noWorkspaceOfCollective = (): Problem =>
  new Problem("a collective token has no workspace of its own", {
    code: "workspace_required",
    hint: "name one that was granted to the collective with --workspace or SVC_WORKSPACE",
  });

/** There is no key; thrown before any request. */
export const notAuthenticated = (): Problem =>
  new Problem("not authenticated: there is no key, neither stored nor in SVC_API_KEY", {
    code: "not_authenticated",
    hint: "svc auth login",
  });

/** A key that the server does not take, and how another takes its place. */
export const invalidKey = (serverUrl: string, keyFrom: Access["keyFrom"]): Problem =>
  new Problem(`the key is not valid on ${serverUrl} any more`, {
    code: "invalid_api_key",
    hint: keyFrom === "SVC_API_KEY" ? otherKeyInEnvironment : "svc auth login",
  });

/** Logging in is refused while the variable is set. */
const otherKeyInEnvironment =
  "the key in SVC_API_KEY is unknown, revoked or expired: put another one there, or unset SVC_API_KEY";

/**
 * What any thrown thing tells a person, without credentials that it repeats. Only what nobody foresaw keeps its stack.
 * `keyFrom` says where the key came from that a request was sent with.
 */
export function toFailure(thrown: unknown, keyFrom?: Access["keyFrom"]): Failure {
  const { message, code, hint, stack } = failureOf(thrown, keyFrom);
  return {
    message: concealCredentials(message),
    code,
    hint: hint === undefined ? undefined : concealCredentials(hint),
    stack: stack === undefined ? undefined : concealCredentials(stack),
  };
}

function failureOf(thrown: unknown, keyFrom: Access["keyFrom"] | undefined): Failure {
  if (thrown instanceof Problem)
    return { message: thrown.message, code: thrown.code, hint: thrown.hint, stack: thrown.stack };
  if (thrown instanceof ApiError) return apiFailure(thrown, keyFrom);
  if (thrown instanceof StillBuildingError)
    return { message: `${thrown.message}; try again in ${thrown.retryAfterSeconds} s`, code: "building" };
  if (thrown instanceof ConnectionError) {
    const slow = thrown.message.includes("no answer within");
    return {
      message: thrown.message,
      code: slow ? "timeout" : "connection_failed",
      hint: "svc status shows which server is asked and why; svc server start starts one here",
      stack: thrown.stack,
    };
  }
  if (thrown instanceof UnexpectedAnswerError)
    return {
      message: thrown.message,
      code: "unexpected_answer",
      hint: "svc status shows which server is asked; it may be another program or another version",
      stack: thrown.stack,
    };
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { message: error.message, code: "error", stack: error.stack };
}

const hints: Partial<Readonly<Record<ErrorName, string>>> = {
  unauthenticated: "the key is unknown, revoked or expired; run: svc auth login",
  workspaceNotFound: "svc workspace list shows yours, svc server workspace list all of this server",
  changeSetNotFound: "svc change-set list",
  componentNotFound: "svc component list --change-set NAME",
  headNotEditable: "changes are made in a change set: svc change-set create NAME",
  changeSetNotActive: "svc change-set list shows the active ones",
  approvalNotRequested: "svc change-set request-approval NAME",
  valuesPending: "svc change-set apply NAME --wait SECONDS waits longer",
  duplicateComponentName: "name it by its id: svc component list",
};

function apiFailure(error: ApiError, keyFrom: Access["keyFrom"] | undefined): Failure {
  const unauthenticated = error.error === "unauthenticated";
  const wait = error.retryAfterSeconds;
  const message = wait === undefined ? error.message : `${error.message}; try again in ${wait} s`;
  return {
    message,
    code: unauthenticated ? "invalid_api_key" : snakeCase(error.error),
    hint: unauthenticated && keyFrom === "SVC_API_KEY" ? otherKeyInEnvironment : hints[error.error],
    stack: error.stack,
  };
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
