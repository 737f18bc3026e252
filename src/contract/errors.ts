/** One row of the error catalogue: a stable number and word, the HTTP status, and the sentence a person reads. */
export interface ErrorRow {
  /** The `code` of ApiError: never renumbered, never used again. */
  readonly code: number;
  /** The `code` of the key-authentication API: upper case, as stable as the number. */
  readonly word: string;
  readonly status: number;
  readonly message: string;
}

/** Every error this software answers with; the only place that pairs a meaning with a status. */
export const errorTable = {
  invalidRequest: {
    code: 4001,
    word: "VALIDATION_ERROR",
    status: 422,
    message: "the request does not match the contract",
  },
  badRequest: {
    code: 4002,
    word: "VALIDATION_ERROR",
    status: 400,
    message: "the request does not match the contract",
  },
  headNotAllowed: {
    code: 4003,
    word: "HEAD_NOT_ALLOWED",
    status: 400,
    message: "this cannot be done to the head change set",
  },
  invalidNameLength: {
    code: 4004,
    word: "INVALID_NAME_LENGTH",
    status: 400,
    message: "a key name has 1 to 32 characters",
  },
  serverOnlyProperty: {
    code: 4005,
    word: "SERVER_ONLY_PROPERTY",
    status: 400,
    message: "this property can only be set by the server",
  },
  noValuesToUpdate: {
    code: 4006,
    word: "NO_VALUES_TO_UPDATE",
    status: 400,
    message: "the update names nothing to change",
  },
  expiresInTooSmall: {
    code: 4007,
    word: "EXPIRES_IN_IS_TOO_SMALL",
    status: 400,
    message: "a key lives at least one second",
  },
  expiresInTooLarge: {
    code: 4008,
    word: "EXPIRES_IN_IS_TOO_LARGE",
    status: 400,
    message: "a key with an expiry lives at most 365 days",
  },
  metadataDisabled: {
    code: 4009,
    word: "METADATA_DISABLED",
    status: 400,
    message: "keys carry no metadata here",
  },
  passwordTooShort: {
    code: 4010,
    word: "PASSWORD_TOO_SHORT",
    status: 400,
    message: "a password has at least 8 characters",
  },
  passwordTooLong: {
    code: 4011,
    word: "PASSWORD_TOO_LONG",
    status: 400,
    message: "a password has at most 128 characters",
  },
  invalidEmail: {
    code: 4012,
    word: "INVALID_EMAIL",
    status: 400,
    message: "the e-mail address is not valid",
  },
  invalidUsername: {
    code: 4013,
    word: "INVALID_USERNAME",
    status: 400,
    message: "a username has 3 to 30 letters, digits, underscores or dots",
  },
  invalidPrefix: {
    code: 4014,
    word: "INVALID_PREFIX",
    status: 400,
    message: "personal keys always start with svc_",
  },
  unauthenticated: {
    code: 4101,
    word: "UNAUTHORIZED",
    status: 401,
    message: "a valid token is required",
  },
  sessionRequired: {
    code: 4102,
    word: "UNAUTHORIZED_SESSION",
    status: 401,
    message: "a signed-in session is required; a key is not enough",
  },
  invalidCredentials: {
    code: 4103,
    word: "INVALID_EMAIL_OR_PASSWORD",
    status: 401,
    message: "invalid e-mail or password",
  },
  invalidUsernameCredentials: {
    code: 4104,
    word: "INVALID_USERNAME_OR_PASSWORD",
    status: 401,
    message: "invalid username or password",
  },
  forbidden: {
    code: 4301,
    word: "FORBIDDEN",
    status: 403,
    message: "you are not allowed to do this",
  },
  invalidOrigin: {
    code: 4302,
    word: "INVALID_ORIGIN",
    status: 403,
    message: "a request with a cookie must come from this server's own pages",
  },
  signUpClosed: {
    code: 4303,
    word: "SIGN_UP_CLOSED",
    status: 403,
    message: "this server takes no new accounts; ask its owner",
  },
  workspaceQuarantined: {
    code: 4304,
    word: "WORKSPACE_QUARANTINED",
    status: 403,
    message: "the operator of this server has closed the workspace",
  },
  ownerCannotLeave: {
    code: 4305,
    word: "OWNER_CANNOT_LEAVE",
    status: 403,
    message: "an owner cannot leave: make somebody else the owner first",
  },
  lastOwner: {
    code: 4306,
    word: "LAST_OWNER",
    status: 403,
    message: "a workspace keeps at least one owner: make somebody else an owner first",
  },
  notFound: { code: 4401, word: "NOT_FOUND", status: 404, message: "there is nothing at this address" },
  workspaceNotFound: {
    code: 4402,
    word: "WORKSPACE_NOT_FOUND",
    status: 404,
    message: "no such workspace",
  },
  changeSetNotFound: {
    code: 4403,
    word: "CHANGE_SET_NOT_FOUND",
    status: 404,
    message: "no such change set",
  },
  componentNotFound: {
    code: 4404,
    word: "COMPONENT_NOT_FOUND",
    status: 404,
    message: "no such component",
  },
  schemaNotFound: { code: 4405, word: "SCHEMA_NOT_FOUND", status: 404, message: "no such schema" },
  keyNotFound: { code: 4406, word: "KEY_NOT_FOUND", status: 404, message: "no such key" },
  memberNotFound: {
    code: 4407,
    word: "MEMBER_NOT_FOUND",
    status: 404,
    message: "no such member in this workspace",
  },
  secretNotFound: { code: 4409, word: "SECRET_NOT_FOUND", status: 404, message: "no such secret" },
  methodNotAllowed: {
    code: 4501,
    word: "METHOD_NOT_ALLOWED",
    status: 405,
    message: "this address does not take that method",
  },
  changeSetNotActive: {
    code: 4901,
    word: "CHANGE_SET_NOT_ACTIVE",
    status: 409,
    message: "the change set is no longer active",
  },
  headNotEditable: {
    code: 4902,
    word: "HEAD_NOT_EDITABLE",
    status: 409,
    message: "changes not permitted on the head change set",
  },
  keyRevoked: {
    code: 4903,
    word: "KEY_REVOKED",
    status: 409,
    message: "a revoked key is never enabled again; create a new one",
  },
  memberConflict: {
    code: 4904,
    word: "MEMBER_CONFLICT",
    status: 409,
    message: "this person is a member or invited already, or suspended",
  },
  approvalNotRequested: {
    code: 4905,
    word: "APPROVAL_NOT_REQUESTED",
    status: 409,
    message: "nobody asked for an approval of this change set",
  },
  actionRunning: {
    code: 4906,
    word: "ACTION_RUNNING",
    status: 409,
    message: "an action of the component is running",
  },
  duplicateComponentName: {
    code: 4121,
    word: "DUPLICATE_COMPONENT_NAME",
    status: 412,
    message: "the name belongs to more than one component, or to another one",
  },
  viewNotFound: { code: 4122, word: "VIEW_NOT_FOUND", status: 412, message: "no such view" },
  componentNotMarkedForDeletion: {
    code: 4123,
    word: "COMPONENT_NOT_MARKED_FOR_DELETION",
    status: 412,
    message: "the component is not marked for deletion",
  },
  createOnlyProperty: {
    code: 4124,
    word: "CREATE_ONLY_PROPERTY",
    status: 412,
    message: "a create-only property cannot change while the component has a resource",
  },
  subscriptionCycle: {
    code: 4125,
    word: "SUBSCRIPTION_CYCLE",
    status: 412,
    message: "the subscription would make components wait for each other in a circle",
  },
  noResource: {
    code: 4126,
    word: "NO_RESOURCE",
    status: 412,
    message: "the component has no resource",
  },
  userExists: {
    code: 4221,
    word: "USER_ALREADY_EXISTS",
    status: 422,
    message: "an account with this e-mail or username exists already",
  },
  managementCycle: {
    code: 4222,
    word: "MANAGEMENT_CYCLE",
    status: 422,
    message: "the component would manage itself through others",
  },
  searchIndexInvalid: {
    code: 4241,
    word: "SEARCH_INDEX_INVALID",
    status: 424,
    message:
      "the search index of the change set is missing or invalid; the operator mends it with svc server reindex",
  },
  valuesPending: {
    code: 4281,
    word: "VALUES_PENDING",
    status: 428,
    message: "values are still being computed; try again shortly",
  },
  rateLimited: {
    code: 4291,
    word: "RATE_LIMITED",
    status: 429,
    message: "too many requests; wait before you try again",
  },
  internal: {
    code: 5001,
    word: "INTERNAL_ERROR",
    status: 500,
    message: "the server failed to handle the request; its log has the details under the request id",
  },
  unavailable: {
    code: 5031,
    word: "UNAVAILABLE",
    status: 503,
    message: "the server cannot answer right now",
  },
  maintenance: {
    code: 5032,
    word: "MAINTENANCE",
    status: 503,
    message: "the server is in maintenance; try again later",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorName = keyof typeof errorTable;

/** The row of an error, with its types widened. */
export const errorRow = (name: ErrorName): ErrorRow => errorTable[name];

/** The one error that crosses the wire: thrown by handlers and rules, rebuilt by the client. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly error: ErrorName;
  /** Seconds the caller should wait, sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  /** `detail` replaces the catalogue's sentence where there is more to say: what was expected, found, and what to do. */
  constructor(
    error: ErrorName,
    detail?: string,
    options: ErrorOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(detail ?? errorTable[error].message, options);
    this.error = error;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.error].status;
  }
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
