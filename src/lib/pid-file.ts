import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { open, readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode, isMissing } from "./atomic-file.ts";
import { type Clock, sleep } from "./clock.ts";
import { makeDirectory } from "./make-directory.ts";
import { Problem } from "./problem.ts";

/** Who a pid file speaks of: the process, and when it began, because numbers of processes are used again. */
export interface Holder {
  readonly pid: number;
  /** As the system counts it; empty where the system does not say. */
  readonly began: string;
}

/** What came of asking for a pid file. */
export type PidFile =
  | { readonly taken: false; readonly pid: number | undefined }
  | {
      readonly taken: true;
      /** What the file held before: a process that is gone, or nothing that can be understood; undefined without one. */
      readonly replaced: Holder | "unreadable" | undefined;
      /** Removes the file, unless it is another's by now. */
      release(): Promise<void>;
    };

export interface PidFileOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Whether a process that lives, and may have got the number of the holder only later, is the holder. */
  readonly isHolder: (holder: Holder) => Promise<boolean>;
}

/** Makes this process the one that a pid file names, unless the one it names still runs. One of many at once succeeds. */
export async function takePidFile(options: PidFileOptions): Promise<PidFile> {
  const { path, clock, isHolder } = options;
  await makeDirectory(dirname(path));
  const mine: Holder = { pid: process.pid, began: beginningOf(process.pid) ?? "" };
  const taken = (replaced: Holder | "unreadable" | undefined): PidFile => ({
    taken: true,
    replaced,
    release: () => release(path, mine),
  });
  // A guard file lets one process at a time judge the file: one that is just being written is empty for a moment.
  const guard = `${path}.guard`;
  await takeGuard(guard, clock);
  try {
    if (await create(path, mine)) return taken(undefined);
    const holder = await readHolder(path);
    if (holder !== undefined && (await holds(holder, isHolder))) return { taken: false, pid: holder.pid };
    await rm(path, { force: true });
    return (await create(path, mine)) ? taken(holder ?? "unreadable") : { taken: false, pid: undefined };
  } finally {
    await rm(guard, { force: true });
  }
}

async function holds(holder: Holder, isHolder: PidFileOptions["isHolder"]): Promise<boolean> {
  const standing = standingOf(holder);
  return standing === "unknown" ? await isHolder(holder) : standing === "runs";
}

/** A guard is held for seconds at most; one older than this was left by a crash. */
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
  throw new Problem(`another process is starting: ${guard} is taken`, {
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
    if (errorCode(error) === "EEXIST") return false;
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

/** The process that a pid file speaks of, when it may still run; undefined when there is no file or nobody behind it. */
export async function findHolder(path: string): Promise<number | undefined> {
  const holder = await readHolder(path);
  return holder !== undefined && standingOf(holder) !== "gone" ? holder.pid : undefined;
}

function standingOf({ pid, began }: Holder): "runs" | "gone" | "unknown" {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is alive, but it holds no file of this user.
    if (errorCode(error) !== undefined) return "gone";
    throw error;
  }
  const now = beginningOf(pid);
  if (now === undefined || began === "") return "unknown";
  return now === began ? "runs" : "gone";
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
    return existsSync("/proc/self/stat") ? undefined : beginningByPs(pid);
  }
}

/** The same to the second, on systems without /proc. */
export function beginningByPs(pid: number): string | undefined {
  try {
    const options = { env: { LC_ALL: "C", TZ: "UTC" }, encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], options).trim() || undefined;
  } catch {
    return undefined;
  }
}

async function release(path: string, mine: Holder): Promise<void> {
  const holder = await readHolder(path);
  if (holder?.pid === mine.pid && holder.began === mine.began) await rm(path, { force: true });
}
