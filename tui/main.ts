import { type Clock, systemClock } from "../src/lib/clock.ts";
import { version } from "../src/lib/version.ts";
import type { Command } from "./core/message.ts";
import type { Feed } from "./data/feed.ts";
import { Loop } from "./loop.ts";
import { capabilities, type TerminalEnvironment, type TerminalWishes } from "./term/caps.ts";
import { divertStreams } from "./term/divert.ts";
import { Decoder } from "./term/input.ts";
import { watchLifecycle } from "./term/lifecycle.ts";
import { copySequence } from "./term/modes.ts";
import { Terminal } from "./term/terminal.ts";
import { type ThemeName, themeOf } from "./view/theme.ts";

/** How the dashboard is started. */
export interface DashboardOptions extends TerminalWishes {
  /** Where the daemon listens. */
  readonly socketPath: string;
  readonly environment: TerminalEnvironment;
  readonly theme?: ThemeName;
  /** False leaves the mouse to the terminal, for selecting text. */
  readonly mouse?: boolean;
  /** Where stray output goes while the screen is up; dropped without one. */
  readonly logPath?: string;
  /** Ends the dashboard when it aborts, as a closed terminal does: whoever waited for it is gone. */
  readonly stop?: AbortSignal;
}

const refused = 1;

/**
 * Shows the dashboard on this process's terminal until a person quits; resolves to the exit code then. Signals and
 * crashes end the process by themselves, with the terminal restored. A terminal that cannot show it is refused in one line.
 */
export async function runDashboard(options: DashboardOptions): Promise<number> {
  const { stdin, stdout, stderr } = process;
  const clock: Clock = systemClock;
  const able = stdin.isTTY && stdout.isTTY ? capabilities(options.environment, options) : notATerminal;
  if (typeof able === "string") {
    stderr.write(`svc: ${able}\n`);
    return refused;
  }
  const diverted = divertStreams(process, options.logPath);
  const output = {
    write: diverted.write,
    get columns() {
      return stdout.columns;
    },
    get rows() {
      return stdout.rows;
    },
    get writableNeedDrain() {
      return stdout.writableNeedDrain;
    },
  };
  const terminal = new Terminal(output, {
    mouse: options.mouse ?? true,
    alternateScreen: able.alternateScreen,
  });
  let feed: Feed | null = null;
  const early: Command[] = [];
  return await new Promise<number>((resolve) => {
    const release = (): void => {
      terminal.close();
      try {
        stdin.setRawMode(false);
      } catch {
        // A terminal that has hung up has no modes to give back.
      }
    };
    const take = (): void => {
      stdin.setRawMode(true);
      terminal.open();
      loop.redraw();
    };
    const lifecycle = watchLifecycle({
      process,
      clock,
      take,
      release,
      explain: (error) => {
        diverted.restore();
        const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
        stderr.write(`svc: the dashboard stopped on an error of its own: ${why}\n`);
      },
    });
    const decoder = new Decoder(clock, (input) => loop.input(input));
    if (options.stop?.aborted === true) lifecycle.hangUp();
    options.stop?.addEventListener("abort", lifecycle.hangUp);
    const finish = (): void => {
      options.stop?.removeEventListener("abort", lifecycle.hangUp);
      feed?.stop();
      loop.stop();
      decoder.stop();
      release();
      stdin.pause();
      terminal.destroy();
      lifecycle.remove();
      diverted.restore();
      resolve(0);
    };
    const loop = new Loop({
      clock,
      terminal,
      theme: themeOf(options.theme ?? "dark", able.depth, able.ascii),
      start: { version, zoneMinutes: -new Date(clock.now()).getTimezoneOffset() },
      perform: (command) => {
        if (command.type === "quit") finish();
        else if (command.type === "suspend") lifecycle.suspend();
        else if (command.type === "copy") diverted.write(copySequence(command.text));
        else if (feed !== null) feed.perform(command);
        else early.push(command);
      },
    });
    stdin.setRawMode(true);
    stdin.on("data", (bytes: Buffer) => decoder.feed(bytes));
    stdin.on("end", lifecycle.hangUp);
    stdin.on("error", lifecycle.hangUp);
    stdout.on("error", lifecycle.hangUp);
    stdout.on("resize", () => loop.resized());
    stdout.on("drain", () => loop.drained());
    loop.start();
    void (async () => {
      // What the first frame does not need is loaded after it: the client first, then the charts.
      const { startFeed } = await import("./data/feed.ts");
      feed = startFeed({
        socketPath: options.socketPath,
        clock,
        dispatch: (message) => loop.dispatch(message),
      });
      for (const command of early.splice(0)) feed.perform(command);
      const { chartLayer } = await import("./term/charts.ts");
      terminal.useCharts(chartLayer);
      loop.redraw();
    })();
  });
}

const notATerminal = "the dashboard needs a terminal for input and output; use `svc status` for text";
