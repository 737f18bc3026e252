import { describe, expect, it } from "vitest";
import type { AnyCommand } from "../../src/cli/command.ts";
import { nouns, pathsOf } from "../../src/cli/command-list.ts";
import { commands } from "../../src/cli/commands/index.ts";
import { helpText } from "../../src/cli/help.ts";
import { parseArguments } from "../../src/cli/parse.ts";
import { person } from "../support/cli.ts";

describe("help", () => {
  it("of everything, of each group and of each command stands in cli-help.txt", async () => {
    const topics: readonly (AnyCommand | string | undefined)[] = [
      undefined,
      ...Object.keys(nouns),
      ...commands,
    ];
    const texts = topics.map((topic) => {
      const words = typeof topic === "string" ? topic : (topic?.path ?? "");
      return `$ svc ${words === "" ? "" : `${words} `}--help\n${helpText(topic, commands)}`;
    });
    await expect(texts.join("\n")).toMatchFileSnapshot("../golden/cli-help.txt");
  });

  it("is printed for svc, for a group without a verb, for --help and for svc help", async () => {
    const someone = await person();
    const overview = helpText(undefined, commands);
    for (const line of [[], ["--help"], ["help"]])
      expect(await someone.svc(line)).toEqual({ code: 0, out: overview, err: "" });
    const group = helpText("change-set", commands);
    for (const line of ["change-set", "change-set --help", "help change-set"])
      expect(await someone.svc(line)).toEqual({ code: 0, out: group, err: "" });
    const one = await someone.svc("component set --help");
    expect(one).toEqual({ code: 0, out: (await someone.svc("help component set")).out, err: "" });
    expect(one.out).toContain("usage: svc component set <component> [assignments...] [options]");
  });

  it("is data with --json: one document that names what each command takes", async () => {
    const { out } = await (await person()).svc("component --json");
    const document = JSON.parse(out);
    expect(document.commands.map(({ path }: { path: string }) => path)).toContain("component set");
    expect(document.commands.every(({ path }: { path: string }) => path.startsWith("component "))).toBe(true);
  });
});

describe("every command", () => {
  it("has a path of its own, also among the aliases", () => {
    const paths = commands.flatMap(pathsOf);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it("belongs to a group that is described", () => {
    for (const { path } of commands)
      if (path.includes(" ")) expect(nouns).toHaveProperty(path.split(" ")[0] ?? "");
  });

  it("is called by its path and by each alias", async () => {
    for (const row of commands)
      for (const path of pathsOf(row)) {
        const parsed = await parseArguments([...path.split(" "), "--help"], commands);
        expect(parsed).toMatchObject({ kind: "help", topic: row });
      }
  });

  it.each(commands.flatMap(({ path, examples }) => examples.map(({ line }) => [path, line] as const)))(
    "%s has examples that its own rows take: svc %s",
    async (path, line) => {
      const beforePipe = line.split(/ [|<>] /)[0] ?? "";
      const words = [...beforePipe.matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, bare]) => quoted ?? bare ?? "",
      );
      const parsed = await parseArguments(words, commands);
      expect(parsed).toMatchObject({ kind: "run", command: { path } });
    },
  );
});
