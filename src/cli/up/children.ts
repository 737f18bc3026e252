import type { ChildProcess } from "node:child_process";
import type { Environment } from "../../config/load.ts";
import { type Clock, sleep } from "../../lib/clock.ts";
import type { Launch } from "../launch.ts";
import { endOfOutput, setAside, sizeOf } from "../log-reader.ts";

/** A process that `svc up` has started and ends again. */
export interface Child {
  readonly name: string;
  readonly logFile: string;
  /** Where in the file its output begins, in bytes. */
  readonly from: number;
  /** Resolves with how it ended, in words; never rejects. */
  readonly ended: Promise<string>;
  /** How it ended, once it has. */
  readonly ending: () => string | undefined;
  /** Asks it to end, makes it end when it does not, and waits; nothing happens when it has ended. */
  stop(): Promise<void>;
}

/** What is started, and where both its outputs go. */
export interface ChildOptions {
  readonly name: string;
  readonly argv: readonly string[];
  readonly environment: Environment;
  readonly logFile: string;
}

/** How long a child may take to end in order before it is made to: longer than the server lets requests finish. */
const patienceMs = 12_000;

/** A log that is larger is set aside before more is written: some 5,000 requests. */
const logBytes = 1_000_000;

/** Starts this command line as a process that no signal of the terminal reaches, so that it is ended in order. */
export async function startChild(launch: Launch, clock: Clock, options: ChildOptions): Promise<Child> {
  const { name, argv, environment, logFile } = options;
  await setAside(logFile, logBytes);
  const from = await sizeOf(logFile);
  const child = launch.spawn(argv, { environment, streams: { logFile }, detached: true });
  let ending: string | undefined;
  const ended = endOf(child).then((how) => {
    ending = how;
    return how;
  });
  return { name, logFile, from, ended, ending: () => ending, stop: () => stopChild(child, ended, clock) };
}

/** Asks a process to end, and makes it when it does not in time. */
export async function stopChild(child: ChildProcess, ended: Promise<unknown>, clock: Clock): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  // One that was stopped would not hear of it.
  child.kill("SIGCONT");
  const waiting = new AbortController();
  const late = sleep(clock, patienceMs, waiting.signal).then(() => "late");
  if ((await Promise.race([ended, late])) === "late") child.kill("SIGKILL");
  waiting.abort();
  await ended;
}

/** Resolves with how a process ended, in words. */
export const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `status ${code ?? 0}`));
  });

/** What a child that ended by itself said last, or else how it ended. */
export const lastWords = async (child: Child): Promise<string> =>
  (await endOfOutput(child.logFile, child.from)) ?? `it ended with ${child.ending() ?? "nothing"}`;
