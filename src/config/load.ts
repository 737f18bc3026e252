import { readFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { matches, show } from "../contract/check.ts";
import { isMissing } from "../lib/atomic-file.ts";
import { errorMessage } from "../lib/error-message.ts";
import { nearMiss } from "../lib/near-miss.ts";
import { Problem } from "../lib/problem.ts";
import { type OptionKey, optionKeys, optionRow, type Settings, type VariableName } from "./options.ts";
import { configFile, type Directories, directoriesOf } from "./paths.ts";

/** The environment of a process, as a value: everything below is told its environment and reads none by itself. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Everything a process is told from outside, read once. */
export interface Config {
  readonly environment: Environment;
  readonly directories: Directories;
  readonly settings: Settings;
  /** Where each setting's value stands: a variable, config.json, or `default`. */
  readonly origins: Readonly<Record<OptionKey, string>>;
  /** One line for each thing in config.json that was passed over. */
  readonly warnings: readonly string[];
}

/** The environment of this process; the only place where it is read. */
export const readEnvironment = (): Environment => ({ ...process.env });

/** A variable's text without surrounding space; empty counts as unset. */
export function variable(environment: Environment, name: VariableName): string | undefined {
  const value = environment[name]?.trim();
  return value === undefined || value === "" ? undefined : value;
}

/** The directories that an environment names. */
export const directoriesIn = (environment: Environment): Directories =>
  directoriesOf(environment, { home: homeOf(environment), userId: process.getuid?.() ?? 0 });

const homeOf = (environment: Environment): string => {
  const home = environment["HOME"];
  return home === undefined || home === "" ? fallbackHome() : home;
};
const fallbackHome = (): string => {
  try {
    return userInfo().homedir;
  } catch {
    return homedir();
  }
};

/**
 * The configuration: environment over config.json (`file`, by default the user's) over defaults. Throws a Problem with one line that names the setting,
 * what was expected, what was found and where it stood.
 */
export function loadConfig(environment: Environment = readEnvironment(), file?: string): Config {
  const directories = directoriesIn(environment);
  const path = file ?? configFile(directories);
  const stored = readConfigFile(path);
  const warnings = Object.keys(stored).flatMap((key) => unknownKey(key, path));
  const resolved = optionKeys.map(
    (key) => [key, resolveOption(key, environment, stored[key], path)] as const,
  );
  const settings = Object.fromEntries(resolved.map(([key, { value }]) => [key, value]));
  const origins = Object.fromEntries(resolved.map(([key, { from }]) => [key, from]));
  // Each value was checked against its own row's schema, and there is one for each key.
  return {
    environment,
    directories,
    settings: settings as Settings,
    origins: origins as Config["origins"],
    warnings,
  };
}

/** The members of config.json as they stand there; none when there is no file. */
export function readConfigFile(path: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return {};
    throw unreadable(path, errorMessage(error));
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : "no JSON");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw unreadable(path, `expected an object, found ${show(parsed)}`);
  return { ...parsed };
}

const unreadable = (path: string, why: string): Problem =>
  new Problem(`could not read the settings: ${path}, ${why}`, {
    code: "validation_failed",
    hint: `correct the file, or move it away: mv '${path}' '${path}.bad'`,
  });

function unknownKey(key: string, path: string): string[] {
  if ((optionKeys as readonly string[]).includes(key)) return [];
  const near = nearMiss(key, optionKeys);
  return [`unknown setting "${key}" in ${path}${near === undefined ? "" : `; did you mean "${near}"?`}`];
}

interface Resolved {
  readonly value: unknown;
  readonly from: string;
}

function resolveOption(key: OptionKey, environment: Environment, stored: unknown, path: string): Resolved {
  const row = optionRow(key);
  const given = row.environment === undefined ? undefined : environment[row.environment]?.trim();
  if (row.environment !== undefined && given !== undefined && given !== "")
    return { value: checked(key, fromText(row.schema, given), row.environment), from: row.environment };
  return stored === undefined
    ? { value: row.default, from: "default" }
    : { value: checked(key, stored, path), from: "config.json" };
}

/** Gives the value back when the setting takes it; throws a Problem that names the place when it does not. */
function checked(key: OptionKey, value: unknown, from: string): unknown {
  const row = optionRow(key);
  if (matches(row.schema, value)) return value;
  const found = typeof value === "string" && row.shown !== undefined ? row.shown(value) : value;
  throw new Problem(`${key}: expected ${row.expects}, got ${show(found)} (from ${from})`, {
    code: "validation_failed",
  });
}

/** A text of the environment as the kind that the setting declares; what does not read as it stays text. */
function fromText(schema: object, text: string): unknown {
  const kind = "type" in schema ? schema.type : undefined;
  if (kind === "boolean")
    return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : text;
  if (kind === "integer" || kind === "number") return /^-?\d+$/.test(text) ? Number(text) : text;
  return text;
}
