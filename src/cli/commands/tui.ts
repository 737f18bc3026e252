import { type AnyCommand, command } from "../command.ts";
import { startDaemonProcess } from "../daemon-process.ts";

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
    },
    examples: [{ line: "tui", does: "? explains the keys, q leaves" }],
    run: async (args, context) => {
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
      });
      context.exitWith(status);
    },
  }),
];
