import { readFileSync } from "node:fs";
import { join } from "node:path";
import { spawn as spawnPty } from "@lydell/node-pty";
import { describe, expect, it, onTestFinished } from "vitest";
import { programFile } from "../../src/cli/launch.ts";
import { readEnvironment } from "../../src/config/load.ts";
import { person, serverWithAda } from "../support/cli.ts";
import { processesOf, untilNoneLeft } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { emulator } from "../support/terminal-emulator.ts";

/** The built command line on a real terminal, and what a person sees there. */
function onTerminal(
  argv: readonly string[],
  home: string,
  environment: Readonly<Record<string, string>> = {},
) {
  const size = { cols: 100, rows: 30 };
  const screen = emulator(size);
  const { PATH = "" } = readEnvironment();
  const process = spawnPty(globalThis.process.execPath, [programFile, ...argv], {
    ...size,
    cwd: home,
    env: { PATH, HOME: home, TERM: "xterm-256color", LANG: "C.UTF-8", ...environment },
  });
  let bytes = "";
  let looks: (() => void)[] = [];
  const look = (): void => {
    for (const each of looks) each();
  };
  process.onData((data) => {
    bytes += data;
    void screen.write(data).then(look);
  });
  let status: number | undefined;
  const ended = new Promise<number>((resolve) => {
    process.onExit(({ exitCode }) => {
      status = exitCode;
      resolve(exitCode);
      look();
    });
  });
  onTestFinished(async () => {
    if (status === undefined) process.kill("SIGTERM");
    await ended;
    screen.dispose();
  });
  /** Looks at the screen whenever something was drawn on it. */
  const sees = (text: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const see = (): void => {
        if (text.test(screen.text())) resolve();
        else if (status !== undefined) reject(new Error(`ended with ${status}, showing ${screen.text()}`));
        else return;
        looks = looks.filter((each) => each !== see);
      };
      looks.push(see);
      see();
    });
  return {
    screen,
    bytes: () => bytes,
    type: (text: string) => process.write(text),
    hangUp: () => process.kill("SIGHUP"),
    sees,
    ended,
  };
}

describe("a password on a real terminal", { timeout: 60_000 }, () => {
  it("is not echoed, and the terminal echoes again afterwards", async () => {
    const server = await serverWithAda();
    const ada = await person();
    const login = onTerminal(["auth", "login", "--username", "ada", "--server", server.url], ada.home);
    await login.sees(/Password:/);
    login.type(`${server.password}\r`);
    expect(await login.ended).toBe(0);
    expect(login.bytes()).toContain("logged in");
    expect(login.bytes()).not.toContain(server.password);
    expect(JSON.parse(readFileSync(ada.file("auth.json"), "utf8"))).toMatchObject({ username: "ada" });
  });

  it("asked for twice is still cancelled by one Ctrl-C", async () => {
    const ada = await person();
    const login = onTerminal(["auth", "login", "--no-browser"], ada.home);
    await login.sees(/Username or email:/);
    login.type("ada\r");
    await login.sees(/Password:/);
    login.type("\u0003");
    expect(await login.ended).toBe(130);
  });
});

describe("svc up on a real terminal", { timeout: 120_000 }, () => {
  it.each([
    ["q", "q"],
    ["Ctrl-C", "\u0003"],
  ])("shows the dashboard; %s leaves a clean terminal and no process behind", async (_name, key) => {
    const home = await temporaryDirectory();
    const state = join(home, ".svc");
    const up = onTerminal(["up"], home);
    await up.sees(/Scale out the web tier/);
    expect(up.screen.modes().alternate).toBe(true);
    up.type(key);
    expect(await up.ended).toBe(0);
    expect(up.screen.modes()).toMatchObject({ alternate: false, paste: false, focus: false, mouse: "none" });
    expect(up.screen.text()).toContain("in another terminal: .svc/bin/svc");
    expect(processesOf(state)).toEqual([]);
  });

  it("ends everything when the terminal is closed", async () => {
    const home = await temporaryDirectory();
    const state = join(home, ".svc");
    const up = onTerminal(["up"], home);
    await up.sees(/Scale out the web tier/);
    up.hangUp();
    await up.ended;
    await untilNoneLeft(state);
  });
});
