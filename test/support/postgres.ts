import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** A database of its own on this test process's PostgreSQL server. */
export interface PostgresDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

const root = "/usr/lib/postgresql";
const binaries = (existsSync(root) ? readdirSync(root) : [])
  .sort((a, b) => Number(b) - Number(a))
  .map((version) => join(root, version, "bin"))
  .find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));

/** Why PostgreSQL cannot be tested on this machine; undefined when it can. */
export const postgresMissing: string | undefined =
  binaries === undefined ? `no PostgreSQL server binaries under ${root}` : undefined;

let server: Promise<string> | undefined;
let created = 0;

/** Creates a database, starting the process's server at the first call. */
export async function createPostgresDatabase(): Promise<PostgresDatabase> {
  server ??= startServer();
  const folder = await server;
  const name = `test_${process.pid}_${created++}`;
  await administer(folder, `create database ${name}`);
  return {
    url: urlOf(folder, name),
    remove: () => administer(folder, `drop database if exists ${name} with (force)`),
  };
}

const urlOf = (folder: string, database: string): string =>
  `postgres://svc@localhost/${database}?host=${encodeURIComponent(folder)}`;

async function administer(folder: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(folder, "postgres") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The server refuses to run as root, so it runs as `nobody` there. */
function serverIdentity(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const nobody = /^nobody:[^:]*:(\d+):(\d+)/m.exec(readFileSync("/etc/passwd", "utf8"));
  if (nobody === null) throw new Error("PostgreSQL does not run as root and there is no user `nobody`");
  return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}

/**
 * Starts a server that listens on a unix socket only and returns that socket's folder.
 * A shell keeps it: when this process ends, however it does, the pipe closes, the server stops, the folder goes.
 */
async function startServer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "svc-pg-"));
  const identity = serverIdentity();
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
  const data = join(folder, "data");
  const command = (name: string): string => join(binaries ?? "", name);
  const initialise = (...locale: string[]): unknown =>
    execFileSync(
      command("initdb"),
      ["-D", data, "-U", "svc", "--auth=trust", "--no-sync", "--encoding=UTF8", ...locale],
      { ...identity, cwd: folder, stdio: "pipe" },
    );
  try {
    // A language's collation, so that a column which forgot the bytewise one is found out.
    initialise("--locale=C", "--locale-provider=icu", "--icu-locale=en-US");
  } catch {
    initialise("--locale=C");
  }
  const options = ["-k", folder, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200"];
  const script = 'trap "" INT TERM; "$0" "$@" & read -r _; kill -INT $!; wait $!; cd /; rm -rf "$SVC_PG"';
  const keeper = spawn("/bin/sh", ["-c", script, command("postgres"), "-D", data, ...options], {
    ...identity,
    cwd: folder,
    detached: true,
    env: { PATH: "/usr/bin:/bin", SVC_PG: folder },
    stdio: ["pipe", "ignore", "ignore"],
  });
  keeper.unref();
  if ("unref" in keeper.stdin && typeof keeper.stdin.unref === "function") keeper.stdin.unref();
  await untilReady(folder, () => keeper.exitCode === null);
  return folder;
}

async function untilReady(folder: string, alive: () => boolean): Promise<void> {
  for (;;) {
    try {
      return await administer(folder, "select 1");
    } catch (error) {
      if (!alive()) throw new Error(`PostgreSQL did not start in ${folder}`, { cause: error });
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
