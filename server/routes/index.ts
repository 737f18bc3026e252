import type { Api } from "../../src/contract/index.ts";
import type { Handlers } from "../../src/http/handlers.ts";
import type { Context } from "../context.ts";
import { accountHandlers } from "./accounts.ts";
import { actionHandlers } from "./actions.ts";
import { auditHandlers } from "./audit.ts";
import { bindingHandlers } from "./bindings.ts";
import { changeSetHandlers } from "./change-sets.ts";
import { collectiveGrantHandlers } from "./collective-grants.ts";
import { collectiveInvitationHandlers } from "./collective-invitations.ts";
import { collectiveMemberHandlers } from "./collective-members.ts";
import { collectiveTokenHandlers } from "./collective-tokens.ts";
import { collectiveHandlers } from "./collectives.ts";
import { componentHandlers } from "./components.ts";
import { debugJobHandlers } from "./debug-jobs.ts";
import { eventHandlers } from "./events.ts";
import { functionRunHandlers } from "./function-runs.ts";
import { functionHandlers } from "./functions.ts";
import { identityHandlers } from "./identity.ts";
import { invitationHandlers } from "./invitations.ts";
import { jobHandlers } from "./jobs.ts";
import { keyHandlers } from "./keys.ts";
import { managementJobHandlers } from "./management-jobs.ts";
import { packageHandlers } from "./packages.ts";
import { policyReportHandlers } from "./policy-reports.ts";
import { reviewHandlers } from "./review.ts";
import { schemaHandlers } from "./schemas.ts";
import { searchHandlers } from "./search.ts";
import { secretHandlers } from "./secrets.ts";
import { sessionHandlers } from "./sessions.ts";
import { systemHandlers } from "./system.ts";
import { workspaceTokenHandlers } from "./workspace-tokens.ts";
import { workspaceHandlers } from "./workspaces.ts";

/** One handler for every row of the contract. */
export const handlers: Handlers<Api, Context> = {
  system: systemHandlers,
  identity: identityHandlers,
  changeSets: changeSetHandlers,
  components: componentHandlers,
  schemas: schemaHandlers,
  packages: packageHandlers,
  workspaces: workspaceHandlers,
  workspaceTokens: workspaceTokenHandlers,
  search: searchHandlers,
  review: reviewHandlers,
  policyReports: policyReportHandlers,
  events: eventHandlers,
  actions: actionHandlers,
  managementJobs: managementJobHandlers,
  debugJobs: debugJobHandlers,
  jobs: jobHandlers,
  secrets: secretHandlers,
  bindings: bindingHandlers,
  functions: functionHandlers,
  functionRuns: functionRunHandlers,
  accounts: accountHandlers,
  sessions: sessionHandlers,
  keys: keyHandlers,
  audit: auditHandlers,
  collectives: collectiveHandlers,
  collectiveMembers: collectiveMemberHandlers,
  collectiveInvitations: collectiveInvitationHandlers,
  invitations: invitationHandlers,
  collectiveTokens: collectiveTokenHandlers,
  collectiveGrants: collectiveGrantHandlers,
};
