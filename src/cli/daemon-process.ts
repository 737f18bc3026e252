import { join } from "node:path";
import type { Profile } from "../config/paths.ts";
import { ConnectionError } from "../http/failure.ts";
import { connectDaemon } from "../ipc/connect.ts";
import type { DaemonStatus } from "../ipc/contract.ts";
import { sleep } from "../lib/clock.ts";
import { Problem } from "../lib/problem.ts";
import type { Context } from "./context.ts";
import { sizeOf } from "./log-reader.ts";
import { type Child, endOf, ownWords } from "./up/children.ts";

/** How often a starting or ending daemon is asked, and for how long: a start takes about 300 ms. */
const askMs = 50;
const patienceMs = 15_000;

/** What the daemon of a profile says of itself; undefined when none answers. */
export async function findDaemon(profile: Profile): Promise<DaemonStatus | undefined> {
  try {
    return await connectDaemon(profile.socketPath).daemon.status({});
  } catch (error) {
    if (error instanceof ConnectionError) return undefined;
    throw error;
  }
}

export const noDaemon = (profile: Profile): Problem =>
  new Problem(`no daemon runs for ${profile.serverUrl}`, { code: "not_running", hint: "svc daemon start" });

/** Starts the daemon as a process that outlives this one, and waits until it answers. */
export async function startDaemonProcess(
  context: Pick<Context, "clock" | "environment" | "launch" | "flags">,
  profile: Profile,
): Promise<{ readonly status: DaemonStatus; readonly started: boolean }> {
  const running = await findDaemon(profile);
  if (running !== undefined) return { status: running, started: false };
  const logFile = join(profile.stateDirectory, "daemon.out");
  const from = await sizeOf(logFile);
  const child = context.launch.spawn(["daemon", "run", "--log-file", "--server", profile.serverUrl], {
    environment: context.environment,
    streams: { logFile },
    detached: true,
  });
  let ending: string | undefined;
  void endOf(child).then((how) => {
    ending = how;
  });
  const status = await untilDaemonAnswers(context, profile, { ending: () => ending, logFile, from });
  child.unref();
  return { status, started: true };
}

/** Waits for a daemon that was just started. Throws a Problem with its own words when it ends instead. */
export async function untilDaemonAnswers(
  { clock }: Pick<Context, "clock">,
  profile: Profile,
  starting: Pick<Child, "ending" | "logFile" | "from">,
): Promise<DaemonStatus> {
  const deadline = clock.now() + patienceMs;
  for (;;) {
    const status = await findDaemon(profile);
    if (status !== undefined) return status;
    if (starting.ending() !== undefined || clock.now() > deadline) throw await didNotStart(starting);
    await sleep(clock, askMs);
  }
}

async function didNotStart(starting: Pick<Child, "ending" | "logFile" | "from">): Promise<Problem> {
  const why =
    starting.ending() === undefined ? `no answer within ${patienceMs / 1000} s` : await ownWords(starting);
  return new Problem(`the daemon did not start: ${why}`, {
    code: "not_started",
    hint: `all it said is in ${starting.logFile}`,
  });
}

/** Asks the daemon to end and waits until it has; gives its process, or undefined when none ran. */
export async function stopDaemon(
  { clock }: Pick<Context, "clock">,
  profile: Profile,
): Promise<number | undefined> {
  let pid: number;
  try {
    ({ pid } = await connectDaemon(profile.socketPath).daemon.stop({}));
  } catch (error) {
    if (error instanceof ConnectionError) return undefined;
    throw error;
  }
  const deadline = clock.now() + patienceMs;
  while (isAlive(pid)) {
    if (clock.now() > deadline)
      throw new Problem(`the daemon was asked to stop and still runs: process ${pid}`, {
        hint: `kill ${pid}`,
      });
    await sleep(clock, askMs);
  }
  return pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
