import { access, mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerSettings } from "../../src/config/server-settings.ts";
import { errorCode, isMissing } from "../../src/lib/atomic-file.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { sqliteFile } from "../../src/lib/database-url.ts";
import { silentLog } from "../../src/lib/log.ts";
import { Problem } from "../../src/lib/problem.ts";
import { loadServerKeys, type ServerKeys } from "../auth/server-keys.ts";
import { openDatabase } from "../database.ts";
import { VariantCache } from "../read/variants.ts";
import { serveOperator } from "./serve.ts";

/** A database that this process has opened for its operator. */
export interface OpenedOperator {
  /** Where it listens: a place of its own, which nobody else knows. */
  readonly socketPath: string;
  close(): Promise<void>;
}

/**
 * Serves the operator of a database that no server answers for: nobody runs on its file, or several processes may share
 * it. With `make` a database and keys that are missing are made. Throws a {@link Problem}, `database_in_use` when another process has it after all.
 */
export async function openOperator(
  { database, ...place }: Pick<ServerSettings, "database" | "secretKey" | "secretKeyFile">,
  make?: "make",
): Promise<OpenedOperator> {
  if (make === undefined) await refuseMissing(database);
  const store = await openDatabase(database, systemClock, silentLog);
  const folder = await mkdtemp(join(shortTemporary(), "svc-"));
  const socketPath = join(folder, "s");
  const leave = async (): Promise<void> => {
    await store.close();
    await rmdir(folder);
  };
  try {
    const keys = (): Promise<ServerKeys> => loadServerKeys({ ...place, missing: make ?? "refuse" });
    const server = await serveOperator(socketPath, { store, variants: new VariantCache(), keys }, silentLog);
    return { socketPath, close: () => server.close().then(leave) };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** A mistyped path must not become a new, empty database. */
async function refuseMissing(database: string): Promise<void> {
  const file = sqliteFile(database);
  if (file === undefined) return;
  try {
    await access(file);
  } catch (error) {
    if (!isMissing(error) && errorCode(error) !== "ENOTDIR") throw error;
    throw new Problem(`there is no database at ${file}`, {
      code: "no_database",
      hint: "--database or SVC_DATABASE_URL name another one; svc server init makes one",
      cause: error,
    });
  }
}

/** What the socket's path adds to the folder: `/svc-XXXXXX/.XXXXXX/s` while it is made, and some room. */
const added = 30;

/** The temporary directory, unless a socket's path below it would be longer than the system takes. */
const shortTemporary = (): string => (Buffer.byteLength(tmpdir()) + added <= 100 ? tmpdir() : "/tmp");
