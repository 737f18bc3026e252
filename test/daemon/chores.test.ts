import { mkdir, mkdtemp, readdir, rm, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pruneCache } from "../../daemon/prune.ts";
import { type Chore, defaultSchedule, startCalendar } from "../../daemon/schedule.ts";
import { watchForSleep } from "../../daemon/wakefulness.ts";
import { watchFiles } from "../../daemon/watch.ts";
import { writeFileAtomic } from "../../src/lib/atomic-file.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { logToFile, transition } from "../../src/lib/log.ts";
import { recordingLog } from "../support/daemon.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { until } from "../support/until.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-chores-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the calendar", () => {
  const chores = (done: Chore[]) => ({
    resync: () => void done.push("resync"),
    sessionCheck: () => void done.push("sessionCheck"),
    cachePruning: () => {
      throw new Error("no luck");
    },
    logRotation: () => void done.push("logRotation"),
  });

  it("does a chore when its expression says so", async () => {
    const done: Chore[] = [];
    const calendar = startCalendar(
      { ...defaultSchedule, resync: "* * * * * *" },
      chores(done),
      recordingLog(),
    );
    await until(() => done.includes("resync"));
    calendar.stop();
  });

  it("logs a chore that fails and goes on", async () => {
    const log = recordingLog();
    const calendar = startCalendar(defaultSchedule, chores([]), log);
    await calendar.run("cachePruning");
    calendar.stop();
    expect(log.lines).toEqual([
      { level: "warn", msg: "chore failed", job: "cachePruning", reason: "no luck" },
    ]);
  });

  it("refuses an expression it does not understand in one line, and keeps to the ones before", () => {
    const calendar = startCalendar(defaultSchedule, chores([]), recordingLog());
    expect(() => calendar.reschedule({ ...defaultSchedule, resync: "every day" })).toThrow(
      'daemon.resync: expected a cron expression, found "every day"',
    );
    calendar.stop();
  });
});

describe("watching files", () => {
  it("sees a file being made, replaced atomically and removed; never others, never temporary ones", async () => {
    const seen: string[] = [];
    const configFolder = join(folder, "config");
    const watching = await watchFiles(
      configFolder,
      {
        "auth.json": async () => void seen.push("auth"),
        "config.json": async () => void seen.push("config"),
      },
      systemClock,
      recordingLog(),
    );
    expect((await stat(configFolder)).mode & 0o777).toBe(0o700);
    const path = join(configFolder, "auth.json");
    await writeFileAtomic(path, "{}");
    await until(() => seen.length === 1);
    await writeFileAtomic(path, '{"a":1}');
    await until(() => seen.length === 2);
    await writeFile(join(configFolder, "other.json"), "{}");
    await writeFileAtomic(join(configFolder, "config.json"), "{}");
    await until(() => seen.length === 3);
    await unlink(path);
    await until(() => seen.length === 4);
    expect(seen).toEqual(["auth", "auth", "config", "auth"]);
    await watching.close();
  });
});

describe("noticing a sleep", () => {
  it("calls when the time of day has run ahead of the timers, and not otherwise", async () => {
    const clock = fakeClock();
    let asleep = 0;
    const woken: number[] = [];
    const stop = watchForSleep({ ...clock, now: () => clock.now() + asleep }, (ms) => woken.push(ms));
    await clock.advance(60_000);
    expect(woken).toEqual([]);
    asleep = 3_600_000;
    await clock.advance(5_000);
    expect(woken).toEqual([3_600_000]);
    await clock.advance(60_000);
    expect(woken).toHaveLength(1);
    stop();
    expect(clock.pending()).toBe(0);
  });
});

describe("pruning the cache", () => {
  const days = (n: number): number => n * 24 * 3600;
  const put = async (path: string, ageDays: number): Promise<void> => {
    const file = join(folder, path);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, "{}");
    const at = 1_800_000_000 - days(ageDays);
    await utimes(file, at, at);
  };

  it("removes what nobody will read again and nothing else", async () => {
    await put("server/used/changeSets.json", 100);
    await put("server/used/changeSets.json.bak", 100);
    await put("server/used/components/A.json", 100);
    await put("server/used/components/A.3.json", 100);
    await put("server/used/components/GONE.json", 2);
    await put("server/used/components/GONE.0.json.bak", 2);
    await put("server/used/components/NEW.json", 0);
    await put("server/used/changeSets.json.corrupt-x", 13);
    await put("server/used/events.json.corrupt-x", 15);
    await put("server/used/.1.tmp", 2);
    await put("server/recent/changeSets.json", 29);
    await put("server/old/changeSets.json", 31);
    const inUse = { folder: join(folder, "server/used"), lists: new Set(["changeSets", "components/A"]) };
    const clock = { ...fakeClock(), now: () => 1_800_000_000_000 };
    expect(await pruneCache(folder, inUse, clock)).toEqual({ folders: 1, files: 4 });
    expect(
      (await readdir(folder, { recursive: true })).filter((name) => /json|tmp/.test(name)).toSorted(),
    ).toEqual([
      "server/recent/changeSets.json",
      "server/used/changeSets.json",
      "server/used/changeSets.json.bak",
      "server/used/changeSets.json.corrupt-x",
      "server/used/components/A.3.json",
      "server/used/components/A.json",
      "server/used/components/NEW.json",
    ]);
  });

  it("finds nothing to do where there is no cache yet", async () => {
    expect(await pruneCache(join(folder, "none"), undefined, fakeClock())).toEqual({ folders: 0, files: 0 });
  });
});

describe("the log", () => {
  it("is a private file of JSON lines, set aside when it has grown, with as many old ones as are kept", async () => {
    const path = join(folder, "state", "daemon.log");
    const log = logToFile(path);
    for (let round = 0; round < 6; round++) {
      log.with({ resource: "changeSets" }).info("list recovered", { failures: round });
      expect(log.rotate(10, 2)).toBe(true);
      expect(log.rotate(10, 2)).toBe(false);
    }
    log.debug("not at this level");
    log.close();
    expect((await readdir(join(folder, "state"))).toSorted()).toEqual([
      "daemon.log",
      "daemon.log.1",
      "daemon.log.2",
    ]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { readFile } = await import("node:fs/promises");
    expect(JSON.parse(await readFile(`${path}.1`, "utf8"))).toMatchObject({
      level: "info",
      msg: "list recovered",
      resource: "changeSets",
      failures: 5,
      t: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  it("has one line when something fails and one when it recovers, however often it failed", () => {
    const log = recordingLog();
    const poll = transition(log, "poll failed", "poll recovered");
    poll.succeeded();
    for (let n = 0; n < 5; n++) poll.failed({ reason: "away" });
    poll.succeeded();
    poll.succeeded();
    expect(log.lines).toEqual([
      { level: "warn", msg: "poll failed", reason: "away" },
      { level: "info", msg: "poll recovered", failures: 5 },
    ]);
  });
});
