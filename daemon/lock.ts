import { rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { type Clock, sleep } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";
import { takePidFile } from "../src/lib/pid-file.ts";
import { Problem } from "../src/lib/problem.ts";

interface LockOptions {
  readonly pidFile: string;
  readonly socketPath: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The right to be the one daemon of a profile. */
export interface Lock {
  release(): Promise<void>;
}

/**
 * Takes the lock of a profile, cleaning up after a daemon that died. Throws a Problem naming the daemon that runs. A pid
 * file decides, since a process that is starting has no socket yet; the socket is probed where the file is no proof.
 */
export async function takeLock(options: LockOptions): Promise<Lock> {
  const { pidFile, socketPath, log, clock } = options;
  const file = await takePidFile({
    path: pidFile,
    clock,
    isHolder: () => answersSoon(socketPath, clock),
  });
  if (!file.taken) throw running(socketPath, file.pid);
  if (file.replaced !== undefined)
    log.warn("stale pid file replaced", {
      path: pidFile,
      ...(file.replaced === "unreadable" ? { reason: "unreadable" } : { pid: file.replaced.pid }),
    });
  if (await answers(socketPath)) {
    await file.release();
    throw running(socketPath, undefined);
  }
  if (await exists(socketPath)) {
    await rm(socketPath, { force: true });
    log.warn("stale socket removed", { path: socketPath });
  }
  return { release: file.release };
}

/** How often, and how many times, a daemon that may be starting is asked: for 3 s, when a start takes about 300 ms. */
const askMs = 50;
const asks = 60;

/** Whether somebody answers at a socket by the time a daemon that is starting would. */
async function answersSoon(socketPath: string, clock: Clock): Promise<boolean> {
  for (let ask = 0; ask < asks; ask++) {
    if (await answers(socketPath)) return true;
    await sleep(clock, askMs);
  }
  return false;
}

/** Whether somebody accepts connections at a socket. */
export function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const end = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", end(true));
    socket.once("error", end(false));
  });
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const running = (socketPath: string, pid: number | undefined): Problem =>
  new Problem(
    `a daemon is running for this profile already: ${pid === undefined ? "" : `process ${pid}, `}${socketPath}`,
    { code: "conflict", hint: "svc daemon status, or svc daemon stop" },
  );
