import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Credentials } from "../../daemon/credentials.ts";
import { type Daemon, type DaemonOptions, startDaemon } from "../../daemon/main.ts";
import type { Client } from "../../src/http/client.ts";
import { connectDaemon } from "../../src/ipc/connect.ts";
import type { DaemonStatus, Ipc } from "../../src/ipc/contract.ts";
import { applyChanges, emptyMirror, type MirrorState } from "../../src/ipc/state.ts";
import { type Log, type LogFields, silentLog } from "../../src/lib/log.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";
import { until } from "./until.ts";

/** One line that was logged. */
export interface LogLine extends LogFields {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly msg: string;
}

/** A log that keeps its lines. */
export function recordingLog(
  lines: LogLine[] = [],
  always: LogFields = {},
): Log & { readonly lines: LogLine[] } {
  const at =
    (level: LogLine["level"]) =>
    (msg: string, fields: LogFields = {}): void => {
      lines.push({ ...always, ...fields, level, msg });
    };
  return {
    ...silentLog,
    lines,
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => recordingLog(lines, { ...always, ...fields }),
  };
}

/** A fake clock of a machine that can be put to sleep. */
export interface LaptopClock extends FakeClock {
  /** Lets the time of day pass while every timer stands still. */
  sleepThrough(ms: number): void;
}

function laptopClock(): LaptopClock {
  const clock = fakeClock();
  let slept = 0;
  return {
    ...clock,
    now: () => clock.now() + slept,
    sleepThrough: (ms) => {
      slept += ms;
    },
  };
}

/** Credentials that a test may change while a daemon runs; set them to an error to make them unreadable. */
export interface TestCredentials {
  current: Credentials | Error;
}

/** A place for one profile's daemon: it can be started, stopped and started again over the same files. */
export class TestDaemon {
  readonly folder: string;
  readonly socketPath: string;
  readonly clock: LaptopClock;
  readonly credentials: TestCredentials;
  log = recordingLog();
  running: Daemon | undefined;
  /** What a reader that follows by revision holds; see {@link read}. */
  mirror: MirrorState = emptyMirror;

  #client: Client<Ipc> | undefined;

  private constructor(folder: string, credentials: Credentials | Error, clock: LaptopClock) {
    this.folder = folder;
    this.socketPath = join(folder, "run", "d.sock");
    this.clock = clock;
    this.credentials = { current: credentials };
  }

  /** An empty place whose daemon uses this server, in whatever workspace the key is for. */
  static at(serverUrl: string, apiKey: string): Promise<TestDaemon> {
    return TestDaemon.create({ serverUrl, apiKey, workspaceId: undefined, distinctId: undefined });
  }

  /** An empty place; `remove` it when done. */
  static async create(credentials: Credentials | Error): Promise<TestDaemon> {
    return new TestDaemon(await mkdtemp(join(tmpdir(), "svc-daemon-")), credentials, laptopClock());
  }

  get cacheFolder(): string {
    return join(this.folder, "cache");
  }
  get configFolder(): string {
    return join(this.folder, "config");
  }
  get stateFolder(): string {
    return join(this.folder, "state");
  }

  async start(options: Partial<DaemonOptions> = {}): Promise<Daemon> {
    this.running = await startDaemon({
      version: "0.0.0-test",
      socketPath: this.socketPath,
      stateFolder: this.stateFolder,
      cacheFolder: this.cacheFolder,
      configFolder: this.configFolder,
      clock: this.clock,
      log: this.log,
      requestTimeoutMs: 5_000,
      credentials: async () => {
        if (this.credentials.current instanceof Error) throw this.credentials.current;
        return this.credentials.current;
      },
      ...options,
    });
    return this.running;
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.running = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A reader's connection to the socket. */
  get client(): Client<Ipc> {
    this.#client ??= connectDaemon(this.socketPath);
    return this.#client;
  }

  status(): Promise<DaemonStatus> {
    return this.client.daemon.status({});
  }

  /** Brings {@link mirror} up to date, not held, and gives it. */
  async read(): Promise<MirrorState> {
    const { instance, revision } = this.mirror;
    const query = instance === undefined ? { since: revision } : { since: revision, instance };
    this.mirror = applyChanges(this.mirror, await this.client.daemon.changes({ query }));
    return this.mirror;
  }

  /** Names of the items of a list by key, as {@link mirror} had them when it was last read. */
  names(list: string): Record<string, string> {
    const items = [...(this.mirror.lists.get(list) ?? [])];
    return Object.fromEntries(items.map(([key, item]) => [key, nameOf(item)]));
  }

  /** Resolves once `condition` holds, letting the daemon's time run meanwhile, 100 ms a look. */
  async eventually(condition: () => boolean | Promise<boolean>, what?: string): Promise<void> {
    await until(async () => {
      if (await condition()) return true;
      await this.clock.advance(100);
      return false;
    }, what);
  }
}

const nameOf = (item: unknown): string =>
  typeof item === "object" && item !== null && "name" in item ? String(item.name) : "";
