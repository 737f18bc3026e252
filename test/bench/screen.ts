import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { programFile } from "../../src/cli/launch.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { Loop } from "../../tui/loop.ts";
import { Terminal } from "../../tui/term/terminal.ts";
import { themeOf } from "../../tui/view/theme.ts";
import { type WorldOptions, worldAnswer, worldNow } from "../support/tui-world.ts";
import { type Ratio, sideBySide, timed } from "./measure.ts";

const size = { cols: 200, rows: 50 };
const frames = 50;

/** Milliseconds of one frame after a step down what the keys open, on a terminal that takes every byte. */
function frameTimer(world: WorldOptions, keys: string): () => Promise<number> {
  const output = { columns: size.cols, rows: size.rows, write: () => true };
  const loop = new Loop({
    clock: { ...systemClock, now: () => worldNow, after: () => () => {} },
    terminal: new Terminal(output, { mouse: false, alternateScreen: true }),
    theme: themeOf("dark", "256", false),
    start: { version: "0.0.0", zoneMinutes: 0 },
    perform: () => {},
  });
  loop.start();
  loop.dispatch({ type: "answer", now: worldNow, answer: worldAnswer(world) });
  for (const key of keys) loop.dispatch({ type: "key", key, text: key });
  loop.paint();
  return async () => {
    const ms = await timed(() => {
      for (let frame = 0; frame < frames; frame++) {
        loop.dispatch({ type: "key", key: "j", text: "j" });
        loop.paint();
      }
    });
    return ms / frames;
  };
}

export const benchFrames = async (): Promise<Ratio[]> => [
  await sideBySide({
    name: "frame at 100,000 rows against 1,000, 200x50",
    unit: "ms",
    wanted: "<= 1.5",
    rounds: 5,
    ours: frameTimer({ components: 100_000 }, "3"),
    bare: frameTimer({ components: 1_000 }, "3"),
  }),
  await sideBySide({
    name: "review frame at 30,000 changed components against 300, 200x50",
    unit: "ms",
    wanted: "<= 1.5",
    rounds: 5,
    ours: frameTimer({ components: 30_000, differing: 30_000 }, "2jd"),
    bare: frameTimer({ components: 300, differing: 300 }, "2jd"),
  }),
];

/**
 * From spawning the dashboard in a terminal to the first frame on it, with a daemon that runs already, against node
 * starting and doing nothing.
 */
export async function benchSpawn(directory: string): Promise<Ratio[]> {
  const environment = {
    PATH: process.execPath.replace(/\/[^/]*$/, ""),
    HOME: directory,
    XDG_RUNTIME_DIR: join(directory, "run"),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
  };
  const run = (args: string[], done: (output: string) => boolean): Promise<number> =>
    timed(
      () =>
        new Promise<void>((resolve) => {
          const pty = spawn(process.execPath, args, { cols: 120, rows: 36, env: environment });
          let output = "";
          let seen = false;
          pty.onData((data) => {
            output += data;
            if (seen || !done(output)) return;
            seen = true;
            resolve();
            pty.write("q");
          });
          pty.onExit(() => resolve());
        }),
    );
  const daemon = (verb: string): unknown =>
    execFileSync(process.execPath, [programFile, "daemon", verb], { env: environment, stdio: "ignore" });
  daemon("start");
  try {
    return [await compare(run)];
  } finally {
    daemon("stop");
  }
}

const compare = (
  run: (args: string[], done: (output: string) => boolean) => Promise<number>,
): Promise<Ratio> =>
  sideBySide({
    name: "spawn to first frame against a bare node start",
    unit: "ms",
    wanted: "<= 5",
    rounds: 5,
    ours: () =>
      run([programFile, "tui"], (output) => output.includes("\u001b[?1049h") && output.includes("┌")),
    bare: () => run(["-e", "0"], () => false),
  });
