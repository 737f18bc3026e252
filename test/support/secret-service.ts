import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Environment, readEnvironment } from "../../src/config/load.ts";
import { temporaryDirectory } from "./temporary.ts";

const { PATH = "" } = readEnvironment();

const pathOf = (name: string): string | undefined =>
  PATH.split(":")
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
const bus = pathOf("dbus-run-session");

/** Why keytar cannot be tried here; undefined when it can. */
export const keytarMissing = ((): string | undefined => {
  try {
    createRequire(import.meta.url)("keytar");
    return undefined;
  } catch {
    return "keytar is not installed";
  }
})();

/** Why a Secret Service of a test's own cannot be tried here; undefined when it can. */
export const secretServiceMissing: string | undefined =
  keytarMissing ??
  ["dbus-run-session", "gnome-keyring-daemon"]
    .filter((name) => pathOf(name) === undefined)
    .map((name) => `${name} is not installed`)[0];

/**
 * A session bus with a keyring of the test's own; gives what a process needs to find it. A locked one has a keyring with
 * a password that nobody enters.
 */
export async function secretService(keyring: "unlocked" | "locked"): Promise<Environment> {
  const home = await temporaryDirectory();
  const runtime = join(home, "run");
  await mkdir(runtime, { mode: 0o700 });
  const start = "gnome-keyring-daemon --components=secrets";
  const ready = { unlocked: `printf pw | ${start} --unlock`, locked: `${start} --start` }[keyring];
  const script = `${ready} >/dev/null 2>&1; echo "$DBUS_SESSION_BUS_ADDRESS"; exec cat`;
  const session = spawn(bus ?? "", ["--", "sh", "-c", script], {
    env: { PATH, HOME: home, XDG_RUNTIME_DIR: runtime },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => session.once("close", resolve));
  onTestFinished(async () => {
    session.stdin.end();
    await ended;
  });
  const address = await new Promise<string>((resolve, reject) => {
    session.stdout.once("data", (data: Buffer) => resolve(data.toString().trim()));
    void ended.then(() => reject(new Error("the bus ended before it was ready")));
  });
  return { PATH, DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtime };
}

/** A bus that accepts and never answers. */
export async function hungBus(): Promise<Environment> {
  const socket = join(await temporaryDirectory(), "bus");
  const hung = createServer(() => undefined).listen(socket);
  onTestFinished(() => void hung.close());
  return { PATH, DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` };
}
