import { beforeEach, describe, expect, it } from "vitest";
import { sampleSchemas } from "../../server/sample/schemas.ts";
import { attributesOf, readValue } from "../../src/cli/assignments.ts";
import { loggedIn, type Person, serverWithAda } from "../support/cli.ts";

let ada: Person;
const json = async (line: string | readonly string[]) => {
  const words = typeof line === "string" ? line.split(" ") : line;
  return JSON.parse((await ada.svc([...words, "--json"])).out);
};

describe("svc component", () => {
  beforeEach(async () => {
    ada = await loggedIn(await serverWithAda(sampleSchemas));
    await ada.svc("change-set create edit");
  });
  const create = (name: string, ...more: string[]) =>
    ada.svc(["component", "create", name, "--schema", "Server", ...more]);

  it("creates in the only open change set, and says which", async () => {
    const run = await create(
      "web-1",
      "/domain/DiskGb=40",
      "/domain/Region=eu-west-1",
      "/domain/Monitoring=false",
    );
    expect(run).toMatchObject({ code: 0, err: "change set: edit\ncreated component web-1\n" });
    const { component } = await json("component get web-1 --change-set edit");
    expect(component.id).toBe(run.out.trim());
    expect(component.attributes).toMatchObject({
      "/domain/DiskGb": 40,
      "/domain/Region": "eu-west-1",
      "/domain/Monitoring": false,
    });
  });

  it("lists with the difference from the head, and follows pages to the end", async () => {
    for (const name of ["a", "b", "c"]) await create(name);
    const listed = await ada.svc("component list --change-set edit");
    expect(listed.out.trim().split("\n")).toHaveLength(3);
    expect(listed.out).toMatch(/^[0-9A-Z]{26}\ta\tServer\tAdded\t.*\n/);
    expect((await ada.svc("component list")).out).toBe("");
    const two = await ada.svc("component list --change-set edit --limit 2");
    expect(two.out.trim().split("\n")).toHaveLength(2);
    expect(two.err).toContain("there are more");
    const page = await json("component list --change-set edit --limit 2");
    const rest = await json(`component list --change-set edit --all --cursor ${page.nextCursor}`);
    expect(rest.componentDetails.map(({ name }: { name: string }) => name)).toEqual(["c"]);
    expect(rest.nextCursor).toBeNull();
  });

  it("shows one to a person with its attributes in order", async () => {
    await create("web-1", "/domain/Region=eu-west-1");
    const { out } = await ada.svc("component get web-1 --change-set edit --no-color", { terminal: true });
    expect(out).toMatch(/^web-1\nid +[0-9A-Z]{26}\nschema +Server\n/);
    expect(out).toContain('\n/domain/Region = "eu-west-1"\n');
    expect(out).toMatch(/\nvalues, however they came about\n(.*\n)* {2}\/domain\/Region = "eu-west-1"\n/);
  });

  it("finds the id of a name", async () => {
    const id = (await create("web-1")).out.trim();
    expect((await ada.svc("component find web-1 --change-set edit")).out).toBe(`${id}\tweb-1\n`);
    expect(await ada.svc("component find web-2 --change-set edit --json")).toMatchObject({
      code: 1,
      out: "",
    });
  });

  it("renames, sets and unsets in one step", async () => {
    const id = (await create("web-1", "/domain/DiskGb=40", "/domain/Region=eu-west-1")).out.trim();
    const line = [
      "component",
      "set",
      "web-1",
      "/domain/DiskGb=80",
      "--unset",
      "/domain/Region",
      "--name",
      "web-one",
    ];
    expect(await ada.svc(line)).toMatchObject({
      code: 0,
      err: "change set: edit\nchanged component web-one\n",
    });
    const { component } = await json(["component", "get", id, "--change-set", "edit"]);
    expect(component.name).toBe("web-one");
    expect(component.attributes).toMatchObject({ "/domain/DiskGb": 80 });
    expect(component.attributes).not.toHaveProperty("/domain/Region");
  });

  it("says when there was nothing to change", async () => {
    await create("web-1", "/domain/DiskGb=40");
    for (const words of [["--unset", "/domain/Nope"], ["/domain/DiskGb=40"]])
      expect(await ada.svc(["component", "set", "web-1", ...words])).toMatchObject({
        code: 0,
        err: "change set: edit\nnothing changed: web-1 is like that already\n",
      });
  });

  it("marks for deletion, restores and erases", async () => {
    const id = (await create("web-1")).out.trim();
    expect((await ada.svc("component delete web-1 --yes")).code).toBe(0);
    expect((await json(`component get ${id} --change-set edit`)).component.toDelete).toBe(true);
    expect((await ada.svc("component restore web-1")).code).toBe(0);
    expect((await json(`component get ${id} --change-set edit`)).component.toDelete).toBe(false);
    expect((await ada.svc("component erase web-1", { terminal: true, input: "y\n" })).code).toBe(0);
    expect((await ada.svc(`component get ${id} --change-set edit`)).code).toBe(1);
  });

  it.each([
    ["/domain/DiskGB=30", "hint: did you mean /domain/DiskGb?\n"],
    ["/domian/DiskGb=30", "hint: did you mean /domain/DiskGb?\n"],
    ["/domain/nothing=30", /hint: svc component get web-1 --change-set [0-9A-Z]{26} shows its attributes\n/],
  ])("helps with the unknown attribute %s", async (assignment, hint) => {
    await create("web-1");
    const run = await ada.svc(["component", "set", "web-1", assignment]);
    expect(run.code).toBe(1);
    expect(run.err).toMatch(hint);
    expect((await create("web-2", "/domain/DiskGB=30")).err).toContain(
      "hint: did you mean /domain/DiskGb?\n",
    );
  });

  it.each([
    ["component delete web-1", 'deleting component "web-1"'],
    ["component erase web-1", 'erasing component "web-1"'],
    ["change-set abandon edit", 'abandoning change set "edit"'],
    ["change-set purge-open", "abandoning 1 change set"],
  ])("%s states, where nobody can be asked, what it needs", async (line, doing) => {
    await create("web-1");
    const run = await ada.svc(line);
    expect(run.code).toBe(2);
    expect(run.err).toContain(`error: ${doing} needs --yes where nobody can be asked\nhint: add --yes\n`);
  });

  it("names the flag when several change sets are open, and asks a person", async () => {
    await ada.svc("change-set create other");
    const refused = await create("web-1");
    expect(refused).toMatchObject({
      code: 2,
      err: "error: which change set? There are 2 open ones: edit, other\nhint: add --change-set 'edit'\n",
    });
    const line = ["component", "create", "web-1", "--schema", "Server"];
    const asked = await ada.svc(line, { terminal: true, input: "2\n" });
    expect(asked.code).toBe(0);
    expect(asked.err).toContain("  1  edit\n  2  other\nchange set [1-2] ");
    expect((await ada.svc("component list --change-set other")).out).toContain("web-1");
  });

  it("says how to make a change set when there is none, and that the head takes no changes", async () => {
    await ada.svc("change-set abandon edit --yes");
    expect((await create("web-1")).err).toContain("hint: svc change-set create NAME");
    const head = await create("web-1", "--change-set", "HEAD");
    expect(head.code).toBe(1);
    expect(head.err).toBe(
      "error: changes not permitted on the head change set\nhint: changes are made in a change set: svc change-set create NAME\n",
    );
  });

  it.each([
    [["component", "create", "x"], "--schema is missing"],
    [["component", "set", "x"], "there is nothing to set"],
    [["component", "set", "x", "domain/a=1"], 'expected a path like /domain/port, got "domain/a"'],
    [["component", "set", "x", "/domain/a"], 'expected name=value, got "/domain/a"'],
    [["component", "set", "x", "=x"], "hint: a path, =, and a value: /domain/port=8080"],
    [["component", "set", "x", "/a/b=1", "--unset", "/a/b"], '"/a/b" is named twice'],
    [["component", "list", "--limit", "0"], "expected 1 or more, got 0"],
  ])("%j is refused as usage", async (line, message) => {
    const run = await ada.svc(line);
    expect(run.code).toBe(2);
    expect(run.err).toContain(message);
  });
});

describe("a value on the command line", () => {
  it.each([
    ["8080", 8080],
    ["true", true],
    ["null", null],
    ['"8080"', "8080"],
    ["[1,2]", [1, 2]],
    ['{"$source":{"component":"a","path":"/b"}}', { $source: { component: "a", path: "/b" } }],
    ["web", "web"],
    ["a=b", "a=b"],
    ["", ""],
    ["{broken", "{broken"],
    ["10.0.0.0/16", "10.0.0.0/16"],
  ])("%j is read as %j", (text, value) => {
    expect(readValue(text)).toEqual(value);
    expect(attributesOf([`/p/q=${text}`])).toEqual({ "/p/q": value });
  });
});
