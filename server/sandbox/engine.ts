import { type ChildProcess, fork } from "node:child_process";
import { dirname, join } from "node:path";
import type { Cancel, Clock } from "../../src/lib/clock.ts";
import { packageDirectory } from "../../src/lib/version.ts";
import type { ChildEnd, ConsoleCall, Order, ParentAsk, ToChild } from "./messages.ts";
import { readFromChild } from "./messages.ts";

/** What the build makes for children: their program, the engine, its libraries. They can read nothing else. */
const childDirectory = join(packageDirectory, "dist", "sandbox");

/** Megabytes of V8's heap in a child; the engine's memory is not part of it. */
const heapMegabytes = 128;
/** Runs after which a child is replaced, whatever its state. */
const runsPerChild = 10_000;
/** How far past its limits a run may go before its child is killed: the child ends it by itself, usually. */
const graceMs = 1000;
/** Computing as the parent sees it goes on while the child has to wait for a processor. */
const busyFactor = 4;

/** How a run ended, as the parent knows it. */
export type EngineEnd = ChildEnd | { readonly how: "killed" | "hung" | "lost" };

/** Who listens while a run goes on. */
export interface Listener {
  log(calls: readonly ConsoleCall[]): void;
  /** Answers with JSON of `{value}` or `{error}`. */
  ask(kind: ParentAsk, text: string): Promise<string>;
  /** The run waits for something, or computes again. */
  waits(waits: boolean): void;
  ended(end: EngineEnd, cpuMs: number): void;
}

/** A child process, running one function at a time. */
export interface Engine {
  /** Begins a run; `listener.ended` is called exactly once, after everything else. */
  run(order: Order, listener: Listener): void;
  /** Ends the run and the child, whatever it does. */
  kill(): void;
  /** Whether it can take another run. */
  readonly alive: () => boolean;
  /** Whether it has run so much that another should take its place. */
  readonly isWorn: () => boolean;
  /** Whether it has come up. */
  readonly isReady: () => boolean;
  /** Resolves when it has come up, or has gone before. */
  readonly up: Promise<void>;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  readonly processId: number | undefined;
}

interface Running {
  readonly order: Order;
  readonly listener: Listener;
  readonly wall: Cancel;
  busy: Cancel;
}

/** Starts a child; it takes runs at once and begins them when it is ready. */
export function startEngine(clock: Clock): Engine {
  const child = forked();
  let alive = true;
  let isReady = false;
  let runs = 0;
  let running: Running | undefined;
  let comeUp = (): void => {};
  const up = new Promise<void>((resolve) => {
    comeUp = resolve;
  });

  const finish = (end: EngineEnd, cpuMs: number): void => {
    const ended = running;
    running = undefined;
    ended?.wall();
    ended?.busy();
    ended?.listener.ended(end, cpuMs);
  };
  const kill = (end: EngineEnd): void => {
    alive = false;
    child.kill("SIGKILL");
    finish(end, 0);
  };
  const watchBusy = (order: Order): Cancel =>
    clock.after(order.limits.cpuMs * busyFactor + graceMs, () => kill({ how: "hung" }));
  const say = (message: ToChild): void => {
    if (alive && child.connected) child.send(message, (error) => error !== null && kill({ how: "lost" }));
  };

  child.on("message", (raw) => {
    const message = readFromChild(raw);
    if (message === undefined) return kill({ how: "lost" });
    if (message.type === "ready") {
      isReady = true;
      comeUp();
      return;
    }
    if (running === undefined || message.run !== running.order.run) return;
    const { listener, order } = running;
    if (message.type === "log") listener.log(message.calls);
    else if (message.type === "waits") {
      running.busy();
      if (!message.waits) running.busy = watchBusy(order);
      listener.waits(message.waits);
    } else if (message.type === "ask") {
      const { run, ask } = message;
      void listener
        .ask(message.kind, message.text)
        .catch(() => JSON.stringify({ error: "the server could not do that" }))
        .then((text) => say({ type: "answer", run, ask, text }));
    } else finish(message.end, message.cpuMs);
  });
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => {
      alive = false;
      finish({ how: "lost" }, 0);
      comeUp();
      resolve();
    });
  });
  child.on("error", () => kill({ how: "lost" }));

  return {
    alive: () => alive,
    isWorn: () => runs >= runsPerChild,
    isReady: () => isReady,
    up,
    gone,
    processId: child.pid,
    kill: () => kill({ how: "killed" }),
    run: (order, listener) => {
      runs++;
      const wall = clock.after(order.limits.wallMs + graceMs, () => kill({ how: "hung" }));
      running = { order, listener, wall, busy: watchBusy(order) };
      say(order);
    },
  };
}

function forked(): ChildProcess {
  const permission = process.allowedNodeEnvironmentFlags.has("--permission")
    ? "--permission"
    : "--experimental-permission";
  return fork(join(childDirectory, "child.mjs"), [], {
    cwd: dirname(childDirectory),
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: [
      permission,
      `--allow-fs-read=${join(childDirectory, "*")}`,
      "--no-warnings",
      "--disallow-code-generation-from-strings",
      `--max-old-space-size=${heapMegabytes}`,
      // Kilobytes; the engine's own stack limit comes first.
      "--stack-size=2000",
    ],
  });
}
