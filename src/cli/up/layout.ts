import { join, resolve } from "node:path";
import { type Config, type Environment, loadConfig } from "../../config/load.ts";
import { optionKeys, optionRow } from "../../config/options.ts";
import { serverDirectory } from "../../config/paths.ts";

/** Where one `svc up` keeps everything, and the environment that every process of it gets. */
export interface Layout {
  /** The absolute directory, `.svc` of the checkout by default. */
  readonly directory: string;
  readonly environment: Environment;
  readonly config: Config;
  /** Variables of the caller that are set and not obeyed, in the order of the alphabet. */
  readonly ignored: readonly string[];
  /** Names the one `svc up` that runs here. */
  readonly pidFile: string;
  readonly serverLog: string;
  readonly daemonLog: string;
  /** The launcher for another terminal. */
  readonly launcher: string;
  /** Name and password of the first user, beside the database, readable by its owner only. */
  readonly firstUserFile: string;
}

/** The directories that XDG variables name below the state. */
export const xdgFolders = {
  XDG_CONFIG_HOME: "config",
  XDG_CACHE_HOME: "cache",
  XDG_STATE_HOME: "state",
} as const;

/**
 * Variables that would take a process somewhere else: another server, another account, another database. What only
 * says how much is logged or when things are done is obeyed.
 */
export const foreignVariables: readonly string[] = [
  "SVC_API_KEY",
  "SVC_CLUB_URL",
  "SVC_WORKSPACE",
  "SVC_SECRET_KEY",
  ...optionKeys.flatMap((key) => (key.startsWith("server.") ? (optionRow(key).environment ?? []) : [])),
];

/** The layout below `directory` for a caller with this environment; nothing is created. */
export function layoutOf(directory: string, caller: Environment): Layout {
  const absolute = resolve(directory);
  const kept = Object.entries(caller).filter(([name]) => !foreignVariables.includes(name));
  const xdg = Object.entries(xdgFolders).map(([name, folder]) => [name, join(absolute, folder)]);
  const environment: Environment = Object.fromEntries([...kept, ...xdg]);
  const config = loadConfig(environment);
  return {
    directory: absolute,
    environment,
    config,
    ignored: foreignVariables.filter((name) => (caller[name]?.trim() ?? "") !== "").sort(),
    pidFile: join(absolute, "state", "up.pid"),
    serverLog: join(absolute, "state", "server.log"),
    daemonLog: join(absolute, "state", "daemon.log"),
    launcher: join(absolute, "bin", "svc"),
    firstUserFile: join(serverDirectory(config.directories), "first-user.json"),
  };
}
