import type { ErrorRow } from "./error-row.ts";

/** Errors about people: accounts, keys, members. */
export const accountErrors = {
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
  keyNotFound: { code: 4406, word: "KEY_NOT_FOUND", status: 404, message: "no such key" },
  memberNotFound: {
    code: 4407,
    word: "MEMBER_NOT_FOUND",
    status: 404,
    message: "no such member in this workspace",
  },
  workspaceTokenNotFound: {
    code: 4408,
    word: "WORKSPACE_TOKEN_NOT_FOUND",
    status: 404,
    message: "no such token in this workspace",
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
  userExists: {
    code: 4221,
    word: "USER_ALREADY_EXISTS",
    status: 422,
    message: "an account with this e-mail or username exists already",
  },
} as const satisfies Record<string, ErrorRow>;
