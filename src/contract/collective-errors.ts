import type { ErrorRow } from "./error-row.ts";

/** Errors about collectives and their tokens. */
export const collectiveErrors = {
  userRequired: {
    code: 4310,
    word: "USER_CONTEXT_REQUIRED",
    status: 403,
    message: "this needs a user: a collective token stands for none, use a personal key or sign in",
  },
  collectiveNotFound: {
    code: 4420,
    word: "COLLECTIVE_NOT_FOUND",
    status: 404,
    message: "no such collective, or you are not in it",
  },
  collectiveMemberNotFound: {
    code: 4421,
    word: "COLLECTIVE_MEMBER_NOT_FOUND",
    status: 404,
    message: "no such member in this collective",
  },
  collectiveInvitationNotFound: {
    code: 4422,
    word: "INVITATION_NOT_FOUND",
    status: 404,
    message: "no such invitation, or it is no longer open",
  },
  collectiveExists: {
    code: 4920,
    word: "COLLECTIVE_EXISTS",
    status: 409,
    message: "this slug is taken, by a collective that exists or did",
  },
  personalCollective: {
    code: 4921,
    word: "PERSONAL_COLLECTIVE",
    status: 409,
    message: "a personal collective has its user as its only member",
  },
  lastCollectiveOwner: {
    code: 4922,
    word: "LAST_COLLECTIVE_OWNER",
    status: 409,
    message: "a collective keeps at least one owner: make somebody else an owner first",
  },
  invalidSlug: {
    code: 4251,
    word: "INVALID_SLUG",
    status: 422,
    message: "a slug has 3 to 40 letters, digits, hyphens or underscores",
  },
  tokenLimitReached: {
    code: 4252,
    word: "TOKEN_LIMIT_REACHED",
    status: 422,
    message: "a collective has at most 25 tokens: delete one that is not needed any more",
  },
  collectiveLimitReached: {
    code: 4254,
    word: "COLLECTIVE_LIMIT_REACHED",
    status: 422,
    message: "a user creates at most 100 collectives: delete one that is not needed any more",
  },
  memberLimitReached: {
    code: 4255,
    word: "MEMBER_LIMIT_REACHED",
    status: 422,
    message: "a collective has at most 100 members: somebody has to leave first",
  },
  invitationLimitReached: {
    code: 4256,
    word: "INVITATION_LIMIT_REACHED",
    status: 422,
    message: "a collective has at most 100 open invitations: take one back first",
  },
  expiryNotAhead: {
    code: 4253,
    word: "EXPIRES_AT_NOT_AHEAD",
    status: 422,
    message: "the expiry of a token lies in the future",
  },
} as const satisfies Record<string, ErrorRow>;
