import { beforeEach, describe, expect, it } from "vitest";
import { sampleSchemas } from "../../server/sample/schemas.ts";
import { loggedIn, type Person, serverWithAda } from "../support/cli.ts";

let ada: Person;
const get = async (name: string) => {
  const run = await ada.svc(["component", "get", name, "--change-set", "edit", "--json"]);
  return JSON.parse(run.out).component;
};

describe("svc component", () => {
  beforeEach(async () => {
    ada = await loggedIn(await serverWithAda(sampleSchemas));
    await ada.svc("change-set create edit");
  });
  const create = async (name: string, ...more: string[]): Promise<string> => {
    const run = await ada.svc(["component", "create", name, "--schema", "Server", ...more]);
    expect(run).toMatchObject({ code: 0 });
    return run.out.trim();
  };

  it("copies several at once and prints the ids of the copies in order", async () => {
    const web = await create("web", "/domain/DiskGb=40");
    await create("app");
    const run = await ada.svc(`component duplicate ${web} app --prefix new- --view Copies`);
    expect(run).toMatchObject({ code: 0, err: "change set: edit\ncopied 2 components\n" });
    const [first, second] = run.out.trim().split("\n");
    expect(await get("new-web")).toMatchObject({
      id: first,
      attributes: { "/domain/DiskGb": 40 },
      views: [{ name: "Copies" }],
    });
    expect((await get("new-app")).id).toBe(second);
  });

  it("puts components into a view, by name or id", async () => {
    const web = await create("web");
    await create("app");
    const run = await ada.svc(["component", "add-to-view", "Web tier", web, "app"]);
    expect(run).toMatchObject({ code: 0, out: "" });
    expect(run.err).toContain("put 2 components into the view Web tier");
    const names = (await get("app")).views.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(["DEFAULT", "Web tier"]);
    const again = await ada.svc(["component", "get", "app", "--change-set", "edit", "--no-color"], {
      terminal: true,
    });
    expect(again.out).toMatch(/views +.*Web tier/);
  });

  it("makes one the manager of others, at creation or later, and says why not", async () => {
    await create("tier");
    await create("web", "--managed-by", "tier");
    await create("app");
    expect(await ada.svc("component manage tier app web")).toMatchObject({ code: 0, out: "" });
    const managed = (await get("tier")).connections.map(
      (one: { managing: { componentName: string } }) => one.managing.componentName,
    );
    expect(managed).toEqual(["web", "app"]);
    const circle = await ada.svc("component manage app tier");
    expect(circle.code).toBe(1);
    expect(circle.err).toContain("tier → app → tier");
    expect((await ada.svc("component create x --schema Server --managed-by nobody")).code).toBe(1);
  });

  it("shows a component's resource, and says that there is none", async () => {
    await create(
      "web",
      '/resource/payload={"InstanceId":"i-1"}',
      "/resource/last_synced=2026-01-02T03:04:05Z",
    );
    const run = await ada.svc("component resource web --change-set edit");
    expect(run).toMatchObject({ code: 0, out: '{\n  "InstanceId": "i-1"\n}\n' });
    expect(run.err).toContain("ok, last synced 2026-01-02T03:04:05Z");
    await create("bare");
    expect((await ada.svc("component resource bare --change-set edit")).err).toContain("has no resource");
  });

  it("says that a component is on the latest variant already", async () => {
    await create("web");
    const run = await ada.svc("component upgrade web");
    expect(run).toMatchObject({ code: 0, out: "" });
    expect(run.err).toContain("on the latest variant already: component web");
  });

  it("refuses a working copy and a secret that are not there, before anything changes", async () => {
    const line = "component create x --schema Server --working-copy";
    expect((await ada.svc(line)).err).toContain("has no unlocked variant");
    await create("web");
    const run = await ada.svc(["component", "set", "web", "--secret", "Cloud Credential=prod"]);
    expect(run.err).toContain("defines none");
    expect((await ada.svc("component set web --secret prod")).code).toBe(2);
  });
});
