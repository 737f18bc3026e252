import { expect } from "vitest";
import type { Scenario, World } from "../../support/scenarios.ts";
import { componentsOf, nowhere, withComponent } from "./component-inputs.ts";

const listing: readonly Scenario[] = [
  {
    name: "is empty in the head of a fresh workspace",
    operation: "components.list",
    as: "eve",
    input: (world) => ({ workspaceId: world.eve.workspaceId }),
    expect: 200,
    check: ({ body }) => expect(body).toEqual({ componentDetails: [], nextCursor: null }),
  },
  {
    name: "shows an addition with every option",
    operation: "components.list",
    input: async (world) => {
      const input = await withComponent(world, { query: { includeAll: true, limit: 300 } });
      return { ...input, query: { ...input.query, cursor: input.componentId.slice(0, -1) } };
    },
    expect: 200,
    body: () => ({
      componentDetails: [
        { schemaName: "Machine", diffStatus: "Added", hasDiff: true, codegen: null, hasResource: false },
      ],
      nextCursor: null,
    }),
  },
  {
    name: "leaves out what was not asked for",
    operation: "components.list",
    input: async (world) => {
      const input = await withComponent(world);
      return { ...input, query: { cursor: input.componentId.slice(0, -1) } };
    },
    expect: 200,
    check: ({ body }, _world, { componentId }) =>
      expect(body).toEqual({
        componentDetails: [{ componentId, name: expect.any(String), schemaName: "Machine", codegen: null }],
        nextCursor: null,
      }),
  },
  {
    name: "goes on after a cursor in lower case",
    operation: "components.list",
    input: async (world) => {
      const input = await withComponent(world);
      return { ...input, query: { cursor: input.componentId.slice(0, -1).toLowerCase() } };
    },
    expect: 200,
    check: async (answer, _world, { componentId }) =>
      expect(answer.at("componentDetails.0.componentId")).toBe(componentId),
  },
  {
    name: "gives a revision that changes with every value, where one is asked for",
    operation: "components.list",
    input: async (world) => {
      const input = await withComponent(world);
      return { ...input, query: { includeRevision: true, cursor: input.componentId.slice(0, -1) } };
    },
    expect: 200,
    check: async (answer, { server, ada }, { changeSetId, componentId }) => {
      const path = `/v1/w/${ada.workspaceId}/change-sets/${changeSetId}/components`;
      const cursor = String(componentId).slice(0, -1);
      const revision = async (): Promise<unknown> => {
        const page = await server.request("GET", `${path}?includeRevision=true&cursor=${cursor}`, {
          as: ada.key,
        });
        return page.at("componentDetails.0.revision");
      };
      const put = async (size: number): Promise<void> => {
        const body = { attributes: { "/domain/size": size } };
        const { status } = await server.request("PUT", `${path}/${componentId}`, { as: ada.key, body });
        expect(status).toBe(200);
      };
      const before = answer.at("componentDetails.0.revision");
      expect(await revision()).toBe(before);
      await put(7);
      const after = await revision();
      expect(after).not.toBe(before);
      await put(7);
      expect(await revision()).toBe(after);
    },
  },
  ...[
    ["zero", "0"],
    ["less than nothing", "-3"],
    ["half a component", "1.5"],
    ["a word", "many"],
  ].map(
    ([what, limit]): Scenario => ({
      name: `refuses a limit of ${what}`,
      operation: "components.list",
      input: () => ({ query: { limit } }),
      expect: "invalidRequest",
    }),
  ),
  {
    name: "serves 300 to who asks for more",
    operation: "components.list",
    input: () => ({ query: { limit: 100_000 } }),
    expect: 200,
  },
  {
    name: "refuses a switch that is neither on nor off",
    operation: "components.list",
    input: () => ({ query: { includeAll: "yes" } }),
    expect: "invalidRequest",
  },
];

/** Members beside the three that every item has, by the option that asks for them. */
const everywhere = ["codegen", "componentId", "name", "schemaName"];
const options: readonly (readonly [option: string, members: readonly string[]])[] = [
  ["includeResourceInfo", ["hasResource", "resourceId", "resourceStatus"]],
  ["includeDiffStatus", ["diffStatus", "hasDiff"]],
  ["includeSubscriptions", ["subscriptions"]],
  ["includeManages", ["manages"]],
  ["includeRevision", ["revision"]],
  ["includeMarks", ["toDelete"]],
  ["includeCodegen", []],
  ["includeFunctions", []],
  ["includeActionFunctions", []],
  ["includeManagementFunctions", []],
  ["includeQualificationFunctions", []],
  ["includeExecutionHistory", []],
  [
    "includeAll",
    ["diffStatus", "hasDiff", "hasResource", "manages", "resourceId", "resourceStatus", "subscriptions"],
  ],
];

