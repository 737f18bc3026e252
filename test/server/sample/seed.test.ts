import { expect, it } from "vitest";
import { seedSample } from "../../../server/sample/seed.ts";
import { describeEngines } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";

describeEngines("the sample workspace", (engine) => {
  const suite = suiteServer(engine);

  it("is full of infrastructure and work in progress, and stays as it is when it is seeded again", async () => {
    const { server } = suite;
    const { user, workspaceId, access } = await seedSample({ ...server, settle: server.propagate });
    expect(user.username).toBe("admin");
    const api = server.client(access?.key ?? "");
    const list = async (changeSetId: string) => {
      const query = { limit: 300, includeAll: true };
      return (await api.components.list({ workspaceId, changeSetId, query })).componentDetails;
    };
    const { changeSets } = await api.changeSets.list({ workspaceId });
    expect(changeSets.map(({ name }) => name)).toEqual([
      "HEAD",
      "Scale out the web tier",
      "Retire the legacy database",
      "Tighten operator access",
      "Bring up the test environment",
    ]);
    const head = await list("HEAD");
    expect(head.length).toBeGreaterThanOrEqual(38);
    expect(new Set(head.map(({ schemaName }) => schemaName)).size).toBe(8);
    const differing = [];
    for (const { id } of changeSets.slice(1)) {
      const changed = (await list(id)).filter(({ hasDiff }) => hasDiff);
      differing.push(changed.map(({ name, diffStatus }) => `${name} ${diffStatus}`).sort());
    }
    expect(differing).toEqual([
      ["public-entry Modified", "web-1 Modified", "web-4 Added", "web-5 Added"],
      ["catalogue-db Modified", "legacy-db Modified", "orders-db Modified"],
      [
        "bastion Modified",
        "bastion.example.net Modified",
        "monitoring-access Added",
        "operator-access Modified",
      ],
      [
        "test-a Added",
        "test-access Added",
        "test-app Added",
        "test-b Added",
        "test-db Added",
        "test-db.example.net Added",
        "test-entry Added",
        "test-network Added",
        "test-web-1 Added",
        "test-web-2 Added",
        "test.example.net Added",
      ],
    ]);
    const find = async (component: string, changeSetId = "HEAD") =>
      (await api.components.find({ workspaceId, changeSetId, query: { component } })).component;
    const secrets = await api.secrets.list({ workspaceId, changeSetId: "HEAD" });
    const [account] = secrets["Cloud Credential"]?.secrets ?? [];
    expect(account?.name).toBe("sample account");
    expect((await find("cloud-account")).secretId).toBe(account?.id);
    const entry = await find("public-entry");
    expect(entry.connections).toHaveLength(3);
    expect(entry.views.map(({ name }) => name).sort()).toEqual(["DEFAULT", "Entry points"]);
    const [, scaled = "", , tightened = ""] = changeSets.map(({ id }) => id);
    expect((await find("public-entry", scaled)).connections).toHaveLength(5);
    const name = "bastion.example.net";
    expect([(await find(name)).canBeUpgraded, (await find(name, tightened)).canBeUpgraded]).toEqual([
      true,
      false,
    ]);

    const again = await seedSample({ ...server, settle: server.propagate });
    expect(again).toMatchObject({ workspaceId, access: undefined });
    expect(await api.changeSets.list({ workspaceId })).toEqual({ changeSets });
    expect(await list("HEAD")).toEqual(head);
  });

  it("gives a new way in to whoever lost the old one", async () => {
    const { access } = await seedSample({
      ...suite.server,
      settle: suite.server.propagate,
      renewAccess: true,
    });
    const answer = await suite.server.request("POST", "/api/auth/sign-in/username", {
      body: { username: "admin", password: access?.password },
    });
    expect(answer.status).toBe(200);
    expect((await suite.server.request("GET", "/api/whoami", { as: access?.key ?? "" })).status).toBe(200);
  });
});
