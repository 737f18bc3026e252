import { beforeAll, expect, it } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { bindFunctions, type TestFunction } from "../../support/functions.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { eventually } from "../../support/until.ts";

const management = (name: string, ops: object | string): TestFunction => ({
  kind: "management",
  name,
  code: `async function main(input) { ${typeof ops === "string" ? ops : `return { status: "ok", ops: ${JSON.stringify(ops)} };`} }`,
});
const action = (name: string, actionKind: "Create" | "Manual" | "Destroy" | "Refresh"): TestFunction => ({
  kind: "action",
  name,
  actionKind,
  code: "async function main() { return { status: 'ok', payload: { id: 'x' } }; }",
});

describeEngines("what management functions return", (engine) => {
  const suite = suiteServer(engine, { worker: true });
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  const api = () => world.server.client(world.ada.key);

  /** A change set with a manager whose schema has these functions. */
  const managed = async (...functions: TestFunction[]) => {
    const changeSetId = await world.changeSet();
    await bindFunctions(world.server, world.ada, changeSetId, "Machine", functions);
    const componentId = await world.component(changeSetId, "manager", { "/domain/size": 2 });
    const place = { workspaceId: world.ada.workspaceId, changeSetId };
    /** Runs a function to its end; the failure of the job, undefined where it went well. */
    const run = async (name: string): Promise<string | undefined> => {
      const body = { managementFunction: { function: name } };
      const { managementFuncJobStateId: id } = await api().managementJobs.execute({
        ...place,
        componentId,
        body,
      });
      const job = await eventually(async () => {
        const { jobs } = await api().jobs.list({ ...place, query: {} });
        return jobs.find((one) => one.id === id && (one.state === "Success" || one.state === "Failure"));
      }, `the job of ${name}`);
      return job.failure ?? undefined;
    };
    const find = async (name: string) =>
      (await api().components.find({ ...place, query: { component: name } })).component;
    const names = async () => {
      const { componentDetails } = await api().components.list({ ...place, query: { limit: 300 } });
      return componentDetails.map(({ name }) => name);
    };
    const actions = async () =>
      (await api().actions.list(place)).actions.map(({ name, componentId: of }) => ({ name, of }));
    return { place, componentId, run, find, names, actions };
  };

  it("makes components that read from each other, in views and with places of their own", async () => {
    const { run, find, componentId } = await managed(
      management("build", {
        views: { create: ["Edge"] },
        create: {
          network: {
            kind: "Network",
            attributes: { "/domain/cidr": "10.0.0.0/8" },
            geometry: { x: 5, y: 6 },
          },
          web: {
            properties: { si: { color: "#112233" }, domain: { labels: { a: "1" }, ports: [80, 443] } },
            attributes: {
              "/domain/region": { $source: { component: "network", path: "/domain/cidr" } },
              "/domain/size": { $source: { component: "self", path: "/domain/size" } },
            },
            geometry: { DEFAULT: { x: 1, y: 2 }, Edge: { x: 3, y: 4 } },
          },
        },
      }),
      management(
        "look",
        `const web = Object.values(input.components).find((one) => one.properties.si.name === "web");
         if (web.geometry.Edge.x !== 3 || web.sources["/domain/size"].path !== "/domain/size") throw new Error(JSON.stringify(web));
         return { status: "ok", ops: { update: { self: { properties: { domain: { size: web.properties.domain.ports[1] } } } } } };`,
      ),
    );
    expect(await run("build")).toBeUndefined();
    const web = await find("web");
    const network = await find("network");
    expect(web.views.map(({ name }) => name).sort()).toEqual(["DEFAULT", "Edge"]);
    expect(web.attributes).toMatchObject({
      "/si/color": "#112233",
      "/domain/labels/a": "1",
      "/domain/ports/0": 80,
      "/domain/ports/1": 443,
      "/domain/region": { $source: { component: network.id, path: "/domain/cidr" } },
      "/domain/size": { $source: { component: componentId, path: "/domain/size" } },
    });
    expect(web.connections).toEqual([{ managedBy: { componentId, componentName: "manager" } }]);
    expect(await run("look")).toBeUndefined();
    expect((await find("manager")).attributes["/domain/size"]).toBe(443);
  });

  it("brings about what is wanted, set out in a view, and does nothing once that is so", async () => {
    const { run, find, names, place, componentId } = await managed(
      management(
        "converge",
        `const { size } = template.variables(input.thisComponent);
         const wanted = { network: { kind: "Network", attributes: { "/domain/cidr": "10.0.0.0/8" } } };
         for (let at = 0; at < size; at++)
           wanted["web" + at] = { attributes: { "/domain/region": { $source: { component: "network", path: "/domain/cidr" } } } };
         const ops = template.converge(input, layout.place(wanted, layout.tree(wanted)));
         if (Object.keys(ops).length === 0) return { status: "error", message: "nothing to do" };
         return { status: "ok", ops };`,
      ),
    );
    const log = async () => (await api().functionRuns.list({ ...place, query: { componentId } })).funcRuns;
    expect(await run("converge")).toBeUndefined();
    expect((await names()).sort()).toEqual(["manager", "network", "web0", "web1"]);
    expect((await log())[0]?.actionResultState).toBe("Success");
    await run("converge");
    expect((await log())[0]?.actionResultState).toBe("Failure");
    await api().components.update({ ...place, componentId, body: { attributes: { "/domain/size": 1 } } });
    expect(await run("converge")).toBeUndefined();
    expect([(await find("web0")).toDelete, (await find("web1")).toDelete]).toEqual([false, true]);
  });

  it("changes, takes out of views, marks and erases what it manages", async () => {
    const { run, find, names, place } = await managed(
      management("make", { views: { create: ["Edge"] }, create: { a: {}, b: {}, c: {} } }),
      management("change", {
        erase: ["a"],
        delete: ["b"],
        update: { c: { properties: { domain: { size: 9 } }, geometry: { Edge: { x: 1, y: 1 } } } },
        remove: { DEFAULT: ["c"], Nowhere: ["c"] },
        views: { remove: ["Edge", "DEFAULT"] },
      }),
    );
    expect(await run("make")).toBeUndefined();
    expect(await run("change")).toBeUndefined();
    expect((await names()).sort()).toEqual(["b", "c", "manager"]);
    expect((await find("b")).toDelete).toBe(true);
    const c = await find("c");
    expect(c.attributes["/domain/size"]).toBe(9);
    expect(c.views.map(({ name }) => name)).toEqual(["Edge"]);
    expect(place.changeSetId).toBeDefined();
  });

  it("queues and takes back actions, by kind and by the name of a Manual function", async () => {
    const { run, actions, find } = await managed(
      action("createIt", "Create"),
      action("destroyIt", "Destroy"),
      action("rebootIt", "Manual"),
      management("act", {
        create: { child: {}, known: { properties: { resource: { id: "i-1" } } } },
        actions: { self: { add: ["rebootIt", "create"] }, child: { remove: ["CREATE"], add: ["delete"] } },
      }),
    );
    expect(await run("act")).toBeUndefined();
    const [child, manager] = [await find("child"), await find("manager")];
    const queued = await actions();
    expect(queued.filter(({ of }) => of === child.id).map(({ name }) => name)).toEqual(["destroyIt"]);
    expect(
      queued
        .filter(({ of }) => of === manager.id)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["createIt", "rebootIt"]);
    // What has a resource already need not be created.
    expect(queued).toHaveLength(3);
  });

  it.each<[string, object, string]>([
    ["an unknown schema", { create: { good: {}, bad: { kind: "Nothing" } } }, "ops.create.bad"],
    ["a component twice", { create: { self: {} } }, "ops.create.self"],
    ["an unknown placeholder", { create: { good: {} }, update: { nobody: {} } }, "ops.update.nobody"],
    [
      "a value of the wrong kind",
      { update: { self: { attributes: { "/domain/size": "x" } } } },
      "ops.update.self",
    ],
    ["an unknown view", { create: { good: { geometry: { Nowhere: { x: 1, y: 1 } } } } }, "ops.create.good"],
    ["an unknown action", { create: { good: {} }, actions: { good: { add: ["fly"] } } }, "ops.actions.good"],
    ["ops of the wrong shape", { create: [1] }, "ops.create"],
  ])("is done as a whole or not at all: %s", async (_title, ops, where) => {
    const { run, names } = await managed(management("wrong", ops));
    expect(await run("wrong")).toContain(where);
    expect(await names()).toEqual(["manager"]);
  });

  it("says in the function's own words which components would wait for each other in a circle", async () => {
    const reading = (component: string) => ({
      attributes: { "/domain/region": { $source: { component, path: "/domain/region" } } },
    });
    const { run, names } = await managed(
      management("around", { create: { first: reading("second"), second: reading("first") } }),
    );
    expect(await run("around")).toBe(
      'ops.create.second: attributes /domain/region: subscribing to "first" would make components wait for each other in a circle: second → first → second',
    );
    expect(await names()).toEqual(["manager"]);
  });

  it("does nothing when it says that something is wrong, and the job has done its work", async () => {
    const { run, names } = await managed(
      management("says", "return { status: 'error', message: 'not today', ops: { create: { a: {} } } };"),
    );
    expect(await run("says")).toBeUndefined();
    expect(await names()).toEqual(["manager"]);
  });

  it("names the line of what it threw", async () => {
    const { run } = await managed(management("throws", "\n\nthrow new Error('no luck');"));
    expect(await run("throws")).toMatch(/no luck.*line 3/);
  });

  it("is not done where the job was cancelled: the run is killed, the job has failed", async () => {
    const waits = "await new Promise((done) => setTimeout(done, 60_000)); return { status: 'ok' };";
    const { place, componentId, names } = await managed(management("waits", waits));
    const body = { managementFunction: { function: "waits" } };
    const { managementFuncJobStateId: jobId } = await api().managementJobs.execute({
      ...place,
      componentId,
      body,
    });
    const job = async () =>
      (await api().jobs.list({ ...place, query: {} })).jobs.find(({ id }) => id === jobId);
    const funcRunId = await eventually(async () => {
      const { state, funcRunId: id } = (await job()) ?? {};
      return state === "Executing" ? (id ?? undefined) : undefined;
    }, "the function that waits");
    await api().jobs.cancel({ ...place, jobId });
    expect(await job()).toMatchObject({ state: "Failure", failure: expect.stringContaining("cancelled") });
    const run = await eventually(async () => {
      const { funcRun } = await api().functionRuns.get({ ...place, funcRunId });
      return funcRun.state === "Running" || funcRun.state === "Created" ? undefined : funcRun;
    }, "the end of the run");
    expect(run.state).toBe("Killed");
    expect(await names()).toEqual(["manager"]);
  });

  it("is one event when it starts, and one when its ops are applied", async () => {
    const { run, place } = await managed(management("make", { create: { a: {} } }));
    await run("make");
    const { events } = await api().events.list({ workspaceId: place.workspaceId, query: { limit: 300 } });
    const kinds = events.filter((event) => event.changeSetId === place.changeSetId).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind.startsWith("management_job"))).toEqual([
      "management_job.started",
      "management_job.applied",
    ]);
  });
});
