import { spawn } from "node:child_process";
import { type Environment, variable } from "../config/load.ts";

/** A program and its first arguments. */
type Opener = readonly [program: string, ...args: string[]];

/**
 * Starts the system's opener, or what `BROWSER` names, on an address. It runs on its own: nobody waits for it, and it
 * holds neither the terminal nor this process. Resolves with the reason once it is known that no browser opens; while
 * one may, it does not resolve. Never rejects.
 */
export function openBrowser(url: string, environment: Environment): Promise<string> {
  const openers = openersOf(url, environment);
  return typeof openers === "string" ? Promise.resolve(openers) : tryEach(openers, environment);
}

async function tryEach(openers: readonly Opener[], environment: Environment): Promise<string> {
  let reason = "no program for it is known";
  for (const opener of openers) reason = await failureOf(opener, environment);
  return reason;
}

/** Resolves when the program could not be started or says that it has failed, and only then. */
function failureOf([program, ...args]: Opener, environment: Environment): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: environment, detached: true, stdio: "ignore" });
    child.once("error", (error) =>
      resolve("code" in error && error.code === "ENOENT" ? `there is no ${program} here` : error.message),
    );
    child.once("exit", (status, signal) => {
      if (status !== 0) resolve(`${program} ended with ${signal ?? status}`);
    });
    child.unref();
  });
}

/** What to try, first one first; or why there is nothing to try. */
function openersOf(url: string, environment: Environment): readonly Opener[] | string {
  const named = variable(environment, "BROWSER");
  if (named !== undefined) return namedOpeners(named, url);
  switch (process.platform) {
    case "darwin":
      return [["open", url]];
    case "win32":
      // What `start` does, without a shell that would read the address's ampersands.
      return [["rundll32", "url.dll,FileProtocolHandler", url]];
    default:
      // Without a display the opener would look for a browser of the terminal, which this terminal is not free for.
      return ["DISPLAY", "WAYLAND_DISPLAY"].some((name) => (environment[name] ?? "") !== "")
        ? [["xdg-open", url]]
        : "there is no display";
  }
}

/** `BROWSER` as other programs read it: commands with colons between them, `%s` for the address, which else comes last. */
const namedOpeners = (named: string, url: string): Opener[] =>
  named.split(":").flatMap((command): Opener[] => {
    const [program, ...words] = command.split(/\s+/).filter((word) => word !== "");
    if (program === undefined) return [];
    const args = words.map((word) => word.replaceAll("%s", url));
    return [[program, ...args, ...(command.includes("%s") ? [] : [url])]];
  });
