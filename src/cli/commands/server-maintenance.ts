import type { Output } from "../../contract/endpoint.ts";
import type { OperatorApi } from "../../operator/contract.ts";
import { type AnyCommand, command, placeFlags } from "../command.ts";
import type { Context } from "../context.ts";
import { printable } from "../table.ts";
import { age } from "../times.ts";

type Maintenance = Output<OperatorApi["maintenance"]["get"]>;

/** `svc server maintenance …`. */
export const serverMaintenanceCommands: readonly AnyCommand[] = [
  command({
    path: "server maintenance on",
    summary: "Close the server to everybody, whether it runs now or later",
    details:
      "Every process of the database answers every request but health checks with 503, Retry-After and the message; held requests are let go, running ones finish, and no new background job begins. Works whether the server runs or not, as the user that it runs as.",
    options: {
      message: { kind: "text", value: "text", doc: "What callers are told, at most 500 characters" },
      ...placeFlags,
    },
    examples: [
      { line: "server maintenance on --message upgrading", does: "closes it and says why" },
      { line: "server maintenance on", does: "closes it" },
    ],
    run: async ({ message, data, database }, context) => {
      const body = { on: true, message: message ?? null };
      show(
        await context.operator({ data, database }, ({ maintenance }) => maintenance.set({ body })),
        context,
      );
    },
  }),
  command({
    path: "server maintenance off",
    summary: "Open the server again",
    options: placeFlags,
    examples: [{ line: "server maintenance off", does: "takes back what on did" }],
    run: async ({ data, database }, context) => {
      const body = { on: false };
      show(
        await context.operator({ data, database }, ({ maintenance }) => maintenance.set({ body })),
        context,
      );
    },
  }),
  command({
    path: "server maintenance status",
    summary: "Say whether the server is closed, since when and why",
    options: placeFlags,
    examples: [{ line: "server maintenance status --json", does: "for programs" }],
    run: async ({ data, database }, context) =>
      show(await context.operator({ data, database }, ({ maintenance }) => maintenance.get({})), context),
  }),
];

function show(maintenance: Maintenance, { clock, output }: Context): void {
  const { on, message, since } = maintenance;
  const when = since === null ? "" : ` since ${age(clock.now() - Date.parse(since))}`;
  const why = message === null ? "" : `: ${printable(message)}`;
  output.result(maintenance, [
    on ? `maintenance is ${output.yellow("on")}${when}${why}` : `maintenance is ${output.green("off")}`,
  ]);
}
