import { beforeEach, describe, expect, it } from "vitest";
import { sampleSchemas } from "../../server/sample/schemas.ts";
import { loggedIn, type Person, serverWithAda } from "../support/cli.ts";

let ada: Person;
const svc = async (line: string | readonly string[]): Promise<string> => {
  const run = await ada.svc(line);
  expect(run).toMatchObject({ code: 0 });
  return run.out;
};

describe("svc change-set review", () => {
  beforeEach(async () => {
    ada = await loggedIn(await serverWithAda(sampleSchemas));
    await svc("change-set create first");
    await svc("component create web-1 --schema Server /domain/DiskGb=40 /domain/Region=eu-west-1");
    await svc("component create web-2 --schema Server /domain/DiskGb=40");
    await svc("change-set apply first --yes");
    await svc("change-set create edit");
  });

  it("says that nothing is changed", async () => {
    const run = await ada.svc("change-set review", { terminal: true });
    expect(run).toMatchObject({ code: 0, out: "nothing is changed\n", err: "change set: edit\n" });
    expect(await svc("change-set review edit")).toBe("");
  });

  it("prints one line for each attribute, with what it was and where it comes from", async () => {
    await svc("component set web-1 /domain/DiskGb=80 --unset /domain/Region");
    const source = { $source: { component: "web-1", path: "/domain/DiskGb" } };
    await svc(["component", "set", "web-2", `/domain/DiskGb=${JSON.stringify(source)}`]);
    await svc("component create web-3 --schema Server");
    await svc("component add-to-view Racks web-2");
    const lines = (await svc("change-set review edit")).split("\n").map((line) => line.split("\t"));
    expect(lines).toContainEqual(["web-1", "Modified", "/domain/DiskGb", "40 → 80", "set", ""]);
    expect(lines).toContainEqual(["web-2", "Modified", "view", "- → Racks", "", ""]);
    expect(lines).toContainEqual(["web-3", "Added", "/si/name", '- → "web-3"', "set", ""]);
    expect(lines).toContainEqual(["view Racks", "Added", "", "", "", ""]);
    expect(lines.find(([name, , what]) => name === "web-2" && what === "/domain/DiskGb")?.[4]).toBe(
      "web-1 /domain/DiskGb",
    );
  });

  it("shows a table to a person, each name once, and the sum of it", async () => {
    await svc("component set web-1 /domain/DiskGb=80 /domain/Region=eu-west-2");
    const run = await ada.svc("change-set review edit --no-color", { terminal: true });
    expect(run.out).toMatch(/^COMPONENT +STATUS +ATTRIBUTE +CHANGE +SOURCE/);
    expect(run.out.match(/web-1/g)).toHaveLength(1);
    expect(run.err).toContain("1 component: 0 added, 1 modified, 0 removed; 2 attributes");
  });

  it("marks what the head has changed since", async () => {
    await svc("component set web-1 /domain/DiskGb=80 --change-set edit");
    await svc("change-set create other");
    await svc("component set web-1 /domain/DiskGb=100 --change-set other");
    await svc("change-set apply other --yes");
    expect(await svc("change-set review edit")).toBe(
      "web-1\tModified\t/domain/DiskGb\t100 → 80\tset\thead moved\n",
    );
    const { summary } = JSON.parse(await svc("change-set review edit --json"));
    expect(summary).toMatchObject({ modified: 1, attributes: 1, headMoved: 1 });
  });

  it("says what is not applied because the head has removed it, and forgets it on demand", async () => {
    await svc("component set web-1 /domain/DiskGb=80 --change-set edit");
    await svc("change-set create other");
    await svc("component erase web-1 --change-set other --yes");
    await svc("change-set apply other --yes");
    expect(await svc("change-set review edit")).toBe(
      "web-1\tDropped\t/domain/DiskGb\t\t\tremoved in the head\n",
    );
    const run = await ada.svc("change-set review edit --no-color", { terminal: true });
    expect(run.err).toContain("edits of 1 component will not be applied; the head has moved under 1");
    await svc("component discard web-1 --yes --change-set edit");
    expect(await svc("change-set review edit")).toBe("");
  });

  it("has nothing to compare the head with", async () => {
    const run = await ada.svc("change-set review HEAD");
    expect(run).toMatchObject({ code: 1 });
    expect(run.err).toContain("expected a change set, found the head");
  });
});

describe("svc component discard", () => {
  beforeEach(async () => {
    ada = await loggedIn(await serverWithAda(sampleSchemas));
    await svc("change-set create first");
    await svc("component create web-1 --schema Server /domain/DiskGb=40");
    await svc("change-set apply first --yes");
    await svc("change-set create edit");
  });

  it("takes one attribute back without asking", async () => {
    await svc("component set web-1 /domain/DiskGb=80 /domain/Region=eu-west-2");
    const run = await ada.svc("component discard web-1 /domain/DiskGb");
    expect(run).toMatchObject({
      code: 0,
      err: "change set: edit\ndiscarded /domain/DiskGb of component web-1\n",
    });
    expect(await svc("change-set review edit")).toContain("/domain/Region");
    expect(await svc("change-set review edit")).not.toContain("/domain/DiskGb");
  });

  it("takes a whole component back, also one that was erased, and asks first", async () => {
    await svc("component erase web-1 --yes");
    const refused = await ada.svc("component discard web-1");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('discarding the changes of component "web-1" needs --yes');
    const run = await ada.svc("component discard web-1", { terminal: true, input: "y\n" });
    expect(run.err).toContain('discard all that the change set changes of the component "web-1"? [y/N]');
    expect(await svc("change-set review edit")).toBe("");
    expect(await svc("component find web-1 --change-set edit")).toContain("web-1");
  });

  it("says what the change set does not change", async () => {
    expect((await ada.svc("component discard web-1 /domain/DiskGb")).err).toContain(
      "expected an attribute that the change set edits",
    );
    expect((await ada.svc("component discard web-1 --yes")).err).toContain('changes nothing of "web-1"');
    expect((await ada.svc("component discard nobody --yes")).code).toBe(1);
  });
});
