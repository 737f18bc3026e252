import { describe, expect, it } from "vitest";
import { command } from "../../src/cli/command.ts";
import { parseArguments } from "../../src/cli/parse.ts";

const nothing = async () => undefined;
const commands = [
  command({ path: "plain", summary: "p", examples: [], run: nothing }),
  command({
    path: "thing list",
    aliases: ["ls"],
    summary: "l",
    examples: [],
    options: {
      text: { kind: "text", doc: "" },
      count: { kind: "number", doc: "" },
      flag: { kind: "switch", doc: "", alias: "f" },
      many: { kind: "list", doc: "" },
      choice: { kind: "text", doc: "", choices: ["one", "two"] },
      "no-tui": { kind: "switch", doc: "" },
    },
    run: nothing,
  }),
  command({
    path: "thing set",
    summary: "s",
    examples: [],
    positionals: { name: { doc: "" }, rest: { doc: "", optional: true, many: true } },
    run: nothing,
  }),
  command({
    path: "thing part add",
    aliases: ["put"],
    summary: "a",
    examples: [],
    positionals: { name: { doc: "" } },
    run: nothing,
  }),
];
const parse = (line: readonly string[] | string) =>
  parseArguments(typeof line === "string" ? line.split(" ") : line, commands);
const empty = {
  text: undefined,
  count: undefined,
  flag: false,
  many: [],
  choice: undefined,
  "no-tui": false,
};

describe("a command line", () => {
  it.each<readonly [string | readonly string[], object]>([
    ["thing list", empty],
    ["thing ls", empty],
    ["thing list --text a", { ...empty, text: "a" }],
    ["thing list --text=a", { ...empty, text: "a" }],
    [["thing", "list", "--text", ""], { ...empty, text: "" }],
    [["thing", "list", "--text", "-"], { ...empty, text: "-" }],
    ["thing list --text=-x", { ...empty, text: "-x" }],
    ["thing list --text 007", { ...empty, text: "007" }],
    ["thing list --text a --text b", { ...empty, text: "b" }],
    ["thing list --count 12", { ...empty, count: 12 }],
    ["thing list --flag", { ...empty, flag: true }],
    ["thing list -f", { ...empty, flag: true }],
    ["thing list --many a --many b=1", { ...empty, many: ["a", "b=1"] }],
    ["thing list --many a.b.c", { ...empty, many: ["a.b.c"] }],
    ["thing list --choice two", { ...empty, choice: "two" }],
    ["thing list --no-tui", { ...empty, "no-tui": true }],
    ["thing set x", { name: "x", rest: [] }],
    ["thing set 0x10 1e3", { name: "0x10", rest: ["1e3"] }],
    ["thing set x /domain/a=1 /domain/b=--c", { name: "x", rest: ["/domain/a=1", "/domain/b=--c"] }],
    [["thing", "set", "two words", "/a=x y"], { name: "two words", rest: ["/a=x y"] }],
    [["thing", "set", "--", "-x", "--y"], { name: "-x", rest: ["--y"] }],
    ["thing part add x", { name: "x" }],
    ["thing --json part put x", { name: "x" }],
  ])("%j becomes its call", async (line, args) => {
    expect(await parse(line)).toMatchObject({ kind: "run", args });
  });

  it.each([
    ["plain --json", { json: true }],
    ["--json plain", { json: true }],
    ["-q plain", { quiet: true }],
    [
      "plain --no-color --server http://h --workspace W",
      { "no-color": true, server: "http://h", workspace: "W" },
    ],
    ["plain --debug", { debug: true, json: false, quiet: false, server: undefined }],
  ])("%j carries the options of every command", async (line, flags) => {
    expect(await parse(line)).toMatchObject({ kind: "run", flags });
  });

  it.each([
    ["thnig list", 'unknown command: "thnig"', "did you mean svc thing?"],
    ["thing lst", 'unknown command: "thing lst"', "did you mean svc thing list?"],
    ["thing quux", 'unknown command: "thing quux"', "svc thing --help"],
    ["thing part ad x", 'unknown command: "thing part ad"', "did you mean svc thing part add?"],
    ["thing prt add", 'unknown command: "thing prt"', "did you mean svc thing part?"],
    ["thing part --zzzzzz", "unknown option: --zzzzzz", "svc thing part --help"],
    ["thing part add", "thing part add: <name> is missing", "svc thing part add --help"],
    ["zzzzzz", 'unknown command: "zzzzzz"', "svc --help"],
    ["thing list --cuont 1", "unknown option: --cuont", "did you mean --count?"],
    ["thing list --zzzzzz", "unknown option: --zzzzzz", "svc thing list --help"],
    ["thing list -z", "unknown option: -z", "svc thing list --help"],
    ["thing list extra", 'thing list: one argument too many: "extra"', "svc thing list --help"],
    ["plain extra", 'plain: one argument too many: "extra"', "svc plain --help"],
    ["thing set", "thing set: <name> is missing", "svc thing set --help"],
    ["thing list --count x", '--count: expected a whole number, got "x"', undefined],
    ["thing list --count -1", undefined, undefined],
    [
      "thing list --choice three",
      '--choice: expected one of "one", "two", got "three"',
      "svc thing list --help",
    ],
    ["thing list --choice", '--choice: expected one of "one", "two", got nothing', "svc thing list --help"],
    ["thing list --text", "--text: expected a value, got nothing", "svc thing list --help"],
    ["thing --zzzzzz", "unknown option: --zzzzzz", "svc thing --help"],
  ])("%j is refused as usage, in one line", async (line, message, hint) => {
    const refused = await parse(line).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ name: "Problem", code: "usage" });
    if (message !== undefined) expect(refused).toMatchObject({ message, hint });
  });
});
