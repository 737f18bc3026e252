import { access, constants, lstat, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errorCode, isMissing } from "../lib/atomic-file.ts";
import { errorMessage } from "../lib/error-message.ts";
import { makeDirectory } from "../lib/make-directory.ts";
import { Problem } from "../lib/problem.ts";

/**
 * Makes a server's directory (0700) unless it is there; gives its absolute path. Throws a {@link Problem} when it cannot
 * be made or written to.
 */
export async function ownDirectory(data: string): Promise<string> {
  const path = resolve(data);
  try {
    await makeDirectory(path);
    await access(path, usable);
    return path;
  } catch (error) {
    throw await unusable(path, error);
  }
}

/**
 * Looks whether {@link ownDirectory} would succeed, and makes nothing; throws its {@link Problem} where it is known to
 * fail. Says whether the directory is there.
 */
export async function lookAtDirectory(data: string): Promise<boolean> {
  const path = resolve(data);
  try {
    return (await nearest(path)) === path;
  } catch (error) {
    throw await unusable(path, error);
  }
}

const usable = constants.R_OK | constants.W_OK | constants.X_OK;

/** The path, or the first one above it that is there; throws the system's error where it cannot be used. */
async function nearest(path: string, needed = usable): Promise<string> {
  try {
    // With a slash at its end only a directory is found.
    await access(path === "/" ? path : `${path}/`, needed);
    return path;
  } catch (error) {
    if (!isMissing(error) || (await isThere(path)) || path === dirname(path)) throw error;
    return await nearest(dirname(path), constants.W_OK | constants.X_OK);
  }
}

/** A link that leads nowhere is there, too. */
const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const unusable = async (path: string, error: unknown): Promise<Problem> =>
  new Problem(`cannot keep a server in ${path}: ${await reasonOf(error)}`, {
    code: "data_not_writable",
    hint: "name another directory with --data, or run this as the user that it belongs to",
    cause: error,
  });

async function reasonOf(error: unknown): Promise<string> {
  switch (errorCode(error)) {
    case "EACCES":
    case "EPERM":
      return "this user may not write there";
    case "EROFS":
      return "the file system is read-only";
    case "ELOOP":
      return "there is a link that leads nowhere";
    case "ENOENT":
    case "ENOTDIR":
    case "EEXIST":
      if (await isDeadLink(error)) return "there is a link that leads nowhere";
      return errorCode(error) === "ENOENT"
        ? "the directory above it takes none"
        : "there is a file where a directory should be";
    default:
      return errorMessage(error);
  }
}

/** Whether the path that the system could not use is a link to nothing. */
async function isDeadLink(error: unknown): Promise<boolean> {
  if (!(error instanceof Error && "path" in error && typeof error.path === "string")) return false;
  const path = error.path.replace(/(.)\/$/, "$1");
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink() !== true) return false;
  return await stat(path).then(
    () => false,
    (reason: unknown) => isMissing(reason) || errorCode(reason) === "ELOOP",
  );
}
