import yargs, { type Arguments, type Argv } from "yargs";
import { nearMiss } from "../lib/near-miss.ts";
import { Problem } from "../lib/problem.ts";
import { type AnyCommand, type Flag, type GlobalArguments, globalFlags } from "./command.ts";
import { pathsOf } from "./command-list.ts";
import { usageProblem } from "./failure.ts";

/** What a command line asks for. */
export type Parsed =
  | {
      readonly kind: "run";
      readonly command: AnyCommand;
      readonly args: never;
      readonly flags: GlobalArguments;
    }
  /** Help for a command, for a group (its first word), or for everything (no word). */
  | {
      readonly kind: "help";
      readonly topic: AnyCommand | string | undefined;
      readonly flags: GlobalArguments;
    }
  | { readonly kind: "version"; readonly flags: GlobalArguments };

/** Reads a command line by the rows of `commands`. Throws a Problem with code `usage` that names what is wrong. */
export async function parseArguments(
  argv: readonly string[],
  commands: readonly AnyCommand[],
): Promise<Parsed> {
  let parsed: Parsed | undefined;
  const settle = (row: AnyCommand | undefined, group: string | undefined) => (found: Arguments) => {
    parsed = judge(found, row, group, commands);
  };
  const root = yargs()
    .scriptName("svc")
    .locale("en")
    .help(false)
    .version(false)
    .exitProcess(false)
    .parserConfiguration({
      "boolean-negation": false,
      "camel-case-expansion": false,
      "dot-notation": false,
      "greedy-arrays": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "populate--": true,
    })
    .fail((message, error) => {
      if (error instanceof Problem) throw error;
      const row = rowOf(argv, commands);
      throw usageProblem(
        tidy(message ?? error?.message, row),
        `svc ${row === undefined ? "" : `${row.path} `}--help`,
      );
    });
  withFlags(root, { ...globalFlags, version: { kind: "switch", doc: "", alias: "V" } });
  const register = (y: Argv, rows: readonly AnyCommand[], group: readonly string[]): Argv => {
    for (const [word, inside] of byWord(rows, group.length)) {
      const path = [...group, word];
      const row = inside.find((each) => each.path === path.join(" "));
      if (row === undefined)
        y.command(word, "", (z) => register(z, inside, path), settle(undefined, path.join(" ")));
      else
        y.command(
          [grammar(row, word), ...(row.aliases ?? [])],
          row.summary,
          (z) => describe(z, row),
          settle(row, group.length === 0 ? undefined : group.join(" ")),
        );
    }
    return y;
  };
  register(root, commands, []);
  root.command("$0", "", (y) => y, settle(undefined, undefined));
  await root.parseAsync(argv);
  if (parsed === undefined) throw usageProblem("the command line cannot be understood", "svc --help");
  return parsed;
}

/** The commands of a group by the word that stands at `depth` of their paths. */
function byWord(rows: readonly AnyCommand[], depth: number): ReadonlyMap<string, readonly AnyCommand[]> {
  const words = new Map<string, AnyCommand[]>();
  for (const row of rows) {
    const word = row.path.split(" ")[depth] ?? "";
    words.set(word, [...(words.get(word) ?? []), row]);
  }
  return words;
}

/** All positionals are optional to yargs, so that what is missing is named in one voice. */
const grammar = (row: AnyCommand, verb: string): string =>
  [
    verb,
    ...Object.entries(row.positionals ?? {}).map(([name, { many }]) => `[${name}${many ? ".." : ""}]`),
  ].join(" ");

function describe(y: Argv, row: AnyCommand): Argv {
  for (const name of Object.keys(row.positionals ?? {})) y.positional(name, { type: "string" });
  return withFlags(y, row.options ?? {});
}

function withFlags(y: Argv, flags: Readonly<Record<string, Flag>>): Argv {
  for (const [name, { kind, alias, choices }] of Object.entries(flags)) {
    y.option(name, {
      ...(kind === "switch" ? { boolean: true } : { string: true, requiresArg: true }),
      ...(kind === "list" ? { array: true } : {}),
      ...(alias === undefined ? {} : { alias }),
      ...(choices === undefined ? {} : { choices }),
    });
  }
  return y;
}

function judge(
  found: Arguments,
  row: AnyCommand | undefined,
  group: string | undefined,
  commands: readonly AnyCommand[],
): Parsed {
  const words = found._.map(String);
  const flags = collect(found, globalFlags) as unknown as GlobalArguments;
  if (found["version"] === true) return { kind: "version", flags };
  if (row === undefined) {
    const [word] = group === undefined ? words : words.slice(group.split(" ").length);
    if (word === "help" && group === undefined)
      return { kind: "help", topic: topicOf(words.slice(1), commands), flags };
    if (word !== undefined) throw unknownCommand(word, group, commands);
    refuseUnknownOptions(found, {}, group ?? "");
    return { kind: "help", topic: group, flags };
  }
  refuseUnknownOptions(found, row.options ?? {}, row.path, Object.keys(row.positionals ?? {}));
  if (flags.help) return { kind: "help", topic: row, flags };
  // Built from the same rows that the type of `run` was computed from.
  const args = { ...distribute(found, row, words), ...collect(found, row.options ?? {}) } as never;
  return { kind: "run", command: row, args, flags };
}

