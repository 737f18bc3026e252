import { expect } from "vitest";
import type { Scenario, World } from "../../support/scenarios.ts";
import { appliedSet, componentsOf, inSet, places, viewOf } from "./component-inputs.ts";

/** What concerns no single component refuses the same two places. */
const layers = (operation: string, body: object): Scenario[] => [
  {
    name: "changes nothing in the head",
    operation,
    input: () => ({ changeSetId: "HEAD", body }),
    expect: "headNotEditable",
  },
  {
    name: "changes nothing in an applied change set",
    operation,
    input: async (world) => ({ ...(await appliedSet(world)), body }),
    expect: "changeSetNotActive",
  },
];

/** A change set with components of these names; `ids` in the same order. */
const withNamed = async (world: World, ...names: string[]) => {
  const changeSetId = await world.changeSet();
  const ids: string[] = [];
  for (const name of names) ids.push(await world.component(changeSetId, name));
  return { changeSetId, ids };
};
const viewNames = async (world: World, changeSetId: unknown, id: string | undefined) =>
  (await viewOf(world, String(changeSetId), id ?? "")).views.map(({ name }) => name).sort();

const views: readonly Scenario[] = [
  {
    name: "makes the view and puts all of them in, whatever view they are in already",
    operation: "components.addToView",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "a", "b");
      return { changeSetId, ids, body: { componentIds: ids, viewName: "Edge" } };
    },
    expect: 204,
    check: async ({ text }, world, { changeSetId, ids }) => {
      expect(text).toBe("");
      for (const id of ids as string[])
        expect(await viewNames(world, changeSetId, id)).toEqual(["DEFAULT", "Edge"]);
    },
  },
  {
    name: "skips what is in the view already, and takes the view that is there",
    operation: "components.addToView",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "a", "b");
      const { components, place } = componentsOf(world, changeSetId);
      const body = { componentIds: ids, viewName: "Edge" };
      await components.addToView({ ...place, body: { ...body, componentIds: ids.slice(1) } });
      return { changeSetId, ids, body };
    },
    expect: 204,
    check: async (_answer, world, { changeSetId, ids }) => {
      const [first, second] = ids as string[];
      const one = await viewOf(world, String(changeSetId), first ?? "");
      expect(one.views).toEqual((await viewOf(world, String(changeSetId), second ?? "")).views);
      expect(one.views).toHaveLength(2);
    },
  },
  {
    name: "takes an empty list, an id in lower case, and the default view by its name",
    operation: "components.addToView",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "a");
      const { components, place } = componentsOf(world, changeSetId);
      await components.addToView({ ...place, body: { componentIds: [], viewName: "DEFAULT" } });
      const componentIds = ids.map((id) => id.toLowerCase());
      return { changeSetId, ids, body: { componentIds, viewName: "DEFAULT" } };
    },
    expect: 204,
    check: async (_answer, world, { changeSetId, ids }) =>
      expect(await viewNames(world, changeSetId, (ids as string[])[0])).toEqual(["DEFAULT"]),
  },
  {
    name: "makes one view where two change sets make one of the same name",
    operation: "components.addToView",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "first");
      const other = await withNamed(world, "second");
      for (const set of [{ changeSetId, ids }, other]) {
        const { components, place } = componentsOf(world, set.changeSetId);
        await components.addToView({ ...place, body: { componentIds: set.ids, viewName: "Shared" } });
        await world.server.apply(world.ada, set.changeSetId);
      }
      const all = [...ids, ...other.ids];
      return {
        changeSetId: await world.changeSet(),
        ids: all,
        body: { componentIds: all, viewName: "Shared" },
      };
    },
    expect: 204,
    check: async (_answer, world, { changeSetId, ids }) => {
      const shown = await Promise.all((ids as string[]).map((id) => viewOf(world, String(changeSetId), id)));
      const [first, second] = shown.map(({ views }) => views.filter(({ name }) => name === "Shared"));
      expect(first).toEqual(second);
      expect(first).toHaveLength(1);
    },
  },
  {
    name: "makes one view of two requests at once",
    operation: "components.addToView",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "a", "b", "c", "d");
      const { components, place } = componentsOf(world, changeSetId);
      await Promise.all(
        ids.map((id) => components.addToView({ ...place, body: { componentIds: [id], viewName: "Busy" } })),
      );
      return { changeSetId, ids, body: { componentIds: ids, viewName: "Busy" } };
    },
    expect: 204,
    check: async (_answer, world, { changeSetId, ids }) => {
      for (const id of ids as string[])
        expect(await viewNames(world, changeSetId, id)).toEqual(["Busy", "DEFAULT"]);
    },
  },
  {
    name: "refuses a component that is not there, and then makes no view",
    operation: "components.addToView",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "a");
      return { changeSetId, body: { componentIds: [...ids, world.fresh()], viewName: "Nowhere" } };
    },
    expect: "invalidRequest",
    check: async (answer, world, { changeSetId }) => {
      expect(answer.text).toContain("componentIds: no component of this change set has the id");
      const { components, place } = componentsOf(world, String(changeSetId));
      const body = { name: "m", schemaName: "Machine", viewName: "Nowhere" };
      await expect(components.create({ ...place, body })).rejects.toMatchObject({ error: "viewNotFound" });
    },
  },
  ...[
    ["an id that is none", { componentIds: ["web-1"], viewName: "Edge" }],
    ["a view without a name", { componentIds: [], viewName: "" }],
    ["a name of 201 characters", { componentIds: [], viewName: "x".repeat(201) }],
    [
      "more than 1,000 components",
      { componentIds: Array.from({ length: 1_001 }, (_, n) => `${n}`), viewName: "v" },
    ],
  ].map(
    ([what, body]): Scenario => ({
      name: `refuses ${String(what)}`,
      operation: "components.addToView",
      input: (world) => inSet(world, { body }),
      expect: "invalidRequest",
    }),
  ),
  ...layers("components.addToView", { componentIds: [], viewName: "Edge" }),
];

