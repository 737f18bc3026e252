import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeLock } from "../../daemon/lock.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { beginningByPs, findHolder } from "../../src/lib/pid-file.ts";
import { recordingLog } from "../support/daemon.ts";

describe("the lock of a profile", () => {
  let folder = "";
  let log = recordingLog();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "svc-lock-"));
    log = recordingLog();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const pidFile = (): string => join(folder, "state", "daemon.pid");
  const socketPath = (): string => join(folder, "d.sock");
  const take = () => takeLock({ pidFile: pidFile(), socketPath: socketPath(), clock: systemClock, log });
  const lines = (): string[] => log.lines.map(({ msg }) => msg);
  const exists = (path: string): Promise<boolean> =>
    stat(path).then(
      () => true,
      () => false,
    );
  const deadPid = async (): Promise<number> => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    return child.pid ?? 0;
  };

  it("is held by one daemon, and the next one is told which and what to do", async () => {
    const lock = await take();
    expect(await findHolder(pidFile())).toBe(process.pid);
    await expect(take()).rejects.toMatchObject({
      message: `a daemon is running for this profile already: process ${process.pid}, ${socketPath()}`,
      hint: "svc daemon status, or svc daemon stop",
    });
    await lock.release();
    expect(await exists(pidFile())).toBe(false);
    await (await take()).release();
    expect(lines()).toEqual([]);
  });

  it("goes to exactly one of many that start at once, also over a stale pid file", async () => {
    for (const stale of [false, true]) {
      if (stale) await writeStale(`${await deadPid()} x\n`);
      const results = await Promise.allSettled(Array.from({ length: 8 }, take));
      const winners = results.filter((result) => result.status === "fulfilled");
      expect(winners).toHaveLength(1);
      for (const { value } of winners) await value.release();
    }
  });

  const writeStale = async (text: string): Promise<void> => {
    await mkdir(join(folder, "state"), { recursive: true });
    await writeFile(pidFile(), text);
  };

  it.each([
    ["a process that is gone", async () => `${await deadPid()} \n`],
    ["a process that began at another time than the daemon did", async () => `${process.pid} boot:1\n`],
    ["a living process, where nobody says when it began and nobody answers", async () => `${process.pid} \n`],
    ["nobody, because it is empty", async () => ""],
    ["nobody, because it holds something else", async () => "what\n"],
  ])("is taken over, with one line, from a pid file of %s", async (_title, text) => {
    await writeStale(await text());
    const lock = await take();
    expect(lines()).toEqual(["stale pid file replaced"]);
    expect(await readFile(pidFile(), "utf8")).toMatch(new RegExp(`^${process.pid} `));
    await lock.release();
  });

  it("stays with a process that answers, where nobody says when it began", async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(socketPath(), resolve));
    await writeStale(`${process.pid} \n`);
    await expect(take()).rejects.toThrow(`already: process ${process.pid}, `);
    expect(await exists(pidFile())).toBe(true);
    await new Promise((resolve) => server.close(resolve));
  });

  it("tells processes apart by when they began, also on systems without /proc", async () => {
    const began = beginningByPs(process.pid);
    expect(began).toMatch(/^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/);
    expect(beginningByPs(process.pid)).toBe(began);
    expect(beginningByPs(await deadPid())).toBeUndefined();
  });

  it("removes, with one line, a socket that nobody answers at", async () => {
    const child = spawn(process.execPath, [
      "-e",
      `require("node:net").createServer().listen(${JSON.stringify(socketPath())}, () => process.kill(process.pid, "SIGKILL"))`,
    ]);
    await once(child, "exit");
    expect(await exists(socketPath())).toBe(true);
    const lock = await take();
    expect(await exists(socketPath())).toBe(false);
    expect(lines()).toEqual(["stale socket removed"]);
    await lock.release();
  });

  it("is refused while somebody answers at the socket, pid file or not", async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(socketPath(), resolve));
    await expect(take()).rejects.toThrow("a daemon is running for this profile already");
    expect(await exists(pidFile())).toBe(false);
    await new Promise((resolve) => server.close(resolve));
  });
});
