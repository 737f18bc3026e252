import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Clock, systemClock } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";
import { ChangeLog } from "./change-log.ts";
import { Connection } from "./connection.ts";
import type { Credentials } from "./credentials.ts";
import { messageOf } from "./failure.ts";
import type { Forwarded } from "./forward.ts";
import { serveIpc } from "./ipc-server.ts";
import type { WriteFile } from "./json-file.ts";
import { type Lock, takeLock } from "./lock.ts";
import { Notices } from "./notices.ts";
import { pruneCache } from "./prune.ts";
import { type Calendar, defaultSchedule, type Schedule, startCalendar } from "./schedule.ts";
import { Session } from "./session.ts";
import { StatusFeed, statusOf } from "./status.ts";
import { Supervisor } from "./supervisor.ts";
import { watchForSleep } from "./wakefulness.ts";
import { type Watching, watchFiles } from "./watch.ts";

/** Everything a daemon is told from outside. */
export interface DaemonOptions {
  readonly version: string;
  readonly socketPath: string;
  /** Holds the lock, beside whatever else belongs to this profile. */
  readonly stateFolder: string;
  readonly cacheFolder: string;
  /** Holds auth.json and config.json, which are watched. */
  readonly configFolder: string;
  /** Reads the credentials anew at each call; throws one clear line when it cannot. */
  readonly credentials: () => Promise<Credentials>;
  /** Reads the calendar anew at each call. Default: the built-in one. */
  readonly schedule?: () => Schedule;
  readonly log: Log;
  /** Sets the log's file aside when it has grown; called by the calendar. */
  readonly rotateLog?: () => void;
  readonly clock?: Clock;
  /** Seconds that the server is asked to hold an unchanged answer. Default 45. */
  readonly holdSeconds?: number;
  /** Milliseconds for one request beyond what it is held. Default 15,000. */
  readonly requestTimeoutMs?: number;
  /** Writes cache files; tests put a full disk in its place. */
  readonly write?: WriteFile;
  /** Called when the daemon was asked over its socket to end. Default: it just ends. */
  readonly onStopped?: () => void;
}

/** A daemon that runs. */
export interface Daemon {
  readonly socketPath: string;
  /** Does a chore of the calendar now. */
  readonly calendar: Pick<Calendar, "run">;
  /** Ends it: held requests are answered, what is unwritten is written, socket and lock are gone. */
  stop(): Promise<void>;
}

/** Long enough to be cheap, and below the minute after which things in between cut idle connections. */
const defaultHoldSeconds = 45;
const defaultTimeoutMs = 15_000;

/**
 * Starts a daemon: readers are served what the cache has as soon as this resolves, whether or not there is a server.
 * Throws a Problem when one runs for this profile already, or when there is no place for its socket.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { socketPath, stateFolder, log, clock = systemClock } = options;
  const pidFile = pidFileIn(stateFolder);
  const lock = await takeLock({ pidFile, socketPath, clock, log });
  try {
    return await run(options, lock, clock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The file that names the process of a profile's daemon. */
const pidFileIn = (stateFolder: string): string => join(stateFolder, "daemon.pid");

async function run(options: DaemonOptions, lock: Lock, clock: Clock): Promise<Daemon> {
  const { log, socketPath, cacheFolder, version } = options;
  const startedAt = clock.now();
  const changes = new ChangeLog(randomUUID(), clock);
  const urgent = (): void => feed.changed("urgent");
  const notices = new Notices(clock, log, urgent);
  const connection = new Connection(clock, log, {
    onChange: urgent,
    onBack: () => supervisor.nudgeWaiting(),
  });
  const supervisor = new Supervisor({
    changes,
    cacheFolder,
    clock,
    log,
    notices,
    connection,
    holdSeconds: options.holdSeconds ?? defaultHoldSeconds,
    write: options.write,
    onRefused: () => session.refused(),
    onHealth: (urgency) => feed.changed(urgency),
  });
  const session = new Session({
    credentials: options.credentials,
    cacheFolder,
    clock,
    log,
    notices,
    connection,
    requestTimeoutMs: options.requestTimeoutMs ?? defaultTimeoutMs,
    listener: supervisor,
    onChange: urgent,
  });
  const status = () =>
    statusOf({
      version,
      pid: process.pid,
      startedAt,
      session,
      connection,
      notices,
      lists: () => supervisor.lists,
    });
  const feed = new StatusFeed(clock, changes, status);
  const closing: (() => Promise<unknown> | unknown)[] = [
    () => feed.stop(),
    () => supervisor.stop(),
    () => session.stop(),
  ];
  const stop = once(async () => {
    log.info("daemon stopping");
    for (const close of closing.toReversed()) await close();
    await lock.release();
    log.info("daemon stopped");
  });
  try {
    await session.reload();
    feed.publish();
    const services = {
      changes,
      status,
      forward: () => session.forward,
      whyNot: () => session.status.message ?? "nobody is signed in",
      onChanged: (operation: string, input: Readonly<Record<string, unknown>>, answer: Forwarded) => {
        supervisor.byId.started(operation, input, answer);
        supervisor.nudge("news");
      },
      track: (changeSetId: string, id: string) => supervisor.byId.track(changeSetId, id),
      refresh: async () => {
        await session.check();
        return supervisor.nudge("news");
      },
      stop: () => void stop().then(options.onStopped),
    };
    const server = await serveIpc(socketPath, services, log);
    closing.push(() => server.close());
    closing.push(watchForSleep(clock, () => supervisor.nudge("news")));
    const calendar = startCalendar(options.schedule?.() ?? defaultSchedule, chores(), log);
    closing.push(() => calendar.stop());
    const watching = await watchConfig(calendar);
    closing.push(() => watching.close());
    log.info("daemon started", { pid: process.pid, path: socketPath, version });
    return { socketPath, calendar, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  function chores() {
    return {
      resync: () => void supervisor.nudge("everything"),
      sessionCheck: () => session.check(),
      cachePruning: async () => {
        const { folders, files } = await pruneCache(cacheFolder, supervisor.cacheInUse, clock);
        if (folders + files > 0) log.info("cache pruned", { count: folders + files });
      },
      logRotation: () => options.rotateLog?.(),
    };
  }

  function watchConfig(calendar: Calendar): Promise<Watching> {
    const settings = async (): Promise<void> => {
      try {
        calendar.reschedule(options.schedule?.() ?? defaultSchedule);
        notices.clear("settings");
      } catch (error) {
        notices.raise("settings", `${messageOf(error)}; the settings read before stay in force`);
      }
      await session.reload();
    };
    const files = { "auth.json": () => session.reload(), "config.json": settings };
    return watchFiles(options.configFolder, files, clock, log);
  }
}

/** Runs `action` at the first call; every call gets that run's end. */
function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= action();
    return running;
  };
}
