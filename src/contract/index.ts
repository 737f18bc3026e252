import { accounts } from "./accounts.ts";
import { actions } from "./actions.ts";
import { bindings } from "./bindings.ts";
import { changeSets } from "./change-sets.ts";
import { components } from "./components.ts";
import { events } from "./events.ts";
import { functions } from "./functions.ts";
import { keys } from "./keys.ts";
import { policyReports } from "./policy-reports.ts";
import { review } from "./review.ts";
import { search } from "./search.ts";
import { secrets } from "./secrets.ts";
import { identity, system } from "./system.ts";
import { workspaces } from "./workspaces.ts";

/** The whole public API: every request the server answers, in the order of its documentation. */
export const api = {
  system,
  identity,
  changeSets,
  review,
  components,
  bindings,
  functions,
  actions,
  secrets,
  policyReports,
  search,
  events,
  workspaces,
  accounts,
  keys,
} as const;
export type Api = typeof api;
