import { access, constants, mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { errorCode } from "../lib/atomic-file.ts";
import { Problem } from "../lib/problem.ts";

/**
 * Makes a server's directory (0700) unless it is there; gives its absolute path. Throws a {@link Problem} when it cannot
 * be made or written to.
 */
export async function ownDirectory(data: string): Promise<string> {
  const path = resolve(data);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return path;
  } catch (error) {
    throw new Problem(`cannot keep a server in ${path}: ${reasonOf(error)}`, {
      code: "data_not_writable",
      hint: "name another directory with --data, or run this as the user that it belongs to",
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  switch (errorCode(error)) {
    case "EACCES":
    case "EPERM":
      return "this user may not write there";
    case "EROFS":
      return "the file system is read-only";
    case "ENOTDIR":
    case "EEXIST":
      return "there is a file where a directory should be";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
