import { beforeEach, describe, expect, it } from "vitest";
import { sampleSchemas } from "../../server/sample/schemas.ts";
import { loggedIn, type Person, serverWithAda } from "../support/cli.ts";

let ada: Person;
const ids: Record<string, string> = {};

describe("searching from the command line", () => {
  beforeEach(async () => {
    ada = await loggedIn(await serverWithAda(sampleSchemas));
    await ada.svc("change-set create edit");
    for (const [name, schema, ...attributes] of [
      ["web-1", "Server", "/domain/Region=eu-west-1"],
      ["web-2", "Server", "/domain/Region=us-east-1"],
      ["lan", "VPC"],
    ] as const) {
      ids[name] = (
        await ada.svc(["component", "create", name, "--schema", schema, ...attributes])
      ).out.trim();
    }
  });

  it("prints id, name and schema of what fits, nothing where nothing does", async () => {
    const found = await ada.svc("search web --change-set edit");
    expect(found).toMatchObject({ code: 0, err: "" });
    expect(found.out).toBe(`${ids["web-1"]}\tweb-1\tServer\n${ids["web-2"]}\tweb-2\tServer\n`);
    expect((await ada.svc("search web")).out).toBe("");
    expect((await ada.svc("search web", { terminal: true })).out).toBe("no components\n");
  });

  it("takes the words of a query apart or as one, and everything for none", async () => {
    const names = async (...words: string[]): Promise<string[]> => {
      const { out } = await ada.svc(["search", ...words, "--change-set", "edit", "--json"]);
      return JSON.parse(out).components.map(({ name }: { name: string }) => name);
    };
    expect(await names("web", "Region:eu")).toEqual(["web-1"]);
    expect(await names("web !Region:eu | schema:vpc")).toEqual(["web-2", "lan"]);
    expect(await names()).toEqual(["web-1", "web-2", "lan"]);
  });

  it("prints ids for programs, after every filter", async () => {
    const lines = async (...words: string[]): Promise<string> =>
      (await ada.svc(["component", "search", "--change-set", "edit", ...words])).out;
    expect(await lines("--schema", "server", "us-east | Region:us")).toBe(`${ids["web-2"]}\n`);
    expect(await lines("--upgradable", "yes")).toBe("");
    expect(await lines("web-1", "--upgradable", "no")).toBe(`${ids["web-1"]}\n`);
    const unknown = await ada.svc("component search --schema Spaceship");
    expect(unknown).toMatchObject({ code: 1, out: "" });
    expect(unknown.err).toContain("Spaceship");
  });

  it("says where a query cannot be read", async () => {
    const run = await ada.svc(["search", "web ()x"]);
    expect(run).toMatchObject({ code: 1, out: "" });
    expect(run.err).toContain("after the empty group at position 7");
  });
});
