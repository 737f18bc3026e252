import { beforeAll, describe, expect, it } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { type Person, suiteServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";
import { behavingSchema, installedFile } from "./package-inputs.ts";
import { contributionScenarios, fileScenarios, installScenarios } from "./packages.scenarios.ts";

describeEngines("packages over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios(fileScenarios, () => world);
  runScenarios(installScenarios, () => world);
  runScenarios(contributionScenarios, () => world);

  const open = async (person: Person) => {
    const client = suite.server.client(person.key);
    const body = { changeSetName: `set ${world.fresh()}` };
    const { workspaceId } = person;
    const { changeSet } = await client.changeSets.create({ workspaceId, body });
    return { client, at: { workspaceId, changeSetId: changeSet.id } };
  };

  describe("a schema that was contributed", () => {
    /** What a component of a schema shows, apart from whose it is. */
    const behaviour = async (person: Person, schemaName: string) => {
      const { client, at } = await open(person);
      const attributes = { "/domain/Size": 5 };
      const { component } = await client.components.create({
        ...at,
        body: { name: "one", schemaName, attributes },
      });
      await suite.server.propagate(at.changeSetId);
      const found = await client.components.get({ ...at, componentId: component.id });
      const { schemaId } = component;
      const variant = await client.schemas.variantDefault({ ...at, schemaId });
      const functions = await Promise.all(
        variant.variantFuncs.map(async ({ id, funcKind }) => {
          const { isLocked: _, ...func } = await client.functions.get({ ...at, funcId: id });
          return { funcKind, ...func };
        }),
      );
      const { actions } = await client.actions.list(at);
      return {
        attributes: found.component.attributes,
        domain: found.component.domainProps.map(({ path, value }) => ({ path, value })),
        functions: functions.sort((a, b) => (a.name < b.name ? -1 : 1)),
        kinds: found.actionFunctions.map(({ funcName }) => funcName),
        actions: actions.map(({ name, kind }) => ({ name, kind })),
      };
    };

    it("behaves in another workspace as it does in its own", async () => {
      const { name, schemaId, changeSetId } = await behavingSchema(world);
      const { client, at } = {
        client: suite.server.client(world.ada.key),
        at: { workspaceId: world.ada.workspaceId },
      };
      await client.packages.contribute({ ...at, changeSetId, schemaId });
      const own = await behaviour(world.ada, name);
      const elsewhere = await behaviour(world.eve, name);
      expect(elsewhere).toEqual(own);
      expect(own.functions.map((func) => func.name)).toEqual([
        "grow",
        "isSmall",
        "labelOf",
        "make",
        "render",
      ]);
    });

    it("is replaced in the catalogue by what is contributed later, and stays as it is where it was installed", async () => {
      const { schemaId, changeSetId } = await behavingSchema(world);
      const ada = { client: suite.server.client(world.ada.key), at: { workspaceId: world.ada.workspaceId } };
      await ada.client.packages.contribute({ ...ada.at, changeSetId, schemaId });
      const first = await open(world.eve);
      const installed = await first.client.packages.install({ ...first.at, schemaId });
      const { unlockedVariantId } = await ada.client.schemas.unlock({ ...ada.at, changeSetId, schemaId });
      await ada.client.schemas.variantUpdate({
        ...ada.at,
        changeSetId,
        schemaId,
        schemaVariantId: unlockedVariantId,
        body: {
          name: "Newer",
          category: "Tests",
          code: "function main() { return new AssetBuilder().build(); }",
        },
      });
      await suite.server.apply(world.ada, changeSetId);
      const next = await open(world.ada);
      await next.client.packages.contribute({ ...next.at, schemaId });
      expect(await first.client.packages.install({ ...first.at, schemaId })).toEqual(installed);
      const second = await open(world.eve);
      const newer = await second.client.packages.install({ ...second.at, schemaId });
      expect(newer.defaultVariantId).not.toBe(installed.defaultVariantId);
      const variant = await second.client.schemas.variantDefault({ ...second.at, schemaId });
      expect([variant.displayName, variant.domainProps?.children]).toEqual(["Newer", []]);
    });

    it("is shown before it is installed as it is afterwards, whatever its code defines", async () => {
      const { schemaId, changeSetId } = await installedFile(world);
      const ada = suite.server.client(world.ada.key);
      await ada.packages.contribute({ workspaceId: world.ada.workspaceId, changeSetId, schemaId });
      const { client, at } = await open(world.eve);
      const variantDefault = () => client.schemas.variantDefault({ ...at, schemaId });
      // Its definition runs at the first read, on a sandbox that may have to come up first.
      const isShown = async () =>
        variantDefault().then(
          () => true,
          () => false,
        );
      await until(isShown, "the definition to have run");
      const shown = await variantDefault();
      await client.packages.install({ ...at, schemaId });
      expect({ ...(await variantDefault()), variantFuncIds: [] }).toEqual(shown);
      expect(shown.domainProps?.children?.map(({ name }) => name)).toEqual(["region"]);
    });

    it("is seen by whoever holds a list of schemas", async () => {
      const { client, at } = await open(world.eve);
      const { etag } = await (async () => {
        const answer = await client.schemas.list.conditional(
          { ...at, query: { limit: 300 } },
          { etag: undefined, waitSeconds: 0 },
        );
        if (answer.unchanged) throw new Error("nothing to compare with");
        return answer;
      })();
      const { schemaId, changeSetId } = await behavingSchema(world);
      const ada = suite.server.client(world.ada.key);
      await ada.packages.contribute({ workspaceId: world.ada.workspaceId, changeSetId, schemaId });
      const again = await client.schemas.list.conditional(
        { ...at, query: { limit: 300 } },
        { etag, waitSeconds: 0 },
      );
      expect(again.unchanged).toBe(false);
    });
  });

  it("installs a schema of the catalogue with its first component, the same in two change sets", async () => {
    const [one, two] = [await open(world.eve), await open(world.eve)];
    const body = { name: "file", schemaName: "config file", attributes: { "/domain/Path": "/etc/a.yaml" } };
    const first = (await one.client.components.create({ ...one.at, body })).component;
    const second = (await two.client.components.create({ ...two.at, body })).component;
    expect([second.schemaId, second.schemaVariantId]).toEqual([first.schemaId, first.schemaVariantId]);
    await suite.server.apply(world.eve, one.at.changeSetId);
    await suite.server.apply(world.eve, two.at.changeSetId);
    const head = { workspaceId: world.eve.workspaceId, changeSetId: "HEAD" };
    const { schemaId } = first;
    expect((await one.client.schemas.get({ ...head, schemaId })).variantIds).toEqual([first.schemaVariantId]);
  });

  it("keeps what was made of a schema meanwhile where another change set had installed it too", async () => {
    const [one, late] = [await open(world.ada), await open(world.ada)];
    const { client } = one;
    const { schemaId } = await client.schemas.find({ ...one.at, query: { schema: "Virtual Network" } });
    await client.packages.install({ ...late.at, schemaId });
    const { unlockedVariantId } = await client.schemas.unlock({ ...one.at, schemaId });
    await suite.server.apply(world.ada, one.at.changeSetId);
    await suite.server.apply(world.ada, late.at.changeSetId);
    const head = { workspaceId: world.ada.workspaceId, changeSetId: "HEAD" };
    expect((await client.schemas.get({ ...head, schemaId })).defaultVariantId).toBe(unlockedVariantId);
  });
});
