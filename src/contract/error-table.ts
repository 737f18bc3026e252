import { accountErrors } from "./account-errors.ts";
import type { ErrorRow } from "./error-row.ts";

/** Every error this software answers with; with `account-errors.ts` the only place that pairs a meaning with a status. */
export const errorTable = {
  ...accountErrors,
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
  unauthenticated: {
    code: 4101,
    word: "UNAUTHORIZED",
    status: 401,
    message: "a valid token is required",
  },
  forbidden: {
    code: 4301,
    word: "FORBIDDEN",
    status: 403,
    message: "you are not allowed to do this",
  },
  workspaceQuarantined: {
    code: 4304,
    word: "WORKSPACE_QUARANTINED",
    status: 403,
    message: "the operator of this server has closed the workspace",
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
