import { mkdirSync, statSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Directories that are made are their owner's alone. */
const mode = 0o700;

/**
 * Makes a directory (0700) and those above it unless they are there; throws the system's error where one cannot be made.
 * The recursive way of Node.js never ends where a directory takes none below it, as /proc does.
 */
export async function makeDirectory(path: string): Promise<void> {
  const absolute = resolve(path);
  try {
    await mkdir(absolute, { mode });
  } catch (error) {
    if (await isDirectory(absolute)) return;
    const parent = dirname(absolute);
    if (!isMissing(error) || (await isDirectory(parent))) throw error;
    await makeDirectory(parent);
    await makeDirectory(absolute);
  }
}

/** {@link makeDirectory}, done when it returns. */
export function makeDirectorySync(path: string): void {
  const absolute = resolve(path);
  try {
    mkdirSync(absolute, { mode });
  } catch (error) {
    if (isDirectorySync(absolute)) return;
    const parent = dirname(absolute);
    if (!isMissing(error) || isDirectorySync(parent)) throw error;
    makeDirectorySync(parent);
    makeDirectorySync(absolute);
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const isDirectorySync = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
