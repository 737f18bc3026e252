import { version } from "../lib/version.ts";
import { type AnyCommand, type Flag, globalFlags, type Positional } from "./command.ts";
import { nouns } from "./command-list.ts";
import { exitCodes } from "./exit.ts";

/** The help for everything, for one group, or for one command. */
export function helpText(topic: AnyCommand | string | undefined, commands: readonly AnyCommand[]): string {
  if (topic === undefined) return overview(commands);
  return typeof topic === "string" ? groupHelp(topic, commands) : commandHelp(topic);
}

/** The same as data, for --json: what each command takes. */
export const helpDocument = (topic: AnyCommand | string | undefined, commands: readonly AnyCommand[]) => ({
  version,
  globalOptions: globalFlags,
  commands: commands
    .filter(
      (row) =>
        topic === undefined ||
        row === topic ||
        (typeof topic === "string" && row.path.startsWith(`${topic} `)),
    )
    .map(({ path, aliases, summary, details, positionals, options, examples }) => ({
      path,
      aliases: aliases ?? [],
      summary,
      ...(details === undefined ? {} : { details }),
      positionals: positionals ?? {},
      options: options ?? {},
      examples,
    })),
});

function overview(commands: readonly AnyCommand[]): string {
  const entries = commands.flatMap((row): [string, string][] => {
    const [noun = ""] = row.path.split(" ");
    return noun === row.path ? [[row.path, row.summary]] : [];
  });
  const groups = Object.entries(nouns).flatMap(([noun, summary]): [string, string][] => {
    if (noun.includes(" ")) return [];
    const verbs = commands
      .filter(({ path }) => path.startsWith(`${noun} `))
      .map(({ path }) => path.split(" ")[1]);
    return [[noun, `${summary}: ${[...new Set(verbs)].join(", ")}`]];
  });
  return lines(
    "svc: infrastructure as components in change sets, from the terminal",
    "",
    "usage: svc <command> [options]",
    "",
    ...section("commands", [...entries, ...groups]),
    ...section("options of every command", flagRows(globalFlags)),
    ...section(
      "exit status",
      Object.values(exitCodes).map(({ code, when }) => [String(code), when]),
    ),
    "svc <command> --help says more; svc api lists every request of the API",
  );
}

function groupHelp(noun: string, commands: readonly AnyCommand[]): string {
  const rows = commands.filter(({ path }) => path.startsWith(`${noun} `));
  return lines(
    `svc ${noun}: ${nouns[noun] ?? ""}`,
    "",
    `usage: svc ${noun} <command> [options]`,
    "",
    ...section(
      "commands",
      rows.map((row) => [usageOf(row).slice(noun.length + 1), row.summary]),
    ),
    `svc ${noun} <command> --help says more`,
  );
}

function commandHelp(row: AnyCommand): string {
  const words = row.path.split(" ").slice(0, -1);
  const aliases = (row.aliases ?? []).map((alias) => `svc ${[...words, alias].join(" ")}`);
  return lines(
    `svc ${row.path}: ${row.summary}`,
    ...(row.details === undefined ? [] : ["", ...wrap(row.details, 100)]),
    "",
    `usage: svc ${usageOf(row)} [options]`,
    ...(aliases.length === 0 ? [] : [`also:  ${aliases.join(", ")}`]),
    "",
    ...section(
      "arguments",
      Object.entries(row.positionals ?? {}).map(([name, { doc }]) => [name, doc]),
    ),
    ...section("options", flagRows(row.options ?? {})),
    ...section("options of every command", flagRows(globalFlags)),
    ...section(
      "examples",
      row.examples.map(({ line, does }) => [`svc ${line}`, does]),
    ),
  );
}

/** `component set <component> [assignments...]`. */
export const usageOf = (row: AnyCommand): string =>
  [
    row.path,
    ...Object.entries(row.positionals ?? {}).map(([name, positional]) => bracketed(name, positional)),
  ].join(" ");

const bracketed = (name: string, { optional, many }: Positional): string => {
  const text = many === true ? `${name}...` : name;
  return optional === true ? `[${text}]` : `<${text}>`;
};

const flagRows = (flags: Readonly<Record<string, Flag>>): [string, string][] =>
  Object.entries(flags).map(([name, { kind, alias, value, choices, doc }]) => {
    const short = alias === undefined ? "" : `-${alias}, `;
    const shown = choices === undefined ? `<${value ?? "value"}>` : `{${choices.join(" | ")}}`;
    const again = kind === "list" ? " (may be given several times)" : "";
    return [`${short}--${name}${kind === "switch" ? "" : ` ${shown}`}`, `${doc}${again}`];
  });

function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return [];
  // A first column of more than 40 letters stands on a line of its own.
  const width = Math.min(40, Math.max(...rows.map(([left]) => left.length)));
  const shown = rows.flatMap(([left, right]) =>
    left.length > width
      ? [`  ${left}`, `  ${" ".repeat(width)}  ${right}`]
      : [`  ${left.padEnd(width)}  ${right}`.trimEnd()],
  );
  return [title, ...shown, ""];
}

const lines = (...all: string[]): string => `${all.join("\n").trimEnd()}\n`;

function wrap(text: string, width: number): string[] {
  const out = [""];
  for (const word of text.split(" ")) {
    const last = out.length - 1;
    const line = out[last] ?? "";
    if (line !== "" && line.length + 1 + word.length > width) out.push(word);
    else out[last] = line === "" ? word : `${line} ${word}`;
  }
  return out;
}
