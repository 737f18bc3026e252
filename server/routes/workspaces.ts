import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import type { Context } from "../context.ts";

/** Handlers of the rows in `src/contract/workspaces.ts`. */
export const workspaceHandlers: GroupHandlers<typeof api.workspaces, Context> = {};