/** A component of which there is everything to tell. */
const full = async (world: World) => {
  const { changeSetId, componentId } = await withComponent(world);
  const { components, place } = componentsOf(world, changeSetId);
  const attributes = { "/resource/payload": { id: 1 }, "/si/resourceId": "r-1", "/domain/region": "us" };
  await components.update({ ...place, componentId, body: { attributes } });
  const reader = await world.component(changeSetId, "reader", {
    "/domain/region": { $source: { component: componentId, path: "/domain/region" } },
  });
  await components.manage({ ...place, componentId, body: { componentId: reader } });
  await components.delete({ ...place, componentId });
  await world.server.propagate(changeSetId);
  return { changeSetId, componentId, reader };
};

const including: readonly Scenario[] = options.map(
  ([option, members]): Scenario => ({
    name: `tells ${members.join(", ") || "nothing more yet"} for ${option}, and nothing for its opposite`,
    operation: "components.list",
    input: async (world) => {
      const input = await full(world);
      return { ...input, query: { [option]: true, limit: 2, cursor: input.componentId.slice(0, -1) } };
    },
    expect: 200,
    check: async ({ body }, world, { changeSetId, componentId, reader }) => {
      const [source, bare] = (body as { componentDetails: object[] }).componentDetails;
      expect(Object.keys(source ?? {}).sort()).toEqual([...everywhere, ...members].sort());
      if (members.includes("subscriptions")) {
        const subscription = { fromPath: "/domain/region", toPath: "/domain/region", currentValue: "us" };
        const to = { toComponentId: reader, toComponentName: "reader" };
        expect(source).toMatchObject({ subscriptions: [{ ...subscription, ...to }] });
      }
      // What would be an empty list, or a mark that does not hold, is left out.
      for (const name of ["subscriptions", "manages", "toDelete", "resourceId", "resourceStatus"])
        expect(bare).not.toHaveProperty(name);
      const { components, place } = componentsOf(world, String(changeSetId));
      const query = { [option]: false, limit: 1, cursor: String(componentId).slice(0, -1) };
      const { componentDetails } = await components.list({ ...place, query });
      expect(Object.keys(componentDetails[0] ?? {}).sort()).toEqual(everywhere);
    },
  }),
);

const paging: readonly Scenario[] = [
  {
    name: "goes on after a cursor whose component is gone, whatever came or went on pages before",
    operation: "components.list",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const ids: string[] = [];
      for (const name of ["a", "b", "c", "d", "e"]) ids.push(await world.component(changeSetId, name));
      const { components, place } = componentsOf(world, changeSetId);
      const before = String(ids[0]).slice(0, -1);
      const first = await components.list({ ...place, query: { limit: 2, cursor: before } });
      expect([first.componentDetails.map(({ name }) => name), first.nextCursor]).toEqual([
        ["a", "b"],
        ids[1],
      ]);
      for (const id of ids.slice(0, 2)) await components.erase({ ...place, componentId: id });
      await world.component(changeSetId, "f");
      return { changeSetId, query: { limit: 10, cursor: first.nextCursor } };
    },
    expect: 200,
    check: ({ body }) =>
      expect(body).toMatchObject({
        componentDetails: ["c", "d", "e", "f"].map((name) => ({ name })),
        nextCursor: null,
      }),
  },
];

const finding: readonly Scenario[] = [
  {
    name: "finds one by name",
    operation: "components.find",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      await world.component(changeSetId, "web server");
      return { changeSetId, query: { component: "web server" } };
    },
    expect: 200,
    body: () => ({ component: { name: "web server" }, actionFunctions: [], managementFunctions: [] }),
  },
  {
    name: "finds one by id",
    operation: "components.find",
    input: async (world) => {
      const { changeSetId, componentId } = await withComponent(world);
      return { changeSetId, query: { componentId } };
    },
    expect: 200,
  },
  { name: "refuses neither name nor id", operation: "components.find", expect: "invalidRequest" },
  {
    name: "refuses name and id together",
    operation: "components.find",
    input: (world) => ({ query: { component: "a", componentId: world.fresh() } }),
    expect: "invalidRequest",
  },
  {
    name: "does not know an unknown name",
    operation: "components.find",
    input: () => ({ query: { component: "nobody" } }),
    expect: "componentNotFound",
  },
  {
    name: "does not know a malformed id",
    operation: "components.find",
    input: () => ({ query: { componentId: "nobody" } }),
    expect: "componentNotFound",
  },
  {
    name: "does not choose between two of one name",
    operation: "components.find",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      for (let n = 0; n < 2; n++) await world.component(changeSetId, "twin");
      return { changeSetId, query: { component: "twin" } };
    },
    expect: "duplicateComponentName",
  },
  {
    name: "shows one",
    operation: "components.get",
    input: withComponent,
    expect: 200,
    body: () => ({ component: { attributes: { "/si/type": "component" } } }),
  },
  {
    name: "does not know an unknown id",
    operation: "components.get",
    input: nowhere,
    expect: "componentNotFound",
  },
  {
    name: "does not know a malformed id",
    operation: "components.get",
    input: () => ({ componentId: "web-1" }),
    expect: "componentNotFound",
  },
];

export const componentReadScenarios: readonly Scenario[] = [...listing, ...including, ...paging, ...finding];
