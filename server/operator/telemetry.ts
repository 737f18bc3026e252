import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import type { OperatorApi } from "../../src/operator/contract.ts";
import { listTelemetry } from "../store/telemetry.ts";
import type { OperatorContext } from "./context.ts";

/** Events that are shown where nobody says how many. */
const defaultCount = 50;

/** Handlers of `svc server events`. */
export const telemetryHandlers: GroupHandlers<OperatorApi["telemetry"], OperatorContext> = {
  list: async ({ query }, { store }) => ({
    events: (await listTelemetry(store, query.limit ?? defaultCount)).map((entry) => ({
      id: entry.id,
      at: toTimestamp(entry.at),
      distinctId: entry.distinct_id,
      actor: entry.actor,
      operation: entry.operation,
    })),
  }),
};
