import { version } from "../../lib/version.ts";
import { type AnyCommand, command } from "../command.ts";
import { findDaemon, noDaemon, startDaemonProcess, stopDaemon } from "../daemon-process.ts";
import { daemonLines } from "../daemon-text.ts";
import { usageProblem } from "../failure.ts";
import { followLog, lastLines, logLine } from "../log-reader.ts";
import { watchParent } from "../parent.ts";

const defaultLines = 50;

/** `svc daemon …`. */
export const daemonCommands: readonly AnyCommand[] = [
  command({
    path: "daemon start",
    summary: "Start the daemon in the background; it is no error when it runs already",
    examples: [{ line: "daemon start", does: "for the server that commands ask" }],
    run: async (_args, context) => {
      const { status, started } = await startDaemonProcess(context, await context.profile());
      context.output.result({ started, status }, [
        `${started ? "started" : "already running"}: process ${status.pid}, ${status.serverUrl}`,
      ]);
    },
  }),
  command({
    path: "daemon stop",
    summary: "Stop the daemon; it is no error when none runs",
    examples: [{ line: "daemon stop", does: "waits until it has ended" }],
    run: async (_args, context) => {
      const pid = await stopDaemon(context, await context.profile());
      context.output.result({ stopped: pid !== undefined, pid: pid ?? null }, [
        pid === undefined ? "no daemon runs" : `stopped: process ${pid}`,
      ]);
    },
  }),
  command({
    path: "daemon status",
    summary: "Show the daemon's session, connection and lists; fails when none runs",
    examples: [{ line: "daemon status --json", does: "for programs" }],
    run: async (_args, context) => {
      const profile = await context.profile();
      const status = await findDaemon(profile);
      if (status === undefined) throw noDaemon(profile);
      context.output.result(status, daemonLines(status, context.clock.now(), context.output));
    },
  }),
  command({
    path: "daemon run",
    summary: "Run the daemon here until it is told to stop",
    options: {
      "log-file": { kind: "switch", doc: "Write the log to its file instead of standard error" },
      "with-parent": { kind: "switch", doc: "Stop when the process that started this one dies" },
    },
    examples: [{ line: "daemon run", does: "for a process supervisor, or to watch it work" }],
    run: async (args, context) => {
      const { serverUrl } = await context.profile();
      if (args["with-parent"])
        watchParent(context.clock).addEventListener("abort", () => process.kill(process.pid, "SIGTERM"));
      await context.launch.runDaemon({
        environment: context.environment,
        serverUrl,
        version,
        logTo: args["log-file"] ? "file" : "stderr",
      });
    },
  }),
  command({
    path: "daemon logs",
    summary: "Show the end of the daemon's log",
    options: {
      lines: { kind: "number", value: "count", doc: `How many lines; default ${defaultLines}` },
      follow: { kind: "switch", doc: "Go on with new lines until Ctrl-C", alias: "f" },
    },
    examples: [
      { line: "daemon logs -f", does: "watches it" },
      { line: "daemon logs --json", does: "the lines as they are written, one document each" },
    ],
    run: async (args, context) => {
      const { output, clock } = context;
      const { logFile } = await context.profile();
      const show = (line: string): void => {
        if (output.json) output.raw(`${line}\n`);
        else output.raw(`${logLine(line)}\n`);
      };
      const count = args.lines ?? defaultLines;
      const read = await lastLines(logFile, count);
      if (read === undefined && !args.follow)
        throw usageProblem(`there is no log yet: ${logFile}`, "svc daemon start");
      for (const line of read?.lines ?? []) show(line);
      if (args.follow)
        await followLog(logFile, read?.end ?? 0, { clock, signal: context.untilStopped(), show });
    },
  }),
];
