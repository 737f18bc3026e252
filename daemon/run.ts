import { once } from "node:events";
import { type Environment, loadConfig } from "../src/config/load.ts";
import { profileOf } from "../src/config/paths.ts";
import { systemClock } from "../src/lib/clock.ts";
import { type Log, logToFile, logToStderr } from "../src/lib/log.ts";
import { credentialsOf } from "./credentials.ts";
import { messageOf } from "./failure.ts";
import { startDaemon } from "./main.ts";
import type { Schedule } from "./schedule.ts";

/** Which daemon a process becomes. */
export interface RunOptions {
  readonly environment: Environment;
  /** The server of the profile, as it was resolved. */
  readonly serverUrl: string;
  readonly version: string;
  /** `file` writes the profile's daemon.log and rotates it; `stderr` is for running in the foreground. */
  readonly logTo: "file" | "stderr";
  /** Called once readers can connect. */
  readonly onReady?: (socketPath: string) => void;
}

/** A log file is set aside at 5 MB, which is some 30,000 lines; three older ones are kept. */
const logBytes = 5_000_000;
const keptLogs = 3;

/**
 * Makes this process the daemon of a profile until it is asked to end, by SIGTERM, SIGINT, SIGHUP or over its socket.
 * Throws a Problem when it cannot start.
 */
export async function runDaemon(options: RunOptions): Promise<void> {
  const { environment, serverUrl, version, logTo } = options;
  const config = loadConfig(environment);
  const profile = profileOf(config.directories, serverUrl);
  const level = config.settings.logLevel;
  const file = logTo === "file" ? logToFile(profile.logFile, level) : undefined;
  const log: Log = file ?? logToStderr(level);
  const asked = new AbortController();
  // Before anything is begun, so that a signal in the middle of the start leaves nothing lying about.
  const release = onSignals(log, () => asked.abort());
  const daemon = await startDaemon({
    version,
    socketPath: profile.socketPath,
    stateFolder: profile.stateDirectory,
    cacheFolder: profile.cacheDirectory,
    configFolder: config.directories.config,
    credentials: credentialsOf(environment, serverUrl, systemClock),
    schedule: () => scheduleIn(environment),
    log,
    rotateLog: () => file?.rotate(logBytes, keptLogs),
    onStopped: () => asked.abort(),
  }).catch((error: unknown) => {
    release();
    throw error;
  });
  options.onReady?.(daemon.socketPath);
  if (!asked.signal.aborted) await once(asked.signal, "abort");
  await daemon.stop();
  release();
  file?.close();
}

function scheduleIn(environment: Environment): Schedule {
  const { settings } = loadConfig(environment);
  return {
    resync: settings["daemon.resync"],
    sessionCheck: settings["daemon.sessionCheck"],
    cachePruning: settings["daemon.cachePruning"],
    logRotation: settings["daemon.logRotation"],
  };
}

/** Ends the daemon on the signals that ask for it, and on a fault after saying so; gives what undoes it. */
function onSignals(log: Log, stop: () => void): () => void {
  const asked = (signal: NodeJS.Signals): void => {
    log.info("signal", { signal });
    stop();
  };
  const fault = (error: unknown): void => {
    const stack = error instanceof Error ? error.stack : undefined;
    log.error("daemon failed", { reason: messageOf(error), ...(stack === undefined ? {} : { stack }) });
    process.exitCode = 1;
    stop();
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, asked);
  process.on("uncaughtException", fault);
  process.on("unhandledRejection", fault);
  return () => {
    for (const signal of signals) process.off(signal, asked);
    process.off("uncaughtException", fault);
    process.off("unhandledRejection", fault);
  };
}
