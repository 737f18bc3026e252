import { describe, expect, it } from "vitest";
import { seedSample } from "../../../server/sample/seed.ts";
import { sqlite } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { eventually, until } from "../../support/until.ts";

describe("the sample's functions", () => {
  // They take their time, so that people can watch them: once is enough.
  const suite = suiteServer(sqlite, { worker: true });

  it("build an environment in the order of its parts, but for the one that is too large and what reads from it", {
    timeout: 120_000,
  }, async () => {
    const { server } = suite;
    const { workspaceId, access } = await seedSample({ ...server, settle: server.propagate });
    const api = server.client(access?.key ?? "");
    const { changeSets } = await api.changeSets.list({ workspaceId });
    const changeSetId = changeSets.find(({ name }) => name === "Bring up the test environment")?.id ?? "";
    const planned = await api.actions.list({ workspaceId, changeSetId });
    const names = async (layer: string) => {
      const query = { limit: 300, includeAll: true };
      const { componentDetails } = await api.components.list({ workspaceId, changeSetId: layer, query });
      return new Map(componentDetails.map((one) => [one.componentId, one]));
    };
    const before = await names(changeSetId);
    expect(planned.actions.map(({ kind }) => kind)).toEqual(planned.actions.map(() => "Create"));
    expect(planned.actions).toHaveLength(11);
    const failing = [...before.values()].flatMap(({ name, qualificationFunctions }) =>
      (qualificationFunctions ?? []).flatMap(({ functionName }) => (functionName === "" ? [] : [name])),
    );
    expect(failing.length).toBeGreaterThan(0);

    await api.changeSets.forceApply({ workspaceId, changeSetId });
    const log = await eventually(async () => {
      const { funcRuns } = await api.functionRuns.list({ workspaceId, changeSetId: "HEAD", query: {} });
      const running = funcRuns.find(
        ({ state, actionKind }) => state === "Running" && actionKind === "Create",
      );
      if (running === undefined) return undefined;
      const place = { workspaceId, changeSetId: "HEAD", funcRunId: running.id };
      const { funcRun } = await api.functionRuns.get(place);
      return funcRun.state === "Running" && (funcRun.logs?.logs.length ?? 0) > 0 ? funcRun.logs : undefined;
    }, "a line of a function that still runs");
    expect(log?.finalized).toBe(false);
    // Five steps after each other, of some seconds each.
    const isDone = async (): Promise<boolean> => {
      const { actions } = await api.actions.list({ workspaceId, changeSetId: "HEAD" });
      return actions.every(({ state }) => state === "Failed" || state === "Pending") && actions.length === 2;
    };
    await until(isDone, "the end of what can be done", 90);
    const { actions } = await api.actions.list({ workspaceId, changeSetId: "HEAD" });
    const after = await names("HEAD");
    const left = actions.map(({ componentId, state }) => [after.get(componentId ?? "")?.name, state]);
    expect(left.sort()).toEqual([
      ["test-db", "Failed"],
      ["test-db.example.net", "Pending"],
    ]);
    const { funcRuns } = await api.functionRuns.list({
      workspaceId,
      changeSetId: "HEAD",
      query: { state: "Success", limit: 300 },
    });
    const failed = funcRuns.find(({ actionResultState }) => actionResultState === "Failure");
    expect(failed?.componentName).toBe("test-db");
    const created = funcRuns.filter(({ actionKind }) => actionKind === "Create").reverse();
    const order = created.map(({ componentName }) => componentName ?? "");
    const isBefore = (one: string, other: string): boolean => order.indexOf(one) < order.indexOf(other);
    expect(isBefore("test-network", "test-a") && isBefore("test-a", "test-web-1")).toBe(true);
    expect(isBefore("test-web-2", "test-entry") && isBefore("test-entry", "test.example.net")).toBe(true);
    const web = [...after.values()].find(({ name }) => name === "test-web-1");
    expect(web).toMatchObject({ hasResource: true, resourceStatus: "Ok" });
  });

  it("import what the cloud has, judge what is there, and generate code", { timeout: 60_000 }, async () => {
    const { server } = suite;
    const { workspaceId } = await seedSample({ ...server, settle: server.propagate });
    const { access } = await seedSample({ ...server, settle: server.propagate, renewAccess: true });
    const api = server.client(access?.key ?? "");
    const { changeSet } = await api.changeSets.create({ workspaceId, body: { changeSetName: "import" } });
    const place = { workspaceId, changeSetId: changeSet.id };
    const find = async (component: string) => await api.components.find({ ...place, query: { component } });
    const { component: network, managementFunctions } = await find("staging-network");
    expect(managementFunctions.map(({ funcName }) => funcName)).toEqual(["Import subnets"]);
    await api.managementJobs.execute({
      ...place,
      componentId: network.id,
      body: { managementFunction: { function: "importSubnets" } },
    });
    const job = await eventually(async () => {
      const { jobs } = await api.jobs.list({ ...place, query: {} });
      return jobs.find(({ state }) => state === "Success" || state === "Failure");
    }, "the end of the import");
    expect(job).toMatchObject({ state: "Success", failure: null });
    const { component: imported } = await find("staging-network-imported-d");
    expect(imported.attributes).toMatchObject({ "/domain/AvailabilityZone": "eu-west-1d" });
    await server.propagate(changeSet.id);
    const query = { limit: 300, includeAll: true };
    const { componentDetails } = await api.components.list({ ...place, changeSetId: "HEAD", query });
    const codegen = componentDetails.find(({ name }) => name === "web-1")?.codegen;
    expect(JSON.stringify(codegen)).toContain("#cloud-config");
    const record = await api.components.find({
      workspaceId,
      changeSetId: "HEAD",
      query: { component: "www.example.net" },
    });
    expect(record.component.domainProps.find(({ path }) => path.endsWith("FullName"))?.value).toBe(
      "www.example.net",
    );
  });
});
