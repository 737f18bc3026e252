import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands/index.ts";
import { completionScript, completionWords, shells } from "../../src/cli/completions.ts";
import { person } from "../support/cli.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** What bash offers after these words; the last one is being typed. */
async function bashOffers(...words: string[]): Promise<string[]> {
  const script = join(await temporaryDirectory(), "svc.bash");
  await writeFile(script, completionScript("bash", commands));
  const list = words.map((word) => `'${word}'`).join(" ");
  const ask = `source '${script}'; COMP_WORDS=(svc ${list}); COMP_CWORD=${words.length}; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return spawnSync("bash", ["-c", ask], { encoding: "utf8" })
    .stdout.split("\n")
    .filter((line) => line !== "");
}

describe("completion", () => {
  it("offers nouns, verbs, options and choices in bash", async () => {
    expect(await bashOffers("chan")).toEqual(["change-set"]);
    expect(await bashOffers("component", "res")).toEqual(["resource", "restore"]);
    expect(await bashOffers("workspace", "mem")).toEqual(["member"]);
    expect(await bashOffers("workspace", "member", "in")).toEqual(["invite"]);
    expect(await bashOffers("workspace", "member", "remove", "--y")).toEqual(["--yes"]);
    expect(await bashOffers("component", "list", "--li")).toEqual(["--limit"]);
    expect(await bashOffers("--json", "component", "f")).toEqual(["find"]);
    expect(await bashOffers("auth", "login", "--store", "k")).toEqual(["keychain"]);
    expect(await bashOffers("component", "get", "web", "--ch")).toEqual(["--change-set"]);
  });

  it("knows every command and each of its options", () => {
    const words = completionWords(commands);
    for (const { path, options } of commands)
      for (const name of Object.keys(options ?? {})) expect(words.get(path)).toContain(`--${name}`);
  });

  it("has a script for each shell, and names them when asked for another", async () => {
    const someone = await person();
    for (const shell of shells)
      expect((await someone.svc(`completions ${shell}`)).out).toContain("change-set");
    const refused = await someone.svc("completions tcsh");
    expect(refused).toMatchObject({
      code: 2,
      err: 'error: completions: expected one of bash, zsh, fish, got "tcsh"\n',
    });
  });
});
