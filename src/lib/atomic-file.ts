import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeDirectory } from "./make-directory.ts";

/** How a file is written. */
interface WriteOptions {
  /** Permission bits of the file. Default 0600: readable by its owner only. */
  readonly mode?: number;
}

/**
 * Replaces a file as one step that survives a crash: readers see the whole old or the whole new text, and the mode is
 * right from the first byte on. Missing directories are made with 0700. On failure the old file stands untouched, and
 * nothing is left beside it.
 */
export async function writeFileAtomic(
  path: string,
  text: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const folder = dirname(path);
  await makeDirectory(folder);
  // In the same directory, because a rename is atomic only within one file system.
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeSynced(temporary, text, options.mode ?? 0o600);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** The text of a file, or undefined when there is none; throws when it is there and cannot be read. */
export async function readFileIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether an error of the file system says that the thing is not there. */
export const isMissing = (error: unknown): boolean => errorCode(error) === "ENOENT";

/** The code of a system error, such as `ENOENT`; undefined for anything else. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

async function writeSynced(path: string, text: string | Uint8Array, mode: number): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    // The umask may have taken bits away that the caller asked for.
    await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename last; a file system that cannot sync a directory has done what it can. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (!["EINVAL", "EPERM", "EISDIR", "ENOTSUP", "EACCES"].includes(errorCode(error) ?? "")) throw error;
  }
}
