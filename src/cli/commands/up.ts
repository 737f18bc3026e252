import { type AnyCommand, command } from "../command.ts";
import { usageProblem } from "../failure.ts";
import { runUp } from "../up/run.ts";

/** `svc up`. */
export const upCommands: readonly AnyCommand[] = [
  command({
    path: "up",
    summary: "Start everything here: a server with a sample workspace, a daemon, and the dashboard",
    details:
      "All state lies below one directory; nothing else of this machine is read or changed, SVC_API_KEY and SVC_CLUB_URL included. The server listens on 127.0.0.1:5380, or on the next free port. Without a terminal it prints the overview and then one line for each change. It ends everything it has started when it is left.",
    options: {
      port: { kind: "number", value: "port", doc: "Port of the server; no other one is tried then" },
      directory: { kind: "text", value: "path", doc: "Directory of the state; default .svc" },
      "no-tui": { kind: "switch", doc: "Print changes instead of opening the dashboard" },
      "keep-daemon": { kind: "switch", doc: "Leave the daemon running when it is left" },
    },
    examples: [
      { line: "up", does: "what npm start does" },
      { line: "up --no-tui | tee changes.txt", does: "watches from a script" },
    ],
    run: async (args, context) => {
      if (args.port !== undefined && (args.port === 0 || args.port > 65_535))
        throw usageProblem(`--port: expected a port from 1 to 65535, got ${args.port}`);
      const { output, prompt } = context;
      await runUp(context, {
        directory: args.directory ?? ".svc",
        port: args.port,
        dashboard: !args["no-tui"] && output.terminal && prompt.interactive,
        keepDaemon: args["keep-daemon"],
      });
    },
  }),
];
