import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { programFile } from "../../src/cli/launch.ts";
import { readEnvironment } from "../../src/config/load.ts";

/** A process of the built command line, with what it has printed so far. */
export interface BuiltRun {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when standard output holds the text; fails when the process ends without it. */
  says(text: string | RegExp): Promise<void>;
  /** The same for standard error. */
  warns(text: string | RegExp): Promise<void>;
  /** Resolves with the status, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** How the process is started. */
export interface BuiltOptions {
  readonly home: string;
  readonly cwd?: string;
  readonly input?: string;
  /** Number of the user and group it runs as; only root may name another. */
  readonly user?: number;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What is run instead of the command line itself: a program and its first arguments. */
  readonly through?: readonly [string, ...string[]];
}

/** Runs the built command line as people do: a process of its own, an empty environment, a home of its own. */
export function svc(argv: readonly string[], options: BuiltOptions): BuiltRun {
  const { PATH } = readEnvironment();
  const [file, ...first] = options.through ?? [process.execPath, programFile];
  const child = spawn(file, [...first, ...argv], {
    cwd: options.cwd ?? options.home,
    env: { PATH, HOME: options.home, ...options.environment },
    stdio: ["pipe", "pipe", "pipe"],
    ...(options.user === undefined ? {} : { uid: options.user, gid: options.user }),
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    err += data.toString();
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  let over: number | NodeJS.Signals | undefined;
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      over = signal ?? code ?? 0;
      resolve(over);
    });
  });
  onTestFinished(async () => {
    if (over !== undefined) return;
    child.kill("SIGTERM");
    await ended;
  });
  const has = (text: string | RegExp, said: string): boolean =>
    typeof text === "string" ? said.includes(text) : text.test(said);
  /** Looks at every piece of output, which costs nothing while the process works. */
  const wait = (text: string | RegExp, said: () => string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (has(text, said())) resolve();
        else if (over !== undefined)
          reject(new Error(`ended with ${over} before saying ${String(text)}: ${out}${err}`));
      };
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      child.once("close", look);
      look();
    });
  return {
    child,
    out: () => out,
    err: () => err,
    ended,
    says: (text) => wait(text, () => out),
    warns: (text) => wait(text, () => err),
  };
}
