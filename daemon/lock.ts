import { readFileSync } from "node:fs";
import { mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { dirname } from "node:path";
import { isMissing } from "../src/lib/atomic-file.ts";
import { type Clock, sleep } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";
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

/** Who holds the lock: the process, and when it began, because numbers of processes are used again. */
interface Holder {
  readonly pid: number;
  readonly began: string;
}

/**
 * Takes the lock of a profile, cleaning up after a daemon that died. Throws a Problem naming the daemon that runs. A pid
 * file decides, since a process that is starting has no socket yet; the socket is probed where the file is no proof.
 */
export async function takeLock(options: LockOptions): Promise<Lock> {
  const { pidFile, socketPath, log } = options;
  await mkdir(dirname(pidFile), { recursive: true, mode: 0o700 });
  const mine: Holder = { pid: process.pid, began: beginningOf(process.pid) ?? "" };
  if (!(await create(pidFile, mine))) await replaceStale(options, mine);
  if (await answers(socketPath)) {
    await rm(pidFile, { force: true });
    throw running(socketPath, undefined);
  }
  if (await exists(socketPath)) {
    await rm(socketPath, { force: true });
    log.warn("stale socket removed", { path: socketPath });
  }
  return { release: () => release(pidFile, mine) };
}

/** Replaces the pid file of a process that is gone. A guard file lets one starting daemon do that at a time. */
async function replaceStale(options: LockOptions, mine: Holder): Promise<void> {
  const { pidFile, socketPath, log, clock } = options;
  const guard = `${pidFile}.guard`;
  await takeGuard(guard, clock);
  try {
    const holder = await readHolder(pidFile);
    if (holder !== undefined && isAlive(holder)) throw running(socketPath, holder.pid);
    await rm(pidFile, { force: true });
    if (!(await create(pidFile, mine))) throw running(socketPath, undefined);
    log.warn("stale pid file replaced", {
      path: pidFile,
      ...(holder === undefined ? { reason: "unreadable" } : { pid: holder.pid }),
    });
  } finally {
    await rm(guard, { force: true });
  }
}

/** A guard is held for milliseconds; one older than this was left by a crash. */
const guardMs = 10_000;
const guardTries = 50;

async function takeGuard(guard: string, clock: Clock): Promise<void> {
  for (let attempt = 0; attempt < guardTries; attempt++) {
    if (await create(guard, undefined)) return;
    const age = await stat(guard).then(
      ({ mtimeMs }) => clock.now() - mtimeMs,
      () => 0,
    );
    if (age > guardMs) await rm(guard, { force: true });
    else await sleep(clock, 20);
  }
  throw new Problem(`another daemon is starting: ${guard} is taken`, {
    code: "conflict",
    hint: "try again in a moment",
  });
}

async function create(path: string, holder: Holder | undefined): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    try {
      if (holder !== undefined) await file.writeFile(`${holder.pid} ${holder.began}\n`);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return "";
    throw error;
  });
  const [, pid, began = ""] = /^(\d+)(?: (.*))?\s*$/.exec(text) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), began: began.trim() };
}

/** The process that a pid file speaks of, when it still runs; undefined when there is no file or nobody behind it. */
export async function findRunning(pidFile: string): Promise<number | undefined> {
  const holder = await readHolder(pidFile);
  return holder !== undefined && isAlive(holder) ? holder.pid : undefined;
}

function isAlive({ pid, began }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is alive, but it is no daemon of this user's profile.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
  const now = beginningOf(pid);
  return now === undefined || began === "" || now === began;
}

/** When a process began, as the system counts it; undefined where the system does not say. */
function beginningOf(pid: number): string | undefined {
  try {
    // The name in the second field may hold anything; the 22nd field is the 20th after it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\)\s/s, "")
      .split(" ");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return fields[19] === undefined ? undefined : `${boot}:${fields[19]}`;
  } catch {
    return undefined;
  }
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

async function release(pidFile: string, mine: Holder): Promise<void> {
  const holder = await readHolder(pidFile);
  if (holder?.pid === mine.pid && holder.began === mine.began) await rm(pidFile, { force: true });
}

const running = (socketPath: string, pid: number | undefined): Problem =>
  new Problem(
    `a daemon is running for this profile already: ${pid === undefined ? "" : `process ${pid}, `}${socketPath}`,
    { code: "conflict", hint: "svc daemon status, or svc daemon stop" },
  );
