import { accounts } from "./accounts.ts";
import { changeSets } from "./change-sets.ts";
import { components } from "./components.ts";
import { keys } from "./keys.ts";
import { identity, system } from "./system.ts";

/** The whole public API: every request the server answers, in the order of its documentation. */
export const api = { system, identity, changeSets, components, accounts, keys } as const;
export type Api = typeof api;
