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
  const make = async (otherwise: (error: unknown) => Promise<void>): Promise<void> => {
    try {
      await mkdir(absolute, { mode });
    } catch (error) {
      if (!(await isDirectory(absolute))) await otherwise(error);
    }
  };
  await make(async (error) => {
    if (!isMissing(error)) throw error;
    const parent = dirname(absolute);
    if (!(await isDirectory(parent))) await makeDirectory(parent);
    // The one above was made here, or by somebody else since it was missed, or it takes none.
    await make((again) => Promise.reject(again));
  });
}

/** {@link makeDirectory}, done when it returns. */
export function makeDirectorySync(path: string): void {
  const absolute = resolve(path);
  const make = (otherwise: (error: unknown) => void): void => {
    try {
      mkdirSync(absolute, { mode });
    } catch (error) {
      if (!isDirectorySync(absolute)) otherwise(error);
    }
  };
  make((error) => {
    if (!isMissing(error)) throw error;
    const parent = dirname(absolute);
    if (!isDirectorySync(parent)) makeDirectorySync(parent);
    make((again) => {
      throw again;
    });
  });
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
