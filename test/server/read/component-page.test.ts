import { beforeAll, expect, it } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";

describeEngines("the list of components", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  const list = async (changeSetId: string, query: Record<string, unknown> = {}) => {
    const { workspaceId, key } = world.ada;
    return world.server.client(key).components.list({ workspaceId, changeSetId, query });
  };

  it("gives every component once, in order, page after page, also when the cursor's own is gone", async () => {
    const [below, changeSetId] = [await world.changeSet(), await world.changeSet()];
    for (let n = 0; n < 4; n++) await world.component(below, `head ${n}`);
    await world.server.apply(world.ada, below);
    for (let n = 0; n < 5; n++) await world.component(changeSetId, `own ${n}`);
    const whole = (await list(changeSetId, { limit: 300 })).componentDetails.map(
      ({ componentId }) => componentId,
    );
    expect(whole).toHaveLength(9);
    expect(whole).toEqual([...whole].sort());
    for (const limit of [1, 2, 4, 9, 10]) {
      const paged: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await list(changeSetId, { limit, ...(cursor === undefined ? {} : { cursor }) });
        expect(page.componentDetails.length).toBeLessThanOrEqual(limit);
        paged.push(...page.componentDetails.map(({ componentId }) => componentId));
        cursor = page.nextCursor;
      }
      expect(paged).toEqual(whole);
    }
    const { workspaceId, key } = world.ada;
    const [first = "", ...rest] = whole;
    await world.server.client(key).components.erase({ workspaceId, changeSetId, componentId: first });
    const after = await list(changeSetId, { cursor: first, limit: 300 });
    expect(after.componentDetails.map(({ componentId }) => componentId)).toEqual(rest);
  });

  it("says who reads a component, from where and what, by position in arrays", async () => {
    const changeSetId = await world.changeSet();
    const source = await world.component(changeSetId, "source", { "/domain/region": "eu-7" });
    const read = { $source: { component: "source", path: "/domain/region" } };
    const reader = await world.component(changeSetId, "reader", {
      "/domain/tags": [{ Key: "zero" }, { Key: "one" }],
      "/domain/tags/1/Value": read,
      "/domain/region": read,
    });
    await world.server.propagate(changeSetId);
    const page = await list(changeSetId, { includeSubscriptions: true, limit: 300 });
    const item = page.componentDetails.find(({ componentId }) => componentId === source);
    const entry = {
      toComponentId: reader,
      toComponentName: "reader",
      fromPath: "/domain/region",
      currentValue: "eu-7",
    };
    expect(item?.subscriptions).toHaveLength(2);
    expect(item?.subscriptions).toEqual(
      expect.arrayContaining([
        { ...entry, toPath: "/domain/region" },
        { ...entry, toPath: "/domain/tags/1/Value" },
      ]),
    );
    const other = page.componentDetails.find(({ componentId }) => componentId === reader);
    expect(other).not.toHaveProperty("subscriptions");
  });

  it("tells what a change set adds and changes from what it leaves alone, and nothing of it in the head", async () => {
    const [below, changeSetId] = [await world.changeSet(), await world.changeSet()];
    const kept = await world.component(below, "kept");
    const edited = await world.component(below, "edited");
    await world.server.apply(world.ada, below);
    const added = await world.component(changeSetId, "added");
    const { workspaceId, key } = world.ada;
    const body = { attributes: { "/domain/size": 2 } };
    await world.server.client(key).components.update({ workspaceId, changeSetId, componentId: edited, body });
    const status = async (where: string) => {
      const query = { includeDiffStatus: true, limit: 300, cursor: kept.slice(0, -1) };
      const { componentDetails } = await list(where, query);
      return Object.fromEntries(
        componentDetails.map((one) => [one.componentId, [one.diffStatus, one.hasDiff]]),
      );
    };
    expect(await status(changeSetId)).toEqual({
      [kept]: ["None", false],
      [edited]: ["Modified", true],
      [added]: ["Added", true],
    });
    expect(await status("HEAD")).toEqual({ [kept]: ["None", false], [edited]: ["None", false] });
  });

  it("shows what a component stands for", async () => {
    const changeSetId = await world.changeSet();
    const attributes = { "/resource/payload": '{"Id":"i-1"}', "/si/resourceId": "i-1" };
    const componentId = await world.component(changeSetId, "real", attributes);
    const page = await list(changeSetId, { includeResourceInfo: true, limit: 300 });
    expect(page.componentDetails.find((one) => one.componentId === componentId)).toMatchObject({
      hasResource: true,
      resourceId: "i-1",
      resourceStatus: "Ok",
    });
  });
});
