import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { programFile } from "../../src/cli/launch.ts";
import { processesOf, untilNoneLeft } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { onPty, type PtySession } from "../support/terminal-pty.ts";

/** A checkout with an interactive shell on a terminal, where people start and stop jobs. */
async function shell() {
  const home = await temporaryDirectory();
  const state = join(home, ".svc");
  const run = onPty("/bin/bash", ["--norc", "--noprofile", "-i"], {
    directory: home,
    size: { cols: 100, rows: 30 },
    environment: { HOME: home, PS1: "ready> " },
  });
  onTestFinished(() => {
    for (const pid of processesOf(state)) process.kill(pid, "SIGKILL");
    run.dispose();
  });
  await run.until("the prompt", () => run.emulator.text().includes("ready>"));
  return { home, state, run };
}
const quote = (text: string): string => `'${text}'`;
const up = `${quote(process.execPath)} ${quote(programFile)} up`;
const left = { alternate: false, mouse: "none", paste: false, focus: false };
const taken = { alternate: true, mouse: "drag", paste: true, focus: true };

/** The process below the state whose command line has this word. */
function processWith(word: string, state: string): number {
  // `up` itself has the caller's environment: it is the dashboard's parent.
  if (word === "up") return Number(statusOf(processWith("tui", state))[1]);
  const found = processesOf(state).find((pid) => words(pid).includes(word));
  if (found === undefined) throw new Error(`there is no process with ${word}`);
  return found;
}
const words = (pid: number): string[] => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
/** State and parent of a process. */
const statusOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\)\s/s, "")
    .split(" ");

const dashboard = async (run: PtySession): Promise<void> =>
  run.until(
    "the dashboard",
    () => run.emulator.modes().alternate && run.emulator.text().includes("Scale out the web tier"),
    60_000,
  );
const silent = (run: PtySession): boolean => /\sicanon\s/.test(run.emulator.text().replace(/\n/g, " "));

describe("svc up as a job of a shell", { timeout: 120_000 }, () => {
  it.each([
    ["alone", up],
    // As npm does: a parent in the same job, which stops the moment it is told to.
    ["below another process of the job", `sh -c ${quote(`${up.replaceAll("'", "")}; true`)}`],
  ])(
    "stops as a whole on ctrl-z, with the terminal as it was, and goes on with fg: %s",
    async (_how, line) => {
      const { state, run } = await shell();
      run.send(`${line}\r`);
      await dashboard(run);
      for (const round of [1, 2]) {
        const before = run.bytes().length;
        run.send("\x1a");
        await run.until("the shell to say Stopped", () => run.bytes().slice(before).includes("Stopped"));
        const told = run.bytes().slice(before);
        expect(told.indexOf("\x1b[?1049l")).toBeGreaterThanOrEqual(0);
        expect(told.indexOf("\x1b[?1049l")).toBeLessThan(told.indexOf("Stopped"));
        expect({ ...run.emulator.modes(), paste: false }).toEqual(left);
        for (const word of ["tui", "up"])
          await run.until(`${word} to stand still`, () => statusOf(processWith(word, state))[0] === "T");
        run.send("clear; stty -a\r");
        await run.until("the shell's own settings", () => silent(run));
        run.send("clear; fg\r");
        await dashboard(run);
        expect(run.emulator.modes()).toEqual(taken);
        for (const word of ["tui", "up"]) expect(statusOf(processWith(word, state))[0]).not.toBe("T");
        run.send(round === 1 ? "2" : "1");
        await run.until(
          "an answer to a key",
          () => run.emulator.text().includes("› change sets") === (round === 1),
        );
      }
      run.send("q");
      await run.until("the shell", () => !run.emulator.modes().alternate);
      await untilNoneLeft(state);
    },
  );

  it("continues the dashboard when only up itself is continued", async () => {
    const { state, run } = await shell();
    run.send(`${up}\r`);
    await dashboard(run);
    const tui = processWith("tui", state);
    process.kill(tui, "SIGSTOP");
    await run.until("it to stand still", () => statusOf(tui)[0] === "T");
    process.kill(processWith("up", state), "SIGCONT");
    await run.until("it to go on", () => statusOf(tui)[0] !== "T");
    run.send("2");
    await run.until("an answer to a key", () => run.emulator.text().includes("› change sets"));
    run.send("q");
    await untilNoneLeft(state);
  });
});

describe("svc up that is killed", { timeout: 120_000 }, () => {
  it.each([
    ["SIGQUIT", 131],
    ["SIGKILL", 137],
  ])("by %s leaves no process and a clean terminal", async (signal, code) => {
    const { state, run } = await shell();
    run.send(`${up}; echo "code=$?"\r`);
    await dashboard(run);
    process.kill(processWith("up", state), signal);
    await run.until("the shell's report", () => run.bytes().includes(`code=${code}`));
    await untilNoneLeft(state);
    await run.until("the end of the dashboard", () => !run.emulator.modes().alternate);
    expect({ ...run.emulator.modes(), paste: false }).toEqual(left);
    run.send("clear; stty -a\r");
    await run.until("the shell's own settings", () => silent(run));
  });

  it("only in its dashboard puts the terminal back and says so", async () => {
    const { state, run } = await shell();
    run.send(`stty -ixany; ${up}; echo "code=$?"; stty -a\r`);
    await dashboard(run);
    process.kill(processWith("tui", state), "SIGKILL");
    await run.until("the shell's report", () => run.bytes().includes("code=1"));
    expect({ ...run.emulator.modes(), paste: false }).toEqual(left);
    await run.until("the terminal's own settings", () => silent(run));
    expect(run.emulator.text()).toContain("the dashboard ended with SIGKILL");
    expect(run.emulator.text().replace(/\n/g, " ")).toMatch(/\secho\s/);
    await untilNoneLeft(state);
  });
});
