import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { errorMessage } from "../../src/lib/error-message.ts";
import { asLastAct } from "../../src/lib/last-act.ts";
import { DatabaseInUseError, StoreError } from "./engine.ts";

/**
 * Takes the database file for this process alone and returns the release.
 * The lock is the operating system's, held through an exclusive transaction on `<path>.lock`, so that it ends
 * with the process however that dies; `<path>.pid` only names the owner. Throws {@link DatabaseInUseError} when taken, {@link StoreError} when not allowed.
 */
export function lockFile(path: string): () => void {
  const handle = orUnusable(path, () => new DatabaseSync(`${path}.lock`));
  const pidFile = `${path}.pid`;
  try {
    handle.exec("begin exclusive");
  } catch (error) {
    handle.close();
    if (!(error instanceof Error) || !error.message.includes("locked")) throw unusable(path, error);
    throw new DatabaseInUseError(
      `the database ${path} is in use by process ${ownerOf(pidFile)}: stop that server, or give this one another database`,
    );
  }
  const release = (): void => {
    handle.exec("rollback");
    handle.close();
  };
  try {
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    release();
    throw unusable(path, error);
  }
  const removePid = (): void => rmSync(pidFile, { force: true });
  const forget = asLastAct(removePid);
  return () => {
    forget();
    removePid();
    release();
  };
}

function orUnusable<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unusable(path, error);
  }
}

const unusable = (path: string, error: unknown): StoreError =>
  new StoreError(
    `cannot use the database ${path} (${errorMessage(error)}): run this as the user that its files and their folder belong to`,
    { cause: error },
  );

function ownerOf(pidFile: string): string {
  try {
    return readFileSync(pidFile, "utf8").trim() || "unknown";
  } catch {
    return "unknown";
  }
}
