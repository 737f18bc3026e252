import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sleep, systemClock } from "../../src/lib/clock.ts";
import { width } from "../../tui/view/width.ts";
import { builtProgram } from "../support/terminal-pty.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const patienceMs = 20_000;
const pollMs = 30;

let folder = "";
const tmux = (...args: readonly string[]): string =>
  execFileSync("tmux", ["-f", "/dev/null", "-S", join(folder, "t.sock"), ...args], { encoding: "utf8" });
const shown = (...flags: readonly string[]): string => tmux("capture-pane", "-p", ...flags, "-t", "one");
const flag = (name: string): string => tmux("display-message", "-p", "-t", "one", `#{${name}}`).trim();

async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = systemClock.now() + patienceMs;
  while (!condition()) {
    if (systemClock.now() > deadline) throw new Error(`waited in vain for ${what}; tmux shows:\n${shown()}`);
    await sleep(systemClock, pollMs);
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-tmux-"));
});
afterEach(() => {
  spawnSync("tmux", ["-S", join(folder, "t.sock"), "kill-server"]);
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!hasTmux)("in tmux", () => {
  it.each(["xterm-256color", "tmux-256color", "screen", "linux"])(
    "with TERM=%s it shows borders and colours, answers keys, and leaves the pane as it was",
    async (term) => {
      const program = [process.execPath, builtProgram(), join(folder, "s.sock"), join(folder, "log")].map(
        (part) => `'${part}'`,
      );
      tmux(
        "new-session",
        "-d",
        "-s",
        "one",
        "-x",
        "120",
        "-y",
        "36",
        "env",
        "LANG=C.UTF-8",
        "PS1=ready> ",
        "bash",
        "--norc",
        "--noprofile",
        "-i",
      );
      await until("the prompt", () => shown().includes("ready>"));
      tmux("send-keys", "-t", "one", `TERM=${term} LANG=C.UTF-8 ${program.join(" ")}`, "Enter");
      await until("the dashboard", () => shown().includes("add-redis-cache"));
      const border = term === "linux" ? /\+-+ Change sets/ : /┌─ Change sets/;
      const screen = shown();
      expect(screen).toMatch(border);
      expect(screen).not.toMatch(/l?qqq/);
      expect(screen).not.toContain("Error on");
      const colours = shown("-e");
      if (term.endsWith("256color")) expect(colours).toContain("38;5;");
      else expect(colours).toMatch(/\[(?:\d+;)*(?:3[1-7]|9[0-7])m/);
      expect([flag("alternate_on"), flag("mouse_sgr_flag")]).toEqual(["1", "1"]);
      const bordered = screen.split("\n").filter((line) => /^[│|].*[│|]$/.test(line));
      expect(bordered.length).toBeGreaterThan(20);
      for (const line of bordered) expect(width(line)).toBe(120);
      tmux("send-keys", "-t", "one", "2", "/", "eks");
      await until("the filter", () => shown().includes("1/4"));
      tmux("send-keys", "-t", "one", "Enter");
      tmux("send-keys", "-t", "one", "q");
      await until("the shell", () => flag("alternate_on") === "0");
      expect([flag("alternate_on"), flag("mouse_any_flag"), flag("cursor_flag")]).toEqual(["0", "0", "1"]);
      await until("the prompt", () => shown().includes("ready>"));
      tmux("send-keys", "-t", "one", "echo typed-$((20+22))", "Enter");
      await until("the echo", () => shown().includes("typed-42"));
      expect(shown()).not.toContain("Change sets");
    },
    60_000,
  );
});
