import { lookAtDirectory, ownDirectory } from "../../config/data-directory.ts";
import { type AnyCommand, command, placeFlags } from "../command.ts";
import { usageProblem } from "../failure.ts";
import { aborted, watchParent } from "../parent.ts";
import { refuseNone } from "../server-setup.ts";
import { serverEventCommands } from "./server-events.ts";
import { serverInitCommands } from "./server-init.ts";
import { serverMaintenanceCommands } from "./server-maintenance.ts";
import { serverSecretKeyCommands } from "./server-secret-key.ts";
import { serverUserCommands } from "./server-users.ts";
import { serverWorkspaceCommands } from "./server-workspaces.ts";

/** `svc server …`. */
export const serverCommands: readonly AnyCommand[] = [
  command({
    path: "server start",
    summary: "Run a server here until it is told to stop",
    details:
      "Keeps its data in an embedded SQLite database unless server.database or SVC_DATABASE_URL name a PostgreSQL server. Logs go to standard error. SIGTERM or Ctrl-C lets running requests finish.",
    options: {
      host: { kind: "text", value: "address", doc: "Address to listen on; default 127.0.0.1" },
      port: { kind: "number", value: "port", doc: "Port to listen on, 0 for any free one; default 5380" },
      ...placeFlags,
      "with-parent": { kind: "switch", doc: "Stop when the process that started this one dies" },
    },
    examples: [
      { line: "server start", does: "on 127.0.0.1:5380" },
      { line: "server start --data ./svc-data", does: "with everything it keeps in that directory" },
      { line: "server start --database postgres://svc@db/svc --host 0.0.0.0", does: "for a team" },
    ],
    run: async (args, context) => {
      if (args.port !== undefined && args.port > 65_535)
        throw usageProblem(`--port: expected a port from 0 to 65535, got ${args.port}`);
      const stop = context.untilStopped();
      // From the first moment on: a parent that dies while the server starts is noticed too.
      const parent = args["with-parent"] ? watchParent(context.clock) : undefined;
      if (args.data !== undefined) await lookAtDirectory(args.data);
      const settings = context.server(args);
      if (args.data !== undefined) {
        await refuseNone(context, settings, { data: args.data, database: args.database });
        await ownDirectory(args.data);
      }
      const server = await context.launch.startServer(settings);
      try {
        for (const line of server.warnings) context.output.warn(line);
        context.output.event({ listening: server.url }, `listening on ${server.url}`);
        await aborted(parent === undefined ? stop : AbortSignal.any([stop, parent]));
      } finally {
        await server.stop();
      }
    },
  }),
  command({
    path: "server reindex",
    summary: "Mend the search index of all workspaces, or of one",
    details:
      "Searching answers with 424 where the index of a change set is broken; this mends it while everything else goes on. Works whether the server runs or not, as the user that it runs as.",
    positionals: { "workspace-id": { doc: "Id of the only workspace to mend", optional: true } },
    options: placeFlags,
    examples: [{ line: "server reindex", does: "goes through every component" }],
    run: async ({ "workspace-id": workspaceId, data, database }, { operator, output }) => {
      const body = { workspaceId: workspaceId ?? null };
      const done = await operator({ data, database }, ({ search }) => search.reindex({ body }));
      const { components, layers } = done;
      output.result(done, [`looked at ${components} components in ${layers} change sets and heads`]);
    },
  }),
  ...serverInitCommands,
  ...serverSecretKeyCommands,
  ...serverMaintenanceCommands,
  ...serverWorkspaceCommands,
  ...serverUserCommands,
  ...serverEventCommands,
];
