import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunningServer } from "../../server/main.ts";
import type { Environment } from "../config/load.ts";
import type { ResolvedServerSettings } from "../config/server-settings.ts";
import { packageDirectory } from "../lib/version.ts";

/** The built command line, run by plain node. */
export const programFile: string = join(packageDirectory, "dist", "src", "cli", "main.js");

/** How a process of this command line is started. */
export interface SpawnOptions {
  readonly environment: Environment;
  /** `terminal` shares the streams of this process; a path appends both outputs to that file, and input is closed. */
  readonly streams: "terminal" | { readonly logFile: string };
  /** Out of reach of the terminal's signals, and able to outlive this process. */
  readonly detached: boolean;
}

/** Starts other parts of the program: the one door from the command line to server, daemon and dashboard. */
export interface Launch {
  /** Runs this command line as a process of its own. */
  spawn(argv: readonly string[], options: SpawnOptions): ChildProcess;
  /** Starts a server in this process. */
  startServer(settings: ResolvedServerSettings): Promise<RunningServer>;
}

/** The launch of a real process. */
export const systemLaunch: Launch = {
  spawn: (argv, { environment, streams, detached }) => {
    const start = (output: "inherit" | number): ChildProcess =>
      spawn(process.execPath, [programFile, ...argv], {
        env: environment,
        detached,
        stdio: output === "inherit" ? "inherit" : ["ignore", output, output],
      });
    if (streams === "terminal") return start("inherit");
    mkdirSync(dirname(streams.logFile), { recursive: true, mode: 0o700 });
    const file = openSync(streams.logFile, "a", 0o600);
    try {
      return start(file);
    } finally {
      closeSync(file);
    }
  },
  // Loaded only when asked for: the rest of the command line starts without them.
  startServer: async (settings) => (await import("../../server/main.ts")).startServer(settings),
};
