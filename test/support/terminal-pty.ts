import { existsSync } from "node:fs";
import { join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import { sleep, systemClock } from "../../src/lib/clock.ts";
import { packageDirectory } from "../../src/lib/version.ts";
import type { Size } from "../../tui/view/rect.ts";
import { type Emulator, emulator } from "./terminal-emulator.ts";

/** The built fixture program; the tests build first. */
export function builtProgram(): string {
  const file = join(packageDirectory, "dist", "test", "support", "terminal-program.js");
  if (!existsSync(file)) throw new Error(`${file} is not built: run npm run build`);
  return file;
}

/** A program on a real pseudo terminal with a real emulator before it. */
export interface PtySession {
  readonly pid: number;
  readonly emulator: Emulator;
  readonly bytes: () => string;
  send(text: string): void;
  resize(size: Size): void;
  kill(signal: string): void;
  /** Resolves when the condition holds on the grid; fails with the grid when it does not in good time. */
  until(what: string, condition: () => boolean, patienceMs?: number): Promise<void>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  dispose(): void;
}

const pollMs = 10;

/** Starts a program on a terminal of a size. */
export function onPty(
  file: string,
  args: readonly string[],
  options: {
    readonly size?: Size;
    readonly directory?: string;
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
): PtySession {
  const size = options.size ?? { cols: 80, rows: 24 };
  const { HOME = "/", PATH = "" } = process.env;
  const screen = emulator(size);
  const pty: IPty = spawn(file, [...args], {
    cols: size.cols,
    rows: size.rows,
    ...(options.directory === undefined ? {} : { cwd: options.directory }),
    name: options.environment?.["TERM"] ?? "xterm-256color",
    env: { HOME, PATH, TERM: "xterm-256color", LANG: "C.UTF-8", ...options.environment },
  });
  let written = "";
  let drained: Promise<void> = Promise.resolve();
  pty.onData((data) => {
    written += data;
    drained = screen.write(data);
  });
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      void drained.then(() => resolve(signal === undefined || signal === 0 ? exitCode : 128 + signal));
    });
  });
  return {
    pid: pty.pid,
    emulator: screen,
    bytes: () => written,
    send: (text) => pty.write(text),
    resize: (next) => {
      screen.resize(next);
      pty.resize(next.cols, next.rows);
    },
    kill: (signal) => process.kill(pty.pid, signal),
    until: async (what, condition, patienceMs = 20_000) => {
      const deadline = systemClock.now() + patienceMs;
      for (;;) {
        await drained;
        if (condition()) return;
        if (systemClock.now() > deadline)
          throw new Error(`waited in vain for ${what}; the terminal shows:\n${screen.text()}`);
        await sleep(systemClock, pollMs);
      }
    },
    ended,
    dispose: () => {
      try {
        pty.kill("SIGKILL");
      } catch {
        // It has ended by itself.
      }
      screen.dispose();
    },
  };
}
