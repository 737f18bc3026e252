import type { ChildProcess } from "node:child_process";
import type { Environment } from "../../config/load.ts";
import { type Clock, sleep } from "../../lib/clock.ts";
import type { Context } from "../context.ts";
import { toFailure } from "../failure.ts";
import type { Launch } from "../launch.ts";
import { lastError, setAside, sizeOf } from "../log-reader.ts";

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

/** Why a child that never got ready has ended: its own error line, unless it was killed, else how it ended. */
export const ownWords = async ({
  ending,
  logFile,
  from,
}: Pick<Child, "ending" | "logFile" | "from">): Promise<string> => {
  const how = ending() ?? "nothing";
  const said = how.startsWith("SIG") ? undefined : await lastError(logFile, from);
  return said ?? `it ended with ${how}`;
};

/**
 * Ends all of them, the last one first, each whatever becomes of the others, and says of each what nobody was told yet:
 * that it had ended by itself, or that it did not end in order.
 */
export async function stopChildren(
  { output }: Pick<Context, "output">,
  children: readonly Child[],
  told: ReadonlySet<Child>,
): Promise<void> {
  for (const child of children.toReversed()) {
    if (told.has(child)) continue;
    const before = child.ending();
    try {
      await child.stop();
    } catch (error) {
      output.warn(`the ${child.name} could not be ended: ${toFailure(error).message}`);
    }
    const how = child.ending();
    if (before !== undefined) output.warn(`the ${child.name} ended with ${before}`);
    // One that had only just started ends by the signal itself.
    else if (how !== undefined && how !== "status 0" && how !== "SIGTERM")
      output.warn(`the ${child.name} ended with ${how} when it was told to; its log: ${child.logFile}`);
  }
}
