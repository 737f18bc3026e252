import { expect, it } from "vitest";
import { describeEngines } from "../support/engines.ts";
import { createWorld } from "../support/scenarios.ts";
import { suiteServer } from "../support/server.ts";

describeEngines("two change sets that make a schema of one name", (engine) => {
  const suite = suiteServer(engine);

  it("shows both once one is applied, and the name means the older", async () => {
    const world = await createWorld(suite.server);
    const { workspaceId, key } = world.ada;
    const client = suite.server.client(key);
    const name = `Twin ${world.fresh()}`;
    const make = async (prop: string) => {
      const place = { workspaceId, changeSetId: await world.changeSet() };
      const code = `function main() {
        return new AssetBuilder().addProp(new PropBuilder().setName("${prop}").setKind("string").build()).build();
      }`;
      return { place, schemaId: (await client.schemas.create({ ...place, body: { name, code } })).schemaId };
    };
    const older = await make("first");
    const newer = await make("second");
    const create = (place: typeof older.place, attribute: string) =>
      client.components.create({
        ...place,
        body: { name: attribute, schemaName: name, attributes: { [`/domain/${attribute}`]: "x" } },
      });
    expect((await create(newer.place, "second")).component.schemaId).toBe(newer.schemaId);
    await client.changeSets.forceApply(older.place);
    // From now on the change set shows both.
    expect((await create(newer.place, "first")).component.schemaId).toBe(older.schemaId);
    const named = await client.schemas.find({ ...newer.place, query: { schema: name } });
    expect(named.schemaId).toBe(older.schemaId);
  });
});
