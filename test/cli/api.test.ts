import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../src/contract/endpoint.ts";
import { api } from "../../src/contract/index.ts";
import { loggedIn, person, serverWithAda } from "../support/cli.ts";

describe("svc api", () => {
  it("lists every request of the contract", async () => {
    const { out } = await (await person()).svc("api --json");
    const rows = rowsOf(api);
    expect(JSON.parse(out)).toHaveLength(rows.length);
    expect(out).toContain('"operation": "changeSets.list"');
  });

  it("sends any request, filling in the workspace and the change set's id", async () => {
    const ada = await loggedIn(await serverWithAda());
    const id = (await ada.svc(["change-set", "create", "a b"])).out.trim();
    const got = await ada.svc(["api", "changeSets.get", "--param", "changeSetId=a b"]);
    expect(JSON.parse(got.out)).toMatchObject({ changeSet: { id, name: "a b" } });
    const listed = await ada.svc("api components.list --param changeSetId=HEAD --query limit=5");
    expect(JSON.parse(listed.out)).toEqual({ componentDetails: [], nextCursor: null });
  });

  it("takes a body as text, from a file and from standard input", async () => {
    const ada = await loggedIn(await serverWithAda());
    const body = (name: string) => JSON.stringify({ changeSetName: name });
    const file = join(ada.home, "body.json");
    await writeFile(file, body("two"));
    expect((await ada.svc(["api", "changeSets.create", "--body", body("one")])).code).toBe(0);
    expect((await ada.svc(["api", "changeSets.create", "--body", `@${file}`])).code).toBe(0);
    expect((await ada.svc("api changeSets.create --body -", { input: body("three") })).code).toBe(0);
    const { out } = await ada.svc("change-set list");
    for (const name of ["one", "two", "three"]) expect(out).toContain(`\t${name}\t`);
  });

  it("needs no key for what needs none", async () => {
    const server = await serverWithAda();
    const run = await (await person({ SVC_CLUB_URL: server.url })).svc("api system.health");
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(run.out)).toEqual({ data: "ok" });
  });

  it("tells what the server refused, with its code", async () => {
    const ada = await loggedIn(await serverWithAda());
    const run = await ada.svc("api components.list --param changeSetId=HEAD --query limit=0 --json");
    expect(run).toMatchObject({ code: 1, out: "" });
    expect(JSON.parse(run.err)).toMatchObject({ code: "invalid_request" });
  });

  it.each([
    ["api changeSets.lst", 'no such request: "changeSets.lst"', "did you mean changeSets.list?"],
    ["api components.get --param changeSetId=HEAD", "needs componentId", "add --param componentId=VALUE"],
    ["api components.list --param zzz=1", 'has no "zzz"', ""],
    ["api components.list --param zzz", 'expected name=value, got "zzz"', ""],
    ["api changeSets.create --body {", "--body: expected JSON", ""],
    ["api changeSets.create --body @/does/not/exist", "--body: could not read", ""],
    ["api changeSets.list --body {}", "takes no body", "leave --body out"],
  ])("svc %s is refused as usage", async (line, message, hint) => {
    const ada = await loggedIn(await serverWithAda());
    const run = await ada.svc(line);
    expect(run.code).toBe(2);
    expect(run.err).toContain(message);
    expect(run.err).toContain(hint);
  });
});