function topicOf(words: readonly string[], commands: readonly AnyCommand[]): AnyCommand | string | undefined {
  const text = words.join(" ");
  if (text === "") return undefined;
  const row = commands.find((each) => pathsOf(each).includes(text));
  if (row !== undefined || commands.some((each) => each.path.startsWith(`${text} `))) return row ?? text;
  throw unknownCommand(words[0] ?? "", undefined, commands);
}

function unknownCommand(word: string, group: string | undefined, commands: readonly AnyCommand[]): Error {
  const before = group === undefined ? "" : `${group} `;
  const candidates = commands
    .flatMap(pathsOf)
    .flatMap((path) => (path.startsWith(before) ? [path.slice(before.length).split(" ")[0] ?? ""] : []));
  const prefix = group === undefined ? "svc" : `svc ${group}`;
  const near = nearMiss(word, new Set(candidates));
  return usageProblem(
    `unknown command: "${group === undefined ? word : `${group} ${word}`}"`,
    near === undefined ? `${prefix} --help` : `did you mean ${prefix} ${near}?`,
  );
}

function refuseUnknownOptions(
  found: Arguments,
  options: Readonly<Record<string, Flag>>,
  path: string,
  positionals: readonly string[] = [],
): void {
  const all: Readonly<Record<string, Flag>> = { ...globalFlags, ...options };
  const aliases = Object.values(all).flatMap(({ alias }) => (alias === undefined ? [] : [alias]));
  const known = new Set([...Object.keys(all), ...aliases, ...positionals, "version", "V", "_", "$0", "--"]);
  const unknown = Object.keys(found).find((key) => !known.has(key));
  if (unknown === undefined) return;
  const near = nearMiss(unknown, Object.keys(all));
  throw usageProblem(
    `unknown option: ${unknown.length === 1 ? "-" : "--"}${unknown}`,
    near === undefined ? `svc ${path} --help`.replace("  ", " ") : `did you mean --${near}?`,
  );
}

function collect(found: Arguments, rows: Readonly<Record<string, Flag>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, readFlag(name, row, found[name])]),
  );
}

function readFlag(name: string, { kind }: Flag, given: unknown): unknown {
  if (kind === "list") return given === undefined ? [] : [given].flat().map(String);
  // Of an option that is given twice the last one wins.
  const value = Array.isArray(given) ? given.at(-1) : given;
  if (kind === "switch") return value === true;
  if (value === undefined || kind === "text") return value;
  if (/^\d+$/.test(String(value))) return Number(value);
  throw usageProblem(`--${name}: expected a whole number, got "${String(value)}"`);
}

/** Gives each positional its word: in order, what follows `--` last, all that is left to the one that takes many. */
function distribute(found: Arguments, row: AnyCommand, words: readonly string[]): Record<string, unknown> {
  const rows = Object.entries(row.positionals ?? {});
  const behind = words.slice(row.path.split(" ").length);
  const dashed = [found["--"] ?? []].flat();
  const given = [...rows.flatMap(([name]) => [found[name] ?? []].flat()), ...behind, ...dashed].map(String);
  const values = rows.map(([name, { optional, many }]) => {
    const value = many === true ? given.splice(0) : given.shift();
    const missing = value === undefined || (Array.isArray(value) && value.length === 0);
    if (missing && optional !== true)
      throw usageProblem(`${row.path}: <${name}> is missing`, `svc ${row.path} --help`);
    return [name, value];
  });
  const [extra] = given;
  if (extra !== undefined)
    throw usageProblem(`${row.path}: one argument too many: "${extra}"`, `svc ${row.path} --help`);
  return Object.fromEntries(values);
}

/** The command that a command line begins with. */
const rowOf = (argv: readonly string[], commands: readonly AnyCommand[]): AnyCommand | undefined =>
  commands.find((row) => pathsOf(row).some((path) => `${argv.join(" ")} `.startsWith(`${path} `)));

/** yargs' own sentences in the form of ours. */
const tidy = (message: string | undefined, row: AnyCommand | undefined): string => {
  const [, name] = /^Not enough arguments following: (.+)$/.exec(message ?? "") ?? [];
  if (name !== undefined) {
    const expected = row?.options?.[name]?.choices?.map((choice) => `"${choice}"`).join(", ");
    return `--${name}: expected ${expected === undefined ? "a value" : `one of ${expected}`}, got nothing`;
  }
  const choices = /Argument: (\S+), Given: (.+), Choices: (.+)/.exec((message ?? "").replace(/\s+/g, " "));
  if (choices !== null) return `--${choices[1]}: expected one of ${choices[3]}, got ${choices[2]}`;
  return message ?? "the command line cannot be understood";
};
