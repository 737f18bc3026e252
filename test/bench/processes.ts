import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A helper process and the first line it printed, as JSON. */
export interface Started {
  readonly child: ChildProcess;
  readonly says: Readonly<Record<string, string>>;
}

/** Starts a program of this folder and waits for its first line. */
export async function start(program: string, ...args: readonly string[]): Promise<Started> {
  const file = fileURLToPath(new URL(`./${program}`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    return { child, says: JSON.parse(line) as Record<string, string> };
  }
  throw new Error(`${program} ended without a word`);
}

/** Ends a helper process and waits until it is gone. */
export async function end({ child }: Started): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await gone;
}
