import { readFileSync, rmSync, writeFileSync } from "node:fs";
import Libsql from "libsql";
import { DatabaseInUseError } from "./engine.ts";

/**
 * Takes the database file for this process alone and returns the release.
 * The lock is the operating system's, held through an exclusive transaction on `<path>.lock`, so that it ends
 * with the process however that dies; `<path>.pid` only names the owner. Throws {@link DatabaseInUseError} when taken.
 */
export function lockFile(path: string): () => void {
  const handle = new Libsql(`${path}.lock`);
  const pidFile = `${path}.pid`;
  try {
    handle.exec("begin exclusive");
  } catch (error) {
    handle.close();
    if (!(error instanceof Error) || !error.message.includes("locked")) throw error;
    throw new DatabaseInUseError(
      `the database ${path} is in use by process ${ownerOf(pidFile)}: stop that server, or give this one another database`,
    );
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return () => {
    rmSync(pidFile, { force: true });
    handle.exec("rollback");
    handle.close();
  };
}

function ownerOf(pidFile: string): string {
  try {
    return readFileSync(pidFile, "utf8").trim() || "unknown";
  } catch {
    return "unknown";
  }
}
