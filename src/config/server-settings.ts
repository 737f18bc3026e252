import { join } from "node:path";
import { type Config, variable } from "./load.ts";
import type { Settings } from "./options.ts";
import { serverDirectory } from "./paths.ts";

/** The settings of one server process with everything computed that the table leaves open. */
export interface ResolvedServerSettings {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly secretKeyFile: string;
  readonly secretKey: string | undefined;
  readonly publicUrl: string | undefined;
  readonly trustProxy: boolean;
  readonly signUp: "open" | "closed";
  readonly logLevel: Settings["logLevel"];
}

/** What the command line may replace for one run. */
export interface ServerOverrides {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly database?: string | undefined;
}

/** The server's settings: what the command line says, else the configuration. */
export function serverSettings(config: Config, overrides: ServerOverrides = {}): ResolvedServerSettings {
  const { settings, directories } = config;
  const directory = serverDirectory(directories);
  return {
    host: overrides.host ?? settings["server.host"],
    port: overrides.port ?? settings["server.port"],
    database: overrides.database ?? settings["server.database"] ?? `sqlite:${join(directory, "svc.sqlite")}`,
    secretKeyFile: settings["server.secretKeyFile"] ?? join(directory, "secret.key"),
    secretKey: variable(config.environment, "SVC_SECRET_KEY"),
    publicUrl: settings["server.publicUrl"],
    trustProxy: settings["server.trustProxy"],
    signUp: settings["server.signUp"],
    logLevel: settings.logLevel,
  };
}