const copies: readonly Scenario[] = [
  {
    name: "copies what is set, reads and is managed within the batch, and clears the rest",
    operation: "components.duplicate",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const { components, place } = componentsOf(world, changeSetId);
      const outside = await world.component(changeSetId, "outside", { "/domain/region": "us-2" });
      const source = await world.component(changeSetId, "source", { "/domain/ports": [80, 443] });
      const reader = await world.component(changeSetId, "reader", {
        "/domain/region": { $source: { component: outside, path: "/domain/region" } },
        "/domain/size": { $source: { component: source, path: "/domain/ports/1" } },
        "/resource/payload": { id: 1 },
        "/si/resourceId": "r-1",
      });
      for (const [componentId, managed] of [
        [source, reader],
        [outside, source],
      ] as const) {
        await components.manage({ ...place, componentId, body: { componentId: managed } });
      }
      await components.delete({ ...place, componentId: reader });
      return { changeSetId, source, reader, outside, body: { components: [reader, source] } };
    },
    expect: 200,
    check: async (answer, world, { changeSetId, outside, source }) => {
      await world.server.propagate(String(changeSetId));
      const [readerId, sourceId] = [answer.at("components.0"), answer.at("components.1")];
      const reader = await viewOf(world, String(changeSetId), readerId);
      const copied = await viewOf(world, String(changeSetId), sourceId);
      expect(reader).toMatchObject({
        name: "copy of reader",
        toDelete: false,
        resourceId: "r-1",
        attributes: {
          "/domain/region": { $source: { component: outside, path: "/domain/region" } },
          "/domain/size": { $source: { component: sourceId, path: "/domain/ports/1" } },
        },
        connections: [{ managedBy: { componentId: sourceId, componentName: "copy of source" } }],
        views: [{ name: "DEFAULT" }],
      });
      expect(Object.keys(reader.attributes).filter((key) => key.startsWith("/resource"))).toEqual([]);
      expect(reader.domainProps).toContainEqual(
        expect.objectContaining({ path: "root/domain/size", value: 443 }),
      );
      expect(copied.connections).toEqual([
        { managing: { componentId: readerId, componentName: "copy of reader" } },
      ]);
      expect((await viewOf(world, String(changeSetId), String(source))).connections).toHaveLength(2);
    },
  },
  {
    name: "takes a prefix and a view, which is made when there is none",
    operation: "components.duplicate",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "web");
      return { changeSetId, body: { components: ids, prefix: "new-", viewName: "Copies" } };
    },
    expect: 200,
    check: async (answer, world, { changeSetId }) => {
      const copy = await viewOf(world, String(changeSetId), answer.at("components.0"));
      expect(copy).toMatchObject({ name: "new-web", views: [{ name: "Copies", isDefault: false }] });
    },
  },
  {
    name: "copies nothing when nothing is named",
    operation: "components.duplicate",
    input: (world) => inSet(world, { body: { components: [], prefix: null, viewName: null } }),
    expect: 200,
    check: ({ body }) => expect(body).toEqual({ components: [] }),
  },
  {
    name: "leaves no copy behind when one is not there",
    operation: "components.duplicate",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "lonely");
      return { changeSetId, body: { components: [...ids, world.fresh()] } };
    },
    expect: "invalidRequest",
    check: async (_answer, world, { changeSetId }) => {
      const { components, place } = componentsOf(world, String(changeSetId));
      const finding = components.find({ ...place, query: { component: "copy of lonely" } });
      await expect(finding).rejects.toMatchObject({ error: "componentNotFound" });
    },
  },
  {
    name: "refuses a component that is named twice",
    operation: "components.duplicate",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "twice");
      return { changeSetId, body: { components: [...ids, ...ids] } };
    },
    expect: "invalidRequest",
  },
  {
    name: "refuses a name that the prefix makes too long",
    operation: "components.duplicate",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "long");
      return { changeSetId, body: { components: ids, prefix: "x".repeat(500) } };
    },
    expect: "invalidRequest",
  },
  ...layers("components.duplicate", { components: [] }),
];

