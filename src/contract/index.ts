import { accounts } from "./accounts.ts";
import { actions } from "./actions.ts";
import { audit } from "./audit.ts";
import { bindings } from "./bindings.ts";
import { changeSets } from "./change-sets.ts";
import { collectiveGrants } from "./collective-grants.ts";
import { collectiveInvitations } from "./collective-invitations.ts";
import { collectiveMembers } from "./collective-members.ts";
import { collectiveTokens } from "./collective-tokens.ts";
import { collectives } from "./collectives.ts";
import { components } from "./components.ts";
import { debugJobs } from "./debug-jobs.ts";
import { events } from "./events.ts";
import { functionRuns } from "./function-runs.ts";
import { functions } from "./functions.ts";
import { invitations } from "./invitations.ts";
import { jobs } from "./jobs.ts";
import { keys } from "./keys.ts";
import { managementJobs } from "./management-jobs.ts";
import { packages } from "./packages.ts";
import { policyReports } from "./policy-reports.ts";
import { review } from "./review.ts";
import { schemas } from "./schemas.ts";
import { search } from "./search.ts";
import { secrets } from "./secrets.ts";
import { sessions } from "./sessions.ts";
import { identity, system } from "./system.ts";
import { workspaceTokens } from "./workspace-tokens.ts";
import { workspaces } from "./workspaces.ts";

/** The whole public API: every request the server answers, in the order of its documentation. */
export const api = {
  system,
  identity,
  changeSets,
  review,
  components,
  schemas,
  packages,
  bindings,
  functions,
  functionRuns,
  actions,
  managementJobs,
  debugJobs,
  jobs,
  secrets,
  policyReports,
  search,
  events,
  workspaces,
  workspaceTokens,
  accounts,
  sessions,
  keys,
  audit,
  collectives,
  collectiveMembers,
  collectiveInvitations,
  invitations,
  collectiveTokens,
  collectiveGrants,
} as const;
export type Api = typeof api;
