import { ApiError } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import type { Context } from "../context.ts";
import { isReady } from "../store/ready.ts";

/** Handlers of the rows in `src/contract/system.ts`. */
export const systemHandlers: GroupHandlers<typeof api.system, Context> = {
  root: () => ({ "API Documentation": "Available at /docs" }),
  health: () => ({ data: "ok" }),
  readiness: async (_input, { server }) => {
    if (server.stopping.aborted) throw new ApiError("unavailable", "the server is stopping");
    if (!(await isReady(server.store))) throw new ApiError("unavailable", "the database does not answer");
    return { data: "ok" };
  },
};
