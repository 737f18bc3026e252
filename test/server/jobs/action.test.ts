import { expect, it } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { actingOn, from } from "./acting.ts";

describeEngines("actions that run", (engine) => {
  const suite = suiteServer(engine, { worker: true });
  const begin = () => actingOn(suite.server);

  it("create what an apply brings, along subscriptions, and refresh it", async () => {
    const { component, applied, settled, ran, resource, inHead } = await begin();
    const ids = await applied(async ({ changeSetId }) => {
      const a = await component(changeSetId, "a", { "/domain/size": 3 });
      const b = await component(changeSetId, "b", { "/domain/region": from("a") });
      return [a, b, await component(changeSetId, "c", { "/domain/region": from("b") })];
    });
    expect(await settled()).toEqual([]);
    const order = ["Create a", "Refresh a", "Create b", "Refresh b", "Create c", "Refresh c"];
    expect(await ran()).toEqual(order.map((one) => `${one} Success`));
    expect(await resource(ids[0] ?? "")).toMatchObject({
      status: "ok",
      payload: { size: 3, region: "eu-1" },
      last_synced: expect.stringMatching(/^20.*Z$/),
    });
    expect((await inHead(ids[0] ?? "")).component.resourceId).toBe("id of a");
  });

  it("destroy what was deleted, against subscriptions, and then it is gone", async () => {
    const { client, component, applied, settled, ran, names } = await begin();
    const ids = await applied(async ({ changeSetId }) => {
      const a = await component(changeSetId, "a");
      return [a, await component(changeSetId, "b", { "/domain/region": from("a") })];
    });
    await settled();
    await applied(async (at) => {
      for (const componentId of ids) await client.components.delete({ ...at, componentId });
      const { actions } = await client.actions.list(at);
      expect(actions.map(({ kind, state }) => [kind, state])).toEqual([
        ["Destroy", "Pending"],
        ["Destroy", "Pending"],
      ]);
    });
    expect(await settled()).toEqual([]);
    expect((await ran()).slice(4)).toEqual(["Destroy b Success", "Destroy a Success"]);
    expect(await names()).toEqual([]);
  });

  it("that fail block those that depend on them, and nothing else, until they are retried or cancelled", async () => {
    const { client, head, component, applied, settled, ran, inState } = await begin();
    const failing = { "/domain/labels": { create: "fail" } };
    const a = await applied(async ({ changeSetId }) => {
      const made = await component(changeSetId, "a", failing);
      await component(changeSetId, "b", { "/domain/region": from("a") });
      await component(changeSetId, "c");
      return made;
    });
    expect(await settled()).toEqual(["Create Failed a", "Create Pending b"]);
    expect((await ran()).sort()).toEqual(["Create a Failure", "Create c Success", "Refresh c Success"]);
    const { id: actionId, funcRunId } = await inState("Create", "Failed");
    expect(funcRunId).toEqual(expect.any(String));
    await client.actions.retry({ ...head, actionId });
    expect(await settled()).toEqual(["Create Failed a", "Create Pending b"]);
    expect(await ran()).toHaveLength(4);
    await applied((at) =>
      client.components.update({
        ...at,
        componentId: a,
        body: { attributes: { "/domain/labels/create": { $source: null } } },
      }),
    );
    expect(await settled()).toEqual(["Create Failed a", "Create Pending b"]);
    await client.actions.retry({ ...head, actionId });
    expect(await settled()).toEqual([]);
    expect((await ran()).slice(4)).toEqual(
      ["Create a", "Refresh a", "Create b", "Refresh b"].map((one) => `${one} Success`),
    );
  });

  it("wait behind one that is held or cancelled only as long as it is there", async () => {
    const { client, head, component, applied, settled, ran } = await begin();
    await applied(async (at) => {
      await component(at.changeSetId, "a");
      await component(at.changeSetId, "b", { "/domain/region": from("a") });
      const { actions } = await client.actions.list(at);
      await client.actions.putOnHold({ ...at, actionId: actions[0]?.id ?? "" });
    });
    expect(await settled()).toEqual(["Create OnHold a", "Create Pending b"]);
    expect(await ran()).toEqual([]);
    const { actions } = await client.actions.list(head);
    await client.actions.cancel({ ...head, actionId: actions[0]?.id ?? "" });
    expect(await settled()).toEqual([]);
    expect(await ran()).toEqual(["Create b Success", "Refresh b Success"]);
  });

  it("update what an edit changes, once", async () => {
    const { client, component, applied, settled, ran, resource } = await begin();
    const a = await applied(({ changeSetId }) => component(changeSetId, "a", { "/domain/size": 1 }));
    await settled();
    await applied(async (at) => {
      const update = (attributes: object) =>
        client.components.update({ ...at, componentId: a, body: { attributes: { ...attributes } } });
      await client.components.update({ ...at, componentId: a, body: { name: "aa" } });
      expect((await client.actions.list(at)).actions).toEqual([]);
      await update({ "/domain/size": 2 });
      await update({ "/domain/size": 5 });
      expect((await client.actions.list(at)).actions).toMatchObject([{ kind: "Update", state: "Pending" }]);
    });
    expect(await settled()).toEqual([]);
    expect((await ran()).slice(2)).toEqual(["Update aa Success"]);
    expect((await resource(a)).payload).toEqual({ size: 5, region: "eu-1" });
  });

  it("update what only reads the value that was edited", async () => {
    const { client, component, applied, settled, ran } = await begin();
    const a = await applied(async ({ changeSetId }) => {
      const made = await component(changeSetId, "a");
      await component(changeSetId, "b", { "/domain/region": from("a") });
      return made;
    });
    await settled();
    await applied((at) =>
      client.components.update({ ...at, componentId: a, body: { attributes: { "/domain/region": "us-1" } } }),
    );
    expect(await settled()).toEqual([]);
    expect((await ran()).slice(4)).toEqual(["Update a Success", "Update b Success"]);
  });

  it("see the resources of what they depend on", async () => {
    const { component, applied, settled, inHead } = await begin();
    const b = await applied(async ({ changeSetId }) => {
      await component(changeSetId, "a");
      return component(changeSetId, "b", { "/domain/region": from("a", "/si/resourceId") });
    });
    await settled();
    expect((await inHead(b)).component.attributes).toMatchObject({
      "/resource/payload": expect.stringContaining("id of a"),
    });
  });

  it.each([
    ["fail", "as it was told", "Success"],
    ["warn", "hm", "Success"],
    ["throw", "Error: no luck (line 6, column", "Success"],
    ["odd", 'The status field type must be either "ok", "warning" or "error"', "Failure"],
  ])("fail when the function says or does otherwise than ok: %s", async (wish, message, state) => {
    const { component, applied, settled, server, inState } = await begin();
    await applied(({ changeSetId }) => component(changeSetId, "a", { "/domain/labels": { create: wish } }));
    expect(await settled()).toEqual(["Create Failed a"]);
    const { funcRunId } = await inState("Create", "Failed");
    const row = await server.store.db
      .selectFrom("func_run")
      .selectAll()
      .where("id", "=", funcRunId ?? "")
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ state, action_result: "Failure" });
    expect(row.failure).toContain(message);
  });

  it("keep the payload of a warning, and fail", async () => {
    const { component, applied, settled, resource } = await begin();
    const a = await applied(({ changeSetId }) =>
      component(changeSetId, "a", { "/domain/labels": { create: "warn" } }),
    );
    await settled();
    expect(await resource(a)).toMatchObject({ status: "warning", payload: { warned: true } });
  });

  it("are queued by the deletion of what something with a resource reads from, and dropped by a restore", async () => {
    const { client, component, applied, settled, names } = await begin();
    const a = await applied(async ({ changeSetId }) => {
      const made = await component(changeSetId, "a", { "/domain/labels": { create: "fail" } });
      await component(changeSetId, "b");
      return made;
    });
    await settled();
    await applied(async (at) => {
      const { componentDetails } = await client.components.list({ ...at, query: {} });
      const b = componentDetails.find(({ name }) => name === "b")?.componentId ?? "";
      const kinds = async () => (await client.actions.list(at)).actions.map(({ kind }) => kind);
      await client.components.update({
        ...at,
        componentId: b,
        body: { attributes: { "/domain/region": from("a") } },
      });
      await client.components.delete({ ...at, componentId: a });
      expect(await kinds()).toContain("Destroy");
      await client.components.restore({ ...at, componentId: a });
      expect(await kinds()).not.toContain("Destroy");
      await client.components.delete({ ...at, componentId: a });
    });
    // It has nothing to destroy itself, but b still needs it.
    expect(await settled()).toEqual([]);
    expect(await names()).toEqual(["a", "b"]);
    await applied(async (at) => {
      const { componentDetails } = await client.components.list({ ...at, query: {} });
      const b = componentDetails.find(({ name }) => name === "b")?.componentId ?? "";
      await client.components.delete({ ...at, componentId: b });
    });
    expect(await settled()).toEqual([]);
    expect(await names()).toEqual([]);
  });

  it("go with an erased component, and a copy gets its own", async () => {
    const { client, component, changeSet, world } = await begin();
    const at = { workspaceId: world.ada.workspaceId, changeSetId: await changeSet() };
    const a = await component(at.changeSetId, "a");
    const { components } = await client.components.duplicate({ ...at, body: { components: [a] } });
    const owners = async () => (await client.actions.list(at)).actions.map(({ componentId }) => componentId);
    expect(await owners()).toEqual([a, components[0]]);
    await client.components.erase({ ...at, componentId: a });
    expect(await owners()).toEqual(components);
  });

  it("refresh what was created with the id of something that is there, instead of creating it", async () => {
    const { client, world, applied, settled, ran } = await begin();
    await applied((at) =>
      client.components.create({ ...at, body: { name: "a", schemaName: "Machine", resourceId: "i-1" } }),
    );
    expect(world.ada.workspaceId).not.toBe("");
    expect(await settled()).toEqual([]);
    expect(await ran()).toEqual(["Refresh a Success"]);
  });

  it("find what drifted from the model, which the review lists until both agree again", async () => {
    const { client, head, changeSet, component, applied, settled, ran } = await begin();
    const a = await applied(async ({ changeSetId }) => {
      await component(changeSetId, "b");
      return component(changeSetId, "a", { "/domain/size": 3 });
    });
    await settled();
    const { workspaceId } = head;
    const drift = async () =>
      (await client.review.get({ workspaceId, changeSetId: await changeSet() })).drift;
    expect(await drift()).toEqual([]);
    await applied((at) =>
      client.components.update({
        ...at,
        componentId: a,
        body: { attributes: { "/domain/labels/found": "us-1" } },
      }),
    );
    await settled();
    expect(await client.actions.refresh(head)).toEqual({ success: true, queued: 2 });
    expect(await settled()).toEqual([]);
    expect((await ran()).slice(5).sort()).toEqual(["Refresh a Success", "Refresh b Success"]);
    expect(await drift()).toEqual([
      {
        componentId: a,
        componentName: "a",
        schemaName: "Machine",
        attributes: [{ path: "/domain/region", model: "eu-1", resource: "us-1" }],
      },
    ]);
    await applied((at) =>
      client.components.update({ ...at, componentId: a, body: { attributes: { "/domain/region": "us-1" } } }),
    );
    await settled();
    expect(await drift()).toEqual([]);
  });

  it("keep their component, though it is marked and applied, until they have ended", async () => {
    const { client, head, component, applied, settled, ran, names, inState } = await begin();
    const a = await applied(({ changeSetId }) =>
      component(changeSetId, "a", { "/domain/labels": { create: "wait" } }),
    );
    const { funcRunId } = await inState("Create", "Running");
    await applied((at) => client.components.delete({ ...at, componentId: a }));
    expect(await names()).toEqual(["a"]);
    const { actions } = await client.actions.list(head);
    expect(actions.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      "Create Running",
      "Destroy Pending",
    ]);
    await client.functionRuns.cancel({ ...head, funcRunId: funcRunId ?? "" });
    // Nobody knows how far it came, so its Destroy looks.
    expect(await settled()).toEqual([]);
    expect(await names()).toEqual([]);
    expect(await ran()).toEqual(["Create a Failure", "Destroy a Success"]);
  });
});
