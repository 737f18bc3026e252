import type { Api } from "../../src/contract/index.ts";
import type { Handlers } from "../../src/http/handlers.ts";
import type { Context } from "../context.ts";
import { accountHandlers } from "./accounts.ts";
import { changeSetHandlers } from "./change-sets.ts";
import { componentHandlers } from "./components.ts";
import { identityHandlers } from "./identity.ts";
import { keyHandlers } from "./keys.ts";
import { systemHandlers } from "./system.ts";

/** One handler for every row of the contract. */
export const handlers: Handlers<Api, Context> = {
  system: systemHandlers,
  identity: identityHandlers,
  changeSets: changeSetHandlers,
  components: componentHandlers,
  accounts: accountHandlers,
  keys: keyHandlers,
};
