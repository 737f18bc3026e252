import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readEnvironment } from "../../src/config/load.ts";
import { packageDirectory } from "../../src/lib/version.ts";
import { cloneTo } from "../support/clone.ts";
import { processesOf, untilNoneLeft } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { onPty } from "../support/terminal-pty.ts";
import { until } from "../support/until.ts";

/** The commands that the README shows for another terminal, as words. */
const readmeCommands = (): string[][] =>
  [...readFileSync(join(packageDirectory, "README.md"), "utf8").matchAll(/^\$ \.svc\/bin\/svc (.+)$/gm)].map(
    ([, line = ""]) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ""),
  );

/** The process of this clone's state that runs a command. */
function processIn(clone: string, command: string): number {
  const found = processesOf(join(clone, ".svc")).find((pid) =>
    execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).includes(` ${command} `),
  );
  if (found === undefined) throw new Error(`no process runs ${command}`);
  return found;
}

/** Installing from a cold cache and building take a minute on a slow day; the story itself takes seconds. */
const installMs = 300_000;

describe("a fresh clone with an empty home", () => {
  it("starts with one command, shows each change, survives its server and leaves nothing behind", {
    timeout: 600_000,
  }, async () => {
    const home = await temporaryDirectory();
    const clone = await cloneTo(join(await temporaryDirectory(), "svc"));
    const environment = { HOME: home };
    const open = () =>
      onPty("npm", ["start"], { directory: clone, environment, size: { cols: 120, rows: 36 } });
    const { PATH = "" } = readEnvironment();
    const elsewhere = (...argv: string[]): string =>
      execFileSync(join(clone, ".svc/bin/svc"), argv, {
        cwd: home,
        env: { HOME: home, PATH },
        encoding: "utf8",
        stdio: "pipe",
      });
    const answers = (...argv: string[]): boolean => {
      try {
        elsewhere(...argv);
        return true;
      } catch {
        return false;
      }
    };

    const first = open();
    onTestFinished(() => first.dispose());
    const screen = (): string => first.emulator.text();
    await first.until("the dashboard", () => screen().includes("Scale out the web tier"), installMs);
    expect(screen()).toContain("live");

    const [create = [], ...others] = readmeCommands();
    elsewhere(...create);
    await first.until("the new change set, marked", () => /Δ\s+add a cache/.test(screen()));
    for (const command of others) elsewhere(...command);
    await first.until("its difference from the head", () => /add a cache .*\+1/.test(screen()));

    process.kill(processIn(clone, "server start"), "SIGKILL");
    await first.until("the loss of the server", () => /offline .*retry in/.test(screen()));
    expect(screen()).toContain("add a cache");

    // The daemon sleeps while the server comes back by itself and moves on, so that there is something to catch up with.
    const daemon = processIn(clone, "daemon run");
    process.kill(daemon, "SIGSTOP");
    await until(() => answers("change-set", "list"), "the server's return");
    elsewhere("component", "create", "queue", "--schema", "Server", "--change-set", "add a cache");
    process.kill(daemon, "SIGCONT");
    await first.until("what changed meanwhile", () => /back after .* while away/.test(screen()), 60_000);
    await first.until("the change itself", () => /live/.test(screen()) && /add a cache .*\+2/.test(screen()));

    first.send("q");
    expect(await first.ended).toBe(0);
    await untilNoneLeft(join(clone, ".svc"));

    const second = open();
    onTestFinished(() => second.dispose());
    await second.until(
      "everything as it was",
      () => /add a cache .*\+2/.test(second.emulator.text()),
      60_000,
    );
    expect(second.bytes()).not.toContain("installing");
    second.send("q");
    expect(await second.ended).toBe(0);
    await untilNoneLeft(join(clone, ".svc"));
  });
});
