import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunOptions } from "../../daemon/run.ts";
import type { RunningServer } from "../../server/main.ts";
import type { OwnerToBe } from "../../server/operator/check-owner.ts";
import type { OpenedOperator } from "../../server/operator/open.ts";
import type { Sample } from "../../server/sample/seed.ts";
import type { DashboardOptions } from "../../tui/main.ts";
import type { Environment } from "../config/load.ts";
import type { ServerSettings } from "../config/server-settings.ts";
import { makeDirectorySync } from "../lib/make-directory.ts";
import { packageDirectory } from "../lib/version.ts";

/** The built command line, run by plain node. */
export const programFile: string = join(packageDirectory, "dist", "bin", "svc.js");

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
  startServer(settings: ServerSettings): Promise<RunningServer>;
  /** Opens a database in this process for its operator; see `server/operator/open.ts`. */
  operate(settings: ServerSettings, make?: "make"): Promise<OpenedOperator>;
  /** Whether the database has any account; see `server/has-accounts.ts`. */
  hasAccounts(settings: ServerSettings): Promise<boolean>;
  /** Refuses what is malformed of a first owner, before anything is made; see `server/operator/check-owner.ts`. */
  checkOwner(owner: OwnerToBe): Promise<void>;
  /** Makes sure, with no server running on the same database, that the sample is there; gives new access to it. */
  seedSample(settings: ServerSettings): Promise<Sample>;
  /** Makes this process the daemon of a profile until it is asked to end. */
  runDaemon(options: RunOptions): Promise<void>;
  /** Shows the dashboard on this process's terminal; gives the status to end with. */
  runDashboard(options: DashboardOptions): Promise<number>;
  /**
   * Remembers how the terminal is set; the function it gives puts that back, and leaves the screen and the modes that a
   * dashboard which was killed has left on.
   */
  rememberTerminal(): Promise<() => Promise<void>>;
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
    makeDirectorySync(dirname(streams.logFile));
    const file = openSync(streams.logFile, "a", 0o600);
    try {
      return start(file);
    } finally {
      closeSync(file);
    }
  },
  // Loaded only when asked for: the rest of the command line starts without them.
  startServer: async (settings) => (await import("../../server/main.ts")).startServer(settings),
  operate: async (settings, make) =>
    (await import("../../server/operator/open.ts")).openOperator(settings, make),
  hasAccounts: async ({ database }) => (await import("../../server/has-accounts.ts")).hasAccounts(database),
  checkOwner: async (owner) => (await import("../../server/operator/check-owner.ts")).checkOwner(owner),
  seedSample: async (settings) => {
    const [{ silentLog }, { startServer }, { seedSample }] = await Promise.all([
      import("../lib/log.ts"),
      import("../../server/main.ts"),
      import("../../server/sample/seed.ts"),
    ]);
    const server = await startServer({ ...settings, port: 0 }, { log: silentLog });
    try {
      return await seedSample({ ...server, renewAccess: true });
    } finally {
      await server.stop();
    }
  },
  runDaemon: async (options) => (await import("../../daemon/run.ts")).runDaemon(options),
  runDashboard: async (options) => (await import("../../tui/main.ts")).runDashboard(options),
  rememberTerminal: async () => {
    const settings = (await stty("-g"))?.trim();
    return async () => {
      const { modesOff } = await import("../../tui/term/modes.ts");
      process.stdout.write(modesOff(false));
      if (settings !== undefined && settings !== "") await stty(settings);
    };
  },
};

/** What `stty` answers about the terminal at standard input; undefined where there is none of either. */
const stty = (argument: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const child = spawn("stty", [argument], { stdio: ["inherit", "pipe", "ignore"] });
    let answer = "";
    child.stdout.on("data", (data: Buffer) => {
      answer += data.toString();
    });
    child.once("error", () => resolve(undefined));
    child.once("close", (code) => resolve(code === 0 ? answer : undefined));
  });
