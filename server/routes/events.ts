import type { api } from "../../src/contract/index.ts";
import { clampLimit } from "../../src/contract/page.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { type Context, workspaceOf } from "../context.ts";
import { readHistory } from "../store/history.ts";

/** Handlers of the rows in `src/contract/events.ts`. */
export const eventHandlers: GroupHandlers<typeof api.events, Context> = {
  list: async ({ query }, context) => {
    const since = query.since ?? 0;
    const limit = clampLimit(query.limit);
    const { store } = context.server;
    const { events, oldest, newest } = await readHistory(store, workspaceOf(context).id, { since, limit });
    return {
      events: events.map((event) => ({ ...event, at: toTimestamp(event.at) })),
      oldest,
      newest,
      // A number that is not given yet comes from another history, such as that before a database was restored.
      missed: since + 1 < oldest || since > newest,
    };
  },
};
