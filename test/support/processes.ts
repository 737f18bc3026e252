import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** The processes that were started on the state below a directory, wherever their parents are by now. */
export function processesOf(directory: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`XDG_STATE_HOME=${directory}/`);
      } catch {
        // It has ended meanwhile, or belongs to somebody else.
        return false;
      }
    });
}

/** Resolves once no such process is left; fails after 20 s. Looks 20 times a second, since a look reads all of /proc. */
export async function untilNoneLeft(directory: string): Promise<void> {
  for (let look = 0; processesOf(directory).length > 0; look++) {
    if (look === 400) throw new Error(`still running after 20 s: ${processesOf(directory).join(", ")}`);
    await pause(50);
  }
}
