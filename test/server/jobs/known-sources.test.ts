import { beforeAll, expect, it } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { bindFunctions } from "../../support/functions.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { eventually } from "../../support/until.ts";

describeEngines("what is imported or discovered", (engine) => {
  const suite = suiteServer(engine, { worker: true });
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  const api = () => world.server.client(world.ada.key);

  /** A change set with a manager, and networks of these ranges that exist. */
  async function begin(networks: Readonly<Record<string, string>>) {
    const changeSetId = await world.changeSet();
    const place = { workspaceId: world.ada.workspaceId, changeSetId };
    const componentId = await world.component(changeSetId, "manager");
    for (const [name, CidrBlock] of Object.entries(networks)) {
      const attributes = { "/domain/CidrBlock": CidrBlock };
      await api().components.create({ ...place, body: { name, schemaName: "Virtual Network", attributes } });
    }
    /** Runs a function with these ops under a name, to a job that went well. */
    const run = async (name: string, ops: object): Promise<void> => {
      const code = `function main() { return { status: "ok", ops: ${JSON.stringify(ops)} }; }`;
      await bindFunctions(world.server, world.ada, changeSetId, "Machine", [
        { kind: "management", name, code },
      ]);
      const body = { managementFunction: { function: name } };
      const { managementFuncJobStateId } = await api().managementJobs.execute({
        ...place,
        componentId,
        body,
      });
      const state = await eventually(async () => {
        const job = await api().managementJobs.get({ ...place, managementFuncJobStateId });
        return job.state === "Success" || job.state === "Failure" ? job.state : undefined;
      }, `the job of ${name}`);
      expect(state).toBe("Success");
    };
    const find = async (name: string) =>
      (await api().components.find({ ...place, query: { component: name } })).component;
    const attributes = async (name: string) => (await find(name)).attributes;
    const reads = async (component: string, path: string) => ({
      $source: { component: (await find(component)).id, path },
    });
    const actions = async () => (await api().actions.list(place)).actions.map(({ kind }) => kind);
    return { place, run, find, attributes, reads, actions };
  }

  const subnet = (cidr: string, more: object = {}) => ({
    kind: "Subnet",
    attributes: { "/domain/NetworkCidr": cidr, ...more },
  });

  it("reads from the one component that has the value where its schema says to look", async () => {
    const { run, attributes, reads } = await begin({ left: "10.1.0.0/16", right: "10.2.0.0/16" });
    await run("Discover on cloud", { create: { found: subnet("10.2.0.0/16", { "/domain/Zone": "b" }) } });
    expect(await attributes("found")).toMatchObject({
      "/domain/NetworkCidr": await reads("right", "/domain/CidrBlock"),
      "/domain/Zone": "b",
    });
  });

  it("reads from what was found with it, by what that is known by", async () => {
    const { run, attributes, reads, actions, find } = await begin({});
    await run("Discover on cloud", {
      create: {
        network: { kind: "Virtual Network", properties: { resource: { NetworkId: "net-1" } } },
        found: {
          ...subnet("10.9.0.0/16", { "/domain/NetworkId": "net-1" }),
          properties: { resource: { SubnetId: "sub-1" } },
        },
      },
    });
    expect((await attributes("found"))["/domain/NetworkId"]).toEqual(
      await reads("network", "/resource_value/NetworkId"),
    );
    const value = await eventually(async () => {
      const { domainProps } = await find("found");
      return domainProps.find(({ path }) => path === "root/domain/NetworkId")?.value ?? undefined;
    }, "the id of the network");
    expect(value).toBe("net-1");
    // It is what it was found to be: nothing is to be updated.
    expect(await actions()).toEqual([]);
  });

  it("stays a literal where it may not be read, whatever else of the component is", async () => {
    const { place, run, attributes, reads } = await begin({ left: "10.1.0.0/16" });
    const suggested = (name: string) =>
      `new PropBuilder().setName("${name}").setKind("string")
        .suggestSource({ schema: "Virtual Network", prop: "/domain/CidrBlock" }).build()`;
    const code = `function main() {
      return new AssetBuilder().addProp(${suggested("free")}).addProp(new PropBuilder().setName("fixed")
        .setKind("object").setWidget(new PropWidgetDefinitionBuilder().setKind("header").setCreateOnly().build()).addChild(${suggested("range")}).build()).build();
    }`;
    const body = { name: `Found ${world.fresh()}`, category: "Tests", code };
    await api().schemas.create({ ...place, body });
    const domain = { free: "10.1.0.0/16", fixed: { range: "10.1.0.0/16" } };
    const properties = { domain, resource: { id: "r-1" } };
    await run("Import from cloud", { create: { found: { kind: body.name, properties } } });
    expect(await attributes("found")).toMatchObject({
      "/domain/free": await reads("left", "/domain/CidrBlock"),
      "/domain/fixed/range": "10.1.0.0/16",
    });
  });

  it("stays a literal where several have the value, where none has it, and where it was only made", async () => {
    const { run, attributes } = await begin({
      left: "10.1.0.0/16",
      right: "10.1.0.0/16",
      third: "10.3.0.0/16",
    });
    await run("Discover on cloud", {
      create: { ambiguous: subnet("10.1.0.0/16"), unknown: subnet("10.7.0.0/16") },
    });
    await run("make", { create: { made: subnet("10.3.0.0/16") } });
    for (const [name, cidr] of [
      ["ambiguous", "10.1.0.0/16"],
      ["unknown", "10.7.0.0/16"],
      ["made", "10.3.0.0/16"],
    ] as const)
      expect((await attributes(name))["/domain/NetworkCidr"]).toBe(cidr);
  });
});