const managing = async (world: World) => {
  const { changeSetId, ids } = await withNamed(world, "manager", "managed");
  const [componentId = "", managed = ""] = ids;
  return { changeSetId, componentId, managed, body: { componentId: managed } };
};

const managers: readonly Scenario[] = [
  {
    name: "shows who manages whom on both sides and in the list, once however often it is said",
    operation: "components.manage",
    input: async (world) => {
      const input = await managing(world);
      const { components, place } = componentsOf(world, input.changeSetId);
      await components.manage({ ...place, componentId: input.componentId, body: input.body });
      return input;
    },
    expect: 200,
    body: () => ({ component: { name: "manager" } }),
    check: async (answer, world, { changeSetId, componentId, managed }) => {
      expect(answer.body).toMatchObject({
        component: {
          id: componentId,
          connections: [{ managing: { componentId: managed, componentName: "managed" } }],
        },
      });
      expect((await viewOf(world, String(changeSetId), String(managed))).connections).toEqual([
        { managedBy: { componentId, componentName: "manager" } },
      ]);
      const { components, place } = componentsOf(world, String(changeSetId));
      const query = { includeManages: true, cursor: String(componentId).slice(0, -1) };
      const { componentDetails } = await components.list({ ...place, query });
      expect(componentDetails.map(({ manages }) => manages)).toEqual([
        [{ toComponentId: managed, toComponentName: "managed" }],
        undefined,
      ]);
    },
  },
  {
    name: "shows managers first, then what it manages, in the head as in the change set before",
    operation: "components.manage",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "top", "middle", "low 1", "low 2");
      const [top = "", middle = "", low1 = "", low2 = ""] = ids;
      const { components, place } = componentsOf(world, changeSetId);
      for (const componentId of [low1, low2])
        await components.manage({ ...place, componentId: middle, body: { componentId } });
      await components.manage({ ...place, componentId: top, body: { componentId: middle } });
      const before = await viewOf(world, changeSetId, middle);
      expect(before.connections.map((one) => Object.keys(one)[0])).toEqual([
        "managedBy",
        "managing",
        "managing",
      ]);
      await world.server.apply(world.ada, changeSetId);
      expect((await viewOf(world, "HEAD", middle)).connections).toEqual(before.connections);
      return {
        changeSetId: await world.changeSet(),
        componentId: top,
        body: { componentId: low1 },
      };
    },
    expect: 200,
    check: async (_answer, world, { changeSetId, body }) => {
      const { componentId } = body as { componentId: string };
      const names = (await viewOf(world, String(changeSetId), componentId)).connections.map((one) =>
        "managedBy" in one ? one.managedBy.componentName : "",
      );
      expect(names.sort()).toEqual(["middle", "top"]);
      expect((await viewOf(world, "HEAD", componentId)).connections).toHaveLength(1);
    },
  },
  {
    name: "does not show what is gone, on either side",
    operation: "components.manage",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "a", "b", "c");
      const [a = "", b = "", c = ""] = ids;
      const { components, place } = componentsOf(world, changeSetId);
      await components.manage({ ...place, componentId: a, body: { componentId: b } });
      await components.manage({ ...place, componentId: b, body: { componentId: c } });
      await world.server.apply(world.ada, changeSetId);
      const next = await world.changeSet();
      await components.erase({ ...place, changeSetId: next, componentId: b });
      return { changeSetId: next, componentId: a, body: { componentId: c }, a, c };
    },
    expect: 200,
    check: async (_answer, world, { changeSetId, a, c }) => {
      expect((await viewOf(world, String(changeSetId), String(a))).connections).toEqual([
        { managing: { componentId: c, componentName: "c" } },
      ]);
      await world.server.apply(world.ada, String(changeSetId));
      expect((await viewOf(world, "HEAD", String(c))).connections).toEqual([
        { managedBy: { componentId: a, componentName: "a" } },
      ]);
    },
  },
  {
    name: "refuses a circle of managers and names those on it",
    operation: "components.manage",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "top", "middle", "low");
      const [top = "", middle = "", low = ""] = ids;
      const { components, place } = componentsOf(world, changeSetId);
      await components.manage({ ...place, componentId: top, body: { componentId: middle } });
      await components.manage({ ...place, componentId: middle, body: { componentId: low } });
      return { changeSetId, componentId: low, body: { componentId: top } };
    },
    expect: "managementCycle",
    check: ({ text }) => expect(text).toContain("top → middle → low → top"),
  },
  {
    name: "refuses a component that would manage itself",
    operation: "components.manage",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "self");
      return { changeSetId, componentId: ids[0], body: { componentId: ids[0] } };
    },
    expect: "managementCycle",
    check: ({ text }) => expect(text).toContain("self → self"),
  },
  {
    name: "does not know a component that would be managed and is not there",
    operation: "components.manage",
    input: async (world) => ({ ...(await managing(world)), body: { componentId: world.fresh() } }),
    expect: "componentNotFound",
  },
  ...places("components.manage", { componentId: "01J00000000000000000000000" }),
];

