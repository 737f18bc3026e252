import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listRoots } from "../../server/store/roots.ts";
import { sqlite } from "../support/engines.ts";
import { bindFunctions } from "../support/functions.ts";
import { testSchemas } from "../support/schemas.ts";
import { type Person, startTestServer, type TestServer } from "../support/server.ts";

describe("an edit, where writers come one after the other", () => {
  let server: TestServer;
  let ada: Person;
  beforeAll(async () => {
    server = await startTestServer(sqlite);
    ada = await server.person("ada");
    await server.install(ada, testSchemas);
  });
  afterAll(() => server.stop());

  let named = 0;
  const world = async () => {
    const { workspaceId } = ada;
    const { components, changeSets } = server.client(ada.key);
    const { changeSet } = await changeSets.create({
      workspaceId,
      body: { changeSetName: `set ${named++}` },
    });
    const place = { workspaceId, changeSetId: changeSet.id };
    const create = async (attributes = {}, schemaName = "Machine") => {
      const body = { name: `component ${named++}`, schemaName, attributes };
      return (await components.create({ ...place, body })).component.id;
    };
    const edit = (componentId: string, attributes: Readonly<Record<string, unknown>>) =>
      components.update({ ...place, componentId, body: { attributes } });
    const roots = () => listRoots(server.store, changeSet.id);
    const drain = () => server.propagate(changeSet.id);
    return { place, create, edit, roots, drain };
  };
  const from = (component: string) => ({ $source: { component, path: "/domain/region" } });

  it("leaves nothing to compute of a component that reads nothing and that nothing reads", async () => {
    const { create, edit, roots } = await world();
    const id = await create({ "/domain/size": 1 });
    await edit(id, { "/domain/size": 2, "/domain/labels/a": "b", "/si/name": "another" });
    expect(await roots()).toEqual([]);
  });

  it("is felt by whoever reads the component, in the head too", async () => {
    const { place, create, edit, roots, drain } = await world();
    const source = await create();
    await create({ "/domain/image": from(source) });
    await drain();
    await edit(source, { "/domain/size": 2 });
    expect(await roots()).toEqual([source]);
    await server.apply(ada, place.changeSetId);
    const later = await world();
    await later.edit(source, { "/domain/size": 3 });
    expect(await later.roots()).toEqual([source]);
  });

  it("leaves a component to compute that reads another, until it no longer does", async () => {
    const { create, edit, roots, drain } = await world();
    const reader = await create({ "/domain/image": from(await create()) });
    expect(await roots()).toEqual([reader]);
    await drain();
    await edit(reader, { "/domain/size": 2 });
    expect(await roots()).toEqual([reader]);
    await drain();
    await edit(reader, { "/domain/image": "of its own" });
    expect(await roots()).toEqual([]);
  });

  it("leaves a component to compute whose schema has functions", async () => {
    const { place, create, edit, roots, drain } = await world();
    const id = await create();
    await bindFunctions(server, ada, place.changeSetId, "Machine", [
      { kind: "attribute", name: "image", code: "", output: "/domain/image", arguments: [] },
    ]);
    await drain();
    await edit(id, { "/domain/size": 2 });
    const made = await create();
    expect((await roots()).sort()).toEqual([id, made].sort());
  });
});
