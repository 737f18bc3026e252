import { execFileSync } from "node:child_process";
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { packageDirectory } from "../../src/lib/version.ts";

/** Copies to `directory` what a fresh clone would hold: every file that git knows or would take. Gives the directory. */
export async function cloneTo(directory: string): Promise<string> {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: packageDirectory,
  });
  for (const file of listed
    .toString()
    .split("\0")
    .filter((name) => name !== "")) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await cp(join(packageDirectory, file), join(directory, file));
  }
  return directory;
}