const managedFromTheStart = (managedBy: object) => async (world: World) => {
  const { changeSetId } = await withNamed(world, "boss", "twin", "twin");
  return { changeSetId, body: { name: "m", schemaName: "Machine", managedBy } };
};
const creation: readonly Scenario[] = [
  {
    name: "gives the component its manager, by name",
    operation: "components.create",
    input: managedFromTheStart({ component: "boss" }),
    expect: 200,
    body: () => ({ component: { connections: [{ managedBy: { componentName: "boss" } }] } }),
  },
  {
    name: "gives the component its manager, by id",
    operation: "components.create",
    input: async (world) => {
      const { changeSetId, ids } = await withNamed(world, "boss");
      return { changeSetId, body: { name: "m", schemaName: "Machine", managedBy: { componentId: ids[0] } } };
    },
    expect: 200,
    body: () => ({ component: { connections: [{ managedBy: { componentName: "boss" } }] } }),
  },
  ...[
    ["does not know a manager of an unknown name", { component: "nobody" }, "componentNotFound"],
    ["does not know a manager of a malformed id", { componentId: "boss" }, "componentNotFound"],
    ["does not choose between two managers of one name", { component: "twin" }, "duplicateComponentName"],
    ["refuses a manager by neither name nor id", {}, "invalidRequest"],
    ["refuses a manager by name and id", { component: "boss", componentId: "x" }, "invalidRequest"],
    ["refuses null for a manager's name", { component: null }, "invalidRequest"],
    ["refuses null for a manager, which may only be left out", null, "invalidRequest"],
  ].map(
    ([name, managedBy, expected]) =>
      ({
        name,
        operation: "components.create",
        input: managedFromTheStart(managedBy as object),
        expect: expected,
      }) as Scenario,
  ),
];

export const componentRelationScenarios: readonly Scenario[] = [
  ...views,
  ...copies,
  ...managers,
  ...creation,
];
