import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { sqliteFile } from "../lib/database-url.ts";
import { type Config, variable } from "./load.ts";
import type { Settings } from "./options.ts";
import { operatorSocketOf, serverDirectory } from "./paths.ts";

/** Everything that decides how one server process runs, with what the table of settings leaves open computed. */
export interface ServerSettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** `sqlite:<path>` or `postgres://…`. */
  readonly database: string;
  /** Where the one process on an SQLite file listens to its operator; undefined where several may share the database. */
  readonly operatorSocket: string | undefined;
  /** The file (0600) that holds the server's own keys; made, with its directory, when it is missing. */
  readonly secretKeyFile: string;
  /** The key itself, 64 hexadecimal characters, or several with commas, instead of the file. */
  readonly secretKey: string | undefined;
  /** The address that people reach the server by; undefined means the address it listens on. */
  readonly publicUrl: string | undefined;
  /** Whether `X-Forwarded-*` headers are believed: only behind a proxy that sets them. */
  readonly trustProxy: boolean;
  /** Who may create an account: anyone, whoever is invited, nobody; the first one always may. */
  readonly signUp: "open" | "invite" | "closed";
  /** How many days events are kept. */
  readonly eventDays: number;
  /** Whether requests of the key-authentication API are noted, here only. */
  readonly telemetry: boolean;
  /** What functions may do and use. */
  readonly functions: FunctionSettings;
  readonly logLevel: Settings["logLevel"];
}

/** What the operator decides about functions that users write. */
export interface FunctionSettings {
  readonly network: { readonly mode: "off" | "allow-list" | "on"; readonly hosts: readonly string[] };
  /** Name as functions say it → absolute path of a program of this machine, and the `PATH` of what these start. */
  readonly commands: { readonly programs: Readonly<Record<string, string>>; readonly path: string };
  readonly seconds: number;
  readonly megabytes: number;
  /** How many compute at once. */
  readonly processes: number;
}

/** What the command line may replace for one run. */
export interface ServerOverrides {
  /** Directory that holds everything of the server; the configuration is that of its own `config.json` then. */
  readonly data?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly database?: string | undefined;
}

/** The server's settings: what the command line says, else the configuration. */
export function serverSettings(config: Config, overrides: ServerOverrides = {}): ServerSettings {
  const { settings, directories } = config;
  const directory = overrides.data === undefined ? serverDirectory(directories) : resolve(overrides.data);
  const database =
    overrides.database ?? settings["server.database"] ?? `sqlite:${join(directory, "svc.sqlite")}`;
  const file = sqliteFile(database);
  return {
    host: overrides.host ?? settings["server.host"],
    port: overrides.port ?? settings["server.port"],
    database,
    operatorSocket: file === undefined ? undefined : operatorSocketOf(directories, file),
    secretKeyFile: settings["server.secretKeyFile"] ?? join(directory, "secret.key"),
    secretKey: variable(config.environment, "SVC_SECRET_KEY"),
    publicUrl: settings["server.publicUrl"],
    trustProxy: settings["server.trustProxy"],
    signUp: settings["server.signUp"],
    eventDays: settings["server.eventDays"],
    telemetry: settings["server.telemetry"],
    functions: functionSettings(config),
    logLevel: settings.logLevel,
  };
}

function functionSettings({ settings, environment }: Config): FunctionSettings {
  const network = settings["server.functionNetwork"];
  const programs = listed(settings["server.functionCommands"]).map((entry): [string, string] => {
    const [name = "", path = ""] = entry.split(/=(.*)/s);
    return [name, path.trim()];
  });
  return {
    network: {
      mode: network === "list" ? "allow-list" : network,
      hosts: listed(settings["server.functionHosts"]),
    },
    commands: { programs: Object.fromEntries(programs), path: environment["PATH"] ?? "" },
    seconds: settings["server.functionSeconds"],
    megabytes: settings["server.functionMemory"],
    processes: settings["server.functionProcesses"] ?? Math.min(Math.max(availableParallelism(), 2), 8),
  };
}

const listed = (text: string | undefined): string[] =>
  (text ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
