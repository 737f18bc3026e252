import { renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { destination, type Logger, pino } from "pino";
import { systemClock, toTimestamp } from "./clock.ts";
import { makeDirectorySync } from "./make-directory.ts";

type LogLevel = "debug" | "info" | "warn" | "error";

/** Every name a log line may carry: a closed list, so that lines stay easy to search for years and no secret gets in. */
export interface LogFields {
  readonly address?: string;
  readonly attempt?: number;
  readonly bytes?: number;
  readonly changeSetId?: string;
  readonly code?: string | number;
  readonly componentId?: string;
  readonly count?: number;
  readonly failures?: number;
  readonly items?: number;
  readonly job?: string;
  readonly jobId?: string;
  readonly method?: string;
  readonly ms?: number;
  readonly operation?: string;
  readonly path?: string;
  readonly pid?: number;
  readonly reason?: string;
  readonly requestId?: string;
  readonly resource?: string;
  readonly revision?: number | string;
  readonly signal?: string;
  readonly stack?: string;
  readonly state?: string;
  readonly status?: number;
  readonly userId?: string;
  readonly version?: string;
  readonly workspaceId?: string;
}

/** Writes JSON lines `{t, level, msg, …fields}`; `msg` is a constant, what varies is a field. Never throws. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  /** Changes of state only. */
  info(message: string, fields?: LogFields): void;
  /** Degraded, and mending itself. */
  warn(message: string, fields?: LogFields): void;
  /** A person must act. */
  error(message: string, fields?: LogFields): void;
  /** The same log with fields that every line carries. */
  with(fields: LogFields): Log;
}

/** A log that owns its file. */
interface FileLog extends Log {
  /** Moves the file to `.1` (and `.1` to `.2` …, `keep` of them) when it has passed `maximumBytes`; says whether it did. */
  rotate(maximumBytes: number, keep: number): boolean;
  close(): void;
}

/**
 * Logs to standard error, without making anybody wait for whoever reads it; what is not written yet when the process
 * ends, be it by a crash of its own, is written then.
 */
export const logToStderr = (level: LogLevel = "info"): Log =>
  fromPino(pino(pinoOptions(level), destination({ dest: 2, sync: false })));

/** Logs to a file that only its owner can read; a disk that takes no more lines loses them, never the process. */
export function logToFile(path: string, level: LogLevel = "info"): FileLog {
  makeDirectorySync(dirname(path));
  const file = destination({ dest: path, sync: true, append: true, mode: 0o600 });
  file.on("error", () => undefined);
  const log = fromPino(pino(pinoOptions(level), file));
  return {
    ...log,
    rotate: (maximumBytes, keep) => {
      if (sizeOf(path) <= maximumBytes) return false;
      rmSync(`${path}.${keep}`, { force: true });
      for (let n = keep - 1; n >= 1; n--) moveIfThere(`${path}.${n}`, `${path}.${n + 1}`);
      moveIfThere(path, `${path}.1`);
      file.reopen();
      return true;
    },
    close: () => file.end(),
  };
}

/** Drops every line. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silentLog,
};

/** Something that is well or not: one line when it turns bad, one when it turns good again, none in between. */
export interface Transition {
  failed(fields?: LogFields): void;
  succeeded(fields?: LogFields): void;
}

/** Logs the changes between failing and succeeding, `bad` as a warning, `good` with the number of failures before it. */
export function transition(log: Log, bad: string, good: string): Transition {
  let failures = 0;
  return {
    failed: (fields) => {
      failures++;
      if (failures === 1) log.warn(bad, fields);
    },
    succeeded: (fields) => {
      if (failures > 0) log.info(good, { ...fields, failures });
      failures = 0;
    },
  };
}

const pinoOptions = (level: LogLevel) => ({
  level,
  base: null,
  timestamp: () => `,"t":"${toTimestamp(systemClock.now())}"`,
  formatters: { level: (label: string) => ({ level: label }) },
});

const fromPino = (logger: Logger): Log => ({
  debug: (message, fields) => logger.debug(fields ?? {}, message),
  info: (message, fields) => logger.info(fields ?? {}, message),
  warn: (message, fields) => logger.warn(fields ?? {}, message),
  error: (message, fields) => logger.error(fields ?? {}, message),
  with: (fields) => fromPino(logger.child(fields)),
});

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
