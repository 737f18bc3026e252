import { type AnyCommand, command } from "../command.ts";
import { startDaemonProcess } from "../daemon-process.ts";
import { watchParent } from "../parent.ts";

/** `svc tui`. */
export const tuiCommands: readonly AnyCommand[] = [
  command({
    path: "tui",
    summary: "Open the dashboard; starts the daemon when none runs",
    options: {
      theme: { kind: "text", choices: ["dark", "light"], doc: "Palette; default dark" },
      colors: { kind: "text", choices: ["auto", "none", "16", "256"], doc: "How many colours; default auto" },
      ascii: { kind: "switch", doc: "Draw with ASCII symbols only" },
      "no-mouse": { kind: "switch", doc: "Leave the mouse to the terminal, for selecting text" },
      "with-parent": { kind: "switch", doc: "Leave when the process that started this one dies" },
    },
    examples: [{ line: "tui", does: "? explains the keys, q leaves" }],
    run: async (args, context) => {
      const parent = args["with-parent"] ? watchParent(context.clock) : undefined;
      const profile = await context.profile();
      await startDaemonProcess(context, profile);
      // The dashboard tells by itself what keeps it from being shown.
      const status = await context.launch.runDashboard({
        socketPath: profile.socketPath,
        environment: context.environment,
        colors: context.flags["no-color"] ? "none" : (args.colors ?? "auto"),
        ascii: args.ascii ? true : "auto",
        theme: args.theme ?? "dark",
        mouse: !args["no-mouse"],
        logPath: profile.logFile,
        ...(parent === undefined ? {} : { stop: parent }),
      });
      context.exitWith(status);
    },
  }),
];
