import { createHash } from "node:crypto";
import { isAbsolute, join, resolve } from "node:path";

/** The parts of an environment that decide where files lie. */
export interface PathEnvironment {
  readonly XDG_CONFIG_HOME?: string | undefined;
  readonly XDG_CACHE_HOME?: string | undefined;
  readonly XDG_STATE_HOME?: string | undefined;
  readonly XDG_RUNTIME_DIR?: string | undefined;
  readonly TMPDIR?: string | undefined;
}

/** Who runs the process: the home directory and the number of the user, as the system knows them. */
export interface Account {
  readonly home: string;
  readonly userId: number;
}

/** Where everything of this user lies; nothing is created by naming it. */
export interface Directories {
  readonly config: string;
  readonly cache: string;
  readonly state: string;
  /** Candidates for local sockets, best first; each is private to the user (0700). */
  readonly sockets: readonly string[];
}

/** One mirror of one server: a config directory plus a server's origin. At most one daemon serves it. */
export interface Profile {
  /** `http://127.0.0.1:5380`: what the daemon talks to. */
  readonly serverUrl: string;
  /** `127.0.0.1-5380-1a2b3c4d`: readable, and different for every config directory and server. */
  readonly name: string;
  /** Lock, log and whatever else belongs to this profile's daemon. */
  readonly stateDirectory: string;
  /** Cache files of this profile only. */
  readonly cacheDirectory: string;
  readonly logFile: string;
  readonly socketPath: string;
}

/** A socket's path is cut silently by the system when it is longer than about 107 bytes; this leaves room. */
export const maximumSocketPathBytes = 100;

/** The directories of `svc` by the XDG rules; a relative or empty variable counts as unset, as those rules say. */
export function directoriesOf(environment: PathEnvironment, account: Account): Directories {
  const from = (value: string | undefined, fallback: string): string =>
    value !== undefined && isAbsolute(value) ? value : fallback;
  const { home, userId } = account;
  const runtime = from(environment.XDG_RUNTIME_DIR, "");
  const temporary = from(environment.TMPDIR, "/tmp");
  return {
    config: join(from(environment.XDG_CONFIG_HOME, join(home, ".config")), "svc"),
    cache: join(from(environment.XDG_CACHE_HOME, join(home, ".cache")), "svc"),
    state: join(from(environment.XDG_STATE_HOME, join(home, ".local", "state")), "svc"),
    sockets: [
      ...(runtime === "" ? [] : [join(runtime, "svc")]),
      ...new Set([join(temporary, `svc-${userId}`), join("/tmp", `svc-${userId}`)]),
    ],
  };
}

export const authFile = (directories: Directories): string => join(directories.config, "auth.json");
export const identityFile = (directories: Directories): string => join(directories.config, "identity.json");
export const configFile = (directories: Directories): string => join(directories.config, "config.json");

/** The settings of a server with a data directory of its own. */
export const dataConfigFile = (data: string): string => join(resolve(data), "config.json");

/** Where a server of this user keeps its database and its key when nothing else is set. */
export const serverDirectory = (directories: Directories): string => join(directories.state, "server");

/** The profile of a server; `serverUrl` is the resolved address, see `resolveAccess`. */
export function profileOf(directories: Directories, serverUrl: string): Profile {
  const name = `${readable(serverUrl)}-${shortHash(`${directories.config}\n${serverUrl}`)}`;
  const stateDirectory = join(directories.state, "profiles", name);
  return {
    serverUrl,
    name,
    stateDirectory,
    cacheDirectory: join(directories.cache, "profiles", name),
    logFile: join(stateDirectory, "daemon.log"),
    socketPath: socketPathOf(directories, stateDirectory),
  };
}

/**
 * Where the server on an SQLite file listens to its operator: beside the file, or where the daemons' sockets are when
 * that path would be too long.
 */
export function operatorSocketOf(directories: Directories, file: string): string {
  const absolute = resolve(file);
  const beside = `${absolute}.sock`;
  if (Buffer.byteLength(beside) <= maximumSocketPathBytes) return beside;
  return socketIn(directories, `server-${shortHash(absolute)}.sock`);
}

const socketPathOf = (directories: Directories, stateDirectory: string): string =>
  socketIn(directories, `${shortHash(stateDirectory)}.sock`);

/** The first place whose path fits; the last one always does. */
function socketIn(directories: Directories, name: string): string {
  const paths = directories.sockets.map((folder) => join(folder, name));
  return paths.find((path) => Buffer.byteLength(path) <= maximumSocketPathBytes) ?? join("/tmp", name);
}

/** 8 hex of SHA-256: enough to tell apart the handful of profiles that one user has. */
const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

/** Host and port as a file name, at most 60 characters. */
const readable = (serverUrl: string): string =>
  serverUrl
    .replace(/^https?:\/\//, "")
    .replace(/[^A-Za-z0-9.]+/g, "-")
    .replace(/^[-.]+|-+$/g, "")
    .slice(0, 60);
