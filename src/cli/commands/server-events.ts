import { maximumTelemetry } from "../../operator/contract.ts";
import { type AnyCommand, command, placeFlags } from "../command.ts";
import { usageProblem } from "../failure.ts";

/** `svc server events`. */
export const serverEventCommands: readonly AnyCommand[] = [
  command({
    path: "server events",
    summary: "List the newest requests under /api/, and whom each is attributed to",
    details:
      "A session or key counts for its user or collective, else the device that names itself, else a hash of address and program. They are kept here, for 30 days and at most 100,000 of them, and sent nowhere. server.telemetry=false keeps none.",
    options: {
      limit: { kind: "number", value: "count", doc: `How many, at most ${maximumTelemetry}; default 50` },
      ...placeFlags,
    },
    examples: [{ line: "server events --limit 5", does: "the last five" }],
    run: async ({ limit, data, database }, { operator, output }) => {
      if (limit !== undefined && (limit < 1 || limit > maximumTelemetry))
        throw usageProblem(`--limit: expected 1 to ${maximumTelemetry}, got ${limit}`);
      const query = limit === undefined ? {} : { limit };
      const answer = await operator({ data, database }, (client) => client.telemetry.list({ query }));
      output.table(
        answer,
        [
          { title: "AT", text: ({ at }) => at },
          { title: "ATTRIBUTED TO", text: ({ distinctId }) => distinctId },
          { title: "OPERATION", text: ({ operation }) => operation },
        ],
        answer.events,
        "no events",
      );
    },
  }),
];
