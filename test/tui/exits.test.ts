import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtProgram, onPty, type PtySession } from "../support/terminal-pty.ts";

let folder = "";
let session: PtySession | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-tui-"));
});
afterEach(() => {
  session?.dispose();
  session = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const quote = (text: string): string => `'${text}'`;
const command = (): string =>
  [process.execPath, builtProgram(), join(folder, "s.sock"), join(folder, "log")].map(quote).join(" ");

/** Starts the dashboard from a shell that afterwards says how it ended and how the terminal was left. */
async function start(environment: Readonly<Record<string, string>> = {}): Promise<PtySession> {
  const script = `echo before; ${command()}; code=$?; stty -a | tr ';\\n' '  '; echo; echo "code=$code"`;
  const started = onPty("/bin/bash", ["-c", script], { environment });
  session = started;
  await started.until("the first screen", () => started.emulator.text().includes("add-redis-cache"));
  return started;
}

const childOf = (): number => Number(readFileSync(join(folder, "s.sock.pid"), "utf8"));

const left = { alternate: false, mouse: "none", paste: false, focus: false };
const logged = (): string =>
  existsSync(join(folder, "log")) ? readFileSync(join(folder, "log"), "utf8") : "";

/** What must be true of the terminal once the dashboard has left it. */
async function expectLeftAlone(run: PtySession, code: number): Promise<void> {
  await run.until("the shell's report", () => run.bytes().includes("code="));
  await run.ended;
  expect(run.emulator.modes()).toEqual(left);
  const text = run.emulator.text();
  expect(text).toContain(`code=${code}`);
  expect(text).toContain("before");
  expect(text).not.toContain("add-redis-cache");
  expect(text.replace(/\n/g, "")).toMatch(/(^|\s)echo\s/);
  expect(text.replace(/\n/g, "")).toMatch(/(^|\s)icanon\s/);
  expect(run.bytes().lastIndexOf("\x1b[?25h")).toBeGreaterThan(run.bytes().lastIndexOf("\x1b[?25l"));
}

describe("however the dashboard ends, the terminal is as it was", () => {
  it("after q, with exit code 0", async () => {
    const run = await start();
    expect(run.emulator.modes()).toEqual({ alternate: true, mouse: "drag", paste: true, focus: true });
    run.send("q");
    await expectLeftAlone(run, 0);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
    ["SIGQUIT", 131],
  ])("after %s, with exit code %i", async (signal, code) => {
    const run = await start();
    process.kill(childOf(), signal);
    await expectLeftAlone(run, code);
  });

  it("after a crash, with exit code 70 and the reason", async () => {
    const run = await start();
    process.kill(childOf(), "SIGUSR2");
    await expectLeftAlone(run, 70);
    expect(run.bytes()).toContain("scripted crash");
  });

  it("after ctrl-c typed into it", async () => {
    const run = await start();
    run.send("\x03");
    await expectLeftAlone(run, 0);
  });
});

describe("a suspended dashboard", () => {
  it.each(["ctrl-z", "SIGTSTP"])("gives the terminal back on %s and takes it again on fg", async (how) => {
    const run = onPty("/bin/bash", ["--norc", "--noprofile", "-i"], { environment: { PS1: "ready> " } });
    session = run;
    await run.until("the prompt", () => run.emulator.text().includes("ready>"));
    run.send(`${command()}\r`);
    await run.until("the dashboard", () => run.emulator.text().includes("add-redis-cache"));
    if (how === "ctrl-z") run.send("\x1a");
    else process.kill(childOf(), "SIGTSTP");
    await run.until("the shell to say Stopped", () => run.emulator.text().includes("Stopped"));
    // The shell itself asks for bracketed paste at its prompt.
    expect({ ...run.emulator.modes(), paste: false }).toEqual(left);
    run.send("stty -a\r");
    await run.until("the shell's echo", () => /\sicanon\s/.test(run.emulator.text()));
    run.send("clear; fg\r");
    await run.until(
      "the dashboard again",
      () => run.emulator.modes().alternate && run.emulator.text().includes("add-redis-cache"),
    );
    expect(run.emulator.modes()).toEqual({ alternate: true, mouse: "drag", paste: true, focus: true });
    run.send("2");
    await run.until("an answer to a key", () => run.emulator.text().includes("svc › change sets"));
    run.send("q");
    await run.until("the shell", () => !run.emulator.modes().alternate);
    run.send("exit\r");
    expect(await run.ended).toBe(0);
  });
});

describe("a dashboard on a real terminal", () => {
  it("keeps stray output off the screen and puts it into the log", async () => {
    const run = await start();
    process.kill(childOf(), "SIGUSR1");
    await run.until("the log", () => logged().includes("STRAY WARNING"));
    run.send("2");
    await run.until("another frame", () => run.emulator.text().includes("svc › change sets"));
    expect(run.emulator.text()).not.toContain("STRAY");
    run.send("q");
    await expectLeftAlone(run, 0);
    expect(run.bytes()).not.toContain("STRAY");
  });

  it("follows the window's size and keeps the selection", async () => {
    const run = await start();
    run.send("2jj");
    await run.until("the third change set", () => /▸ +eks-131-upgrade/.test(run.emulator.text()));
    run.resize({ cols: 120, rows: 36 });
    await run.until(
      "the larger layout",
      () => run.emulator.text().includes("3 Components") && /▸ +eks-131-upgrade/.test(run.emulator.text()),
    );
    run.resize({ cols: 40, rows: 8 });
    await run.until("the word on the size", () => run.emulator.text().includes("lists need 60x12"));
    run.resize({ cols: 80, rows: 24 });
    await run.until("the list again", () => /▸ +eks-131-upgrade/.test(run.emulator.text()));
  });

  it("opens a component and shows what it reads through the daemon", async () => {
    const run = await start();
    run.send("2j\r\r");
    await run.until(
      "the component",
      () => run.emulator.text().includes("Diff") && run.emulator.text().includes("Attributes"),
    );
    run.send("a");
    await run.until("its attributes", () => run.emulator.text().includes("cache.r7g.large"));
  });

  it("refuses a terminal that cannot show it, in one line with the way out", async () => {
    const run = onPty(process.execPath, [builtProgram(), join(folder, "s.sock")], {
      environment: { TERM: "dumb" },
    });
    session = run;
    expect(await run.ended).toBe(1);
    expect(run.bytes()).toMatch(/TERM=dumb.*svc status/);
    expect(run.bytes()).not.toContain("\x1b[?1049h");
  });
});
