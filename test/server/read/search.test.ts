import { beforeAll, expect, it } from "vitest";
import { everything, parseSearch } from "../../../server/domain/search-query.ts";
import { rulesFor } from "../../../server/read/rules.ts";
import { type SearchTools, searchComponents } from "../../../server/read/search.ts";
import { SearchIndex } from "../../../server/read/search-index.ts";
import { VariantCache } from "../../../server/read/variants.ts";
import { getChangeSet, getHead } from "../../../server/store/change-sets.ts";
import type { Layer } from "../../../server/store/layer.ts";
import { reindexSearch } from "../../../server/store/search-reindex.ts";
import type { ComponentTable } from "../../../server/store/tables.ts";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { suiteServer, type TestServer } from "../../support/server.ts";

describeEngines("the search index", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  let server: TestServer;
  /** What a process has in memory that has just been started. */
  const fresh = (limit?: number): SearchTools => ({
    variants: new VariantCache(),
    search: new SearchIndex(limit),
  });
  const find = async (tools: SearchTools, layer: Layer, query = ""): Promise<string[]> => {
    const wanted = { query: parseSearch(query, "q") };
    return (await searchComponents(server.store, tools, layer, wanted)).map(({ name }) => name);
  };
  const layerOf = (changeSetId: string): Promise<Layer> =>
    getChangeSet(server.store, world.ada.workspaceId, changeSetId);
  const head = (): Promise<Layer> => getHead(server.store, world.ada.workspaceId);
  /** A change set with components of these names. */
  const stocked = async (...names: readonly string[]): Promise<{ layer: Layer; ids: string[] }> => {
    const changeSetId = await world.changeSet();
    const ids: string[] = [];
    for (const name of names)
      ids.push(await world.component(changeSetId, name, { "/domain/region": `of ${name}` }));
    return { layer: await layerOf(changeSetId), ids };
  };
  const damage = (layer: Layer, id: string | undefined, how: Partial<ComponentTable>): Promise<unknown> =>
    server.store.write((tx) =>
      tx.db
        .updateTable("component")
        .set(how)
        .where("layer", "=", layer.id)
        .where("id", "=", id ?? "")
        .execute(),
    );
  const reindex = (workspaceId?: string) =>
    reindexSearch(server.store, (reads) => rulesFor(reads, new VariantCache()), workspaceId);

  beforeAll(async () => {
    server = suite.server;
    world = await createWorld(server);
  });

  it("is never behind a write, in whichever process it was made", async () => {
    const { layer, ids } = await stocked("n1", "n2", "n3");
    const [one, another] = [fresh(), fresh()];
    for (const tools of [one, another])
      expect(await find(tools, layer, "name:n")).toEqual(["n1", "n2", "n3"]);
    const { workspaceId, key } = world.ada;
    const place = { workspaceId, changeSetId: layer.id, componentId: ids[1] ?? "" };
    await server.client(key).components.update({ ...place, body: { name: "m2" } });
    for (const tools of [one, another])
      expect(await find(tools, layer, "name:n|m")).toEqual(["n1", "m2", "n3"]);
    await server.client(key).components.erase(place);
    await world.component(layer.id, "n4");
    for (const tools of [one, another])
      expect(await find(tools, layer, "name:n|m")).toEqual(["n1", "n3", "n4"]);
  });

  it("shows an apply in full or not at all", async () => {
    const { layer } = await stocked("whole-1", "whole-2", "whole-3");
    const watching = fresh();
    await find(watching, layer, "whole");
    const headLayer = await head();
    const seen = new Set<number>();
    let done = false;
    const watch = async (of: Layer): Promise<void> => {
      do {
        seen.add((await find(watching, of, "whole")).length);
        await new Promise((resolve) => setImmediate(resolve));
      } while (!done);
    };
    const watchers = [watch(layer), watch(headLayer)];
    await server.apply(world.ada, layer.id);
    done = true;
    await Promise.all(watchers);
    expect([...seen].filter((count) => count !== 0 && count !== 3)).toEqual([]);
    // An applied change set shows the head.
    for (const of of [layer, headLayer]) expect((await find(watching, of, "whole")).length).toBe(3);
  });

  it("shows what a change set shows before its values were computed again", async () => {
    const { layer, ids } = await stocked("base");
    await server.apply(world.ada, layer.id);
    const [open, other] = [await layerOf(await world.changeSet()), await layerOf(await world.changeSet())];
    const client = server.client(world.ada.key);
    const { workspaceId } = world.ada;
    const edit = (changeSetId: string, attributes: Record<string, unknown>) =>
      client.components.update({ workspaceId, changeSetId, componentId: ids[0] ?? "", body: { attributes } });
    await edit(open.id, { "/domain/size": 5 });
    const tools = fresh();
    expect(await find(tools, open, "base size:5")).toEqual(["base"]);
    await edit(other.id, { "/domain/image": "new", "/domain/size": 6 });
    await server.apply(world.ada, other.id);
    expect(await find(tools, open, "base size:5 image:new diff:modified")).toEqual(["base"]);
    expect(await find(tools, await head(), "base size:6 image:new !diff:true")).toEqual(["base"]);
    await server.propagate(open.id);
    expect(await find(tools, open, "base size:5 image:new diff:modified")).toEqual(["base"]);
  });

  it("sees what a propagation computed, in components that were edited and in others", async () => {
    const { layer, ids } = await stocked("spring");
    const { workspaceId, key } = world.ada;
    const $source = { component: ids[0], path: "/domain/region" };
    await world.component(layer.id, "added-reader", { "/domain/region": { $source } });
    await server.apply(world.ada, layer.id);
    const open = await layerOf(await world.changeSet());
    await world.component(open.id, "open-reader", { "/domain/region": { $source } });
    const tools = fresh();
    // Not yet: what others give follows with the propagation.
    expect(await find(tools, open, "region:spring name:reader")).toEqual(["added-reader"]);
    await server.propagate(open.id);
    expect(await find(tools, open, "region:spring name:reader")).toEqual(["added-reader", "open-reader"]);
    const place = { workspaceId, changeSetId: open.id, componentId: ids[0] ?? "" };
    const body = { attributes: { "/domain/region": "autumn" } };
    await server.client(key).components.update({ ...place, body });
    await server.propagate(open.id);
    expect(await find(tools, open, "region:autumn")).toEqual(["spring", "added-reader", "open-reader"]);
    expect(await find(tools, open, "region:autumn diff:modified")).toEqual(["spring", "added-reader"]);
  });

  it("knows of a schema what the change set knows", async () => {
    const { layer } = await stocked("schemed");
    const tools = fresh();
    expect(await find(tools, layer, "schemed schema:machine category:compute upgradable:false")).toEqual([
      "schemed",
    ]);
    const wanted = { query: everything, category: "Nowhere" };
    expect(await searchComponents(server.store, tools, layer, wanted)).toEqual([]);
  });

  it("keeps what it can hold, and is right without", async () => {
    const tools = fresh(0);
    const { layer } = await stocked("small");
    const eve = await getHead(server.store, world.eve.workspaceId);
    for (let turn = 0; turn < 3; turn++) {
      expect(await find(tools, layer, "name:small")).toEqual(["small"]);
      expect(await find(tools, eve)).toEqual([]);
    }
  });

  it("answers those who ask at once alike", async () => {
    const { layer } = await stocked("together");
    const tools = fresh();
    const headLayer = await head();
    const asked = Array.from({ length: 20 }, (_, index) =>
      find(tools, index % 2 === 0 ? layer : headLayer, "name:together"),
    );
    for (const [index, found] of (await Promise.all(asked)).entries())
      expect(found).toEqual(index % 2 === 0 ? ["together"] : []);
  });

  it.each<[what: string, how: Partial<ComponentTable>]>([
    ["a seal that is missing", { search_seal: null }],
    ["a seal of another version", { search_seal: "0.x" }],
    ["values that are not what was sealed", { vals: '{"/si/name":"forged"}' }],
    ["values that cannot be read", { vals: "{" }],
    ["no values", { vals: null }],
  ])("is invalid with %s, and mended by reindexing", async (_what, how) => {
    const { layer, ids } = await stocked("sound", "hurt");
    await damage(layer, ids[1], how);
    await expect(find(fresh(), layer)).rejects.toMatchObject({
      error: "searchIndexInvalid",
      message: expect.stringContaining(ids[1] ?? ""),
    });
    await reindex(world.ada.workspaceId);
    for (const query of ['name:"hurt"', 'region:"of hurt"', "hurt type:component"])
      expect(await find(fresh(), layer, query)).toEqual(["hurt"]);
    expect(await find(fresh(), layer, "name:sound|hurt region:of")).toEqual(["sound", "hurt"]);
  });

  it("of the head is mended together with what change sets made of it", async () => {
    const { layer, ids } = await stocked("source");
    await server.apply(world.ada, layer.id);
    const open = await layerOf(await world.changeSet());
    const reader = await world.component(open.id, "reader", {
      "/domain/region": { $source: { component: ids[0], path: "/domain/region" } },
    });
    await server.propagate(open.id);
    const headLayer = await head();
    await damage(headLayer, ids[0], { vals: "{}" });
    await damage(open, reader, { vals: '{"/domain/region":"lost"}' });
    for (const of of [headLayer, open])
      await expect(find(fresh(), of)).rejects.toMatchObject({ error: "searchIndexInvalid" });
    await reindex(world.ada.workspaceId);
    await server.propagate(headLayer.id);
    await server.propagate(open.id);
    expect(await find(fresh(), headLayer, 'region:"of source"')).toEqual(["source"]);
    expect(await find(fresh(), open, 'region:"of source"')).toEqual(["source", "reader"]);
  });

  it("is mended in a change set that was purged too, which can still be read", async () => {
    const eve = world.eve;
    const { workspaceId, key } = eve;
    await server.install(eve, [{ name: "Tiny", category: "C", color: "#000000", domain: [] }]);
    const client = server.client(key);
    const { changeSet } = await client.changeSets.create({ workspaceId, body: { changeSetName: "old" } });
    const body = { name: "kept", schemaName: "Tiny" };
    const made = await client.components.create({ workspaceId, changeSetId: changeSet.id, body });
    await client.changeSets.purgeOpen({ workspaceId });
    const layer = await getChangeSet(server.store, workspaceId, changeSet.id);
    await damage(layer, made.component.id, { search_seal: null });
    await expect(find(fresh(), layer)).rejects.toMatchObject({ error: "searchIndexInvalid" });
    expect(await reindex(workspaceId)).toEqual({ layers: 1, components: 1 });
    expect(await find(fresh(), layer)).toEqual(["kept"]);
  });

  it("takes no harm from rows that nothing shows", async () => {
    const { layer, ids } = await stocked("shown", "hidden");
    await server.apply(world.ada, layer.id);
    const open = await layerOf(await world.changeSet());
    const { workspaceId, key } = world.ada;
    await server
      .client(key)
      .components.erase({ workspaceId, changeSetId: open.id, componentId: ids[1] ?? "" });
    const headLayer = await head();
    await damage(headLayer, ids[1], { search_seal: null });
    expect(await find(fresh(), open, "name:shown|hidden")).toEqual(["shown"]);
    await expect(find(fresh(), headLayer)).rejects.toMatchObject({ error: "searchIndexInvalid" });
    await reindex();
    expect(await find(fresh(), headLayer, "name:shown|hidden")).toEqual(["shown", "hidden"]);
  });

  it("is left as it is by reindexing where it is sound", async () => {
    const revisions = () =>
      server.store.db.selectFrom("change_set").select(["id", "rev"]).orderBy("id").execute();
    const before = await revisions();
    const gone = await reindex(world.ada.workspaceId);
    expect(gone.components).toBeGreaterThan(10);
    expect(await revisions()).toEqual(before);
    await expect(reindex("01J00000000000000000000000")).rejects.toMatchObject({ error: "workspaceNotFound" });
  });
});
