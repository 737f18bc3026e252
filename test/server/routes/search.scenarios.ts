import { expect } from "vitest";
import { maximumQuery } from "../../../src/contract/search.ts";
import type { Scenario, World } from "../../support/scenarios.ts";
import type { HttpAnswer } from "../../support/server.ts";

/** A change set with three machines and a network, and its request. */
async function stocked(world: World, more: object): Promise<Record<string, unknown>> {
  const changeSetId = await world.changeSet();
  const { workspaceId, key } = world.ada;
  const client = world.server.client(key);
  const create = async (name: string, schemaName: string, attributes: object): Promise<string> => {
    const body = { name, schemaName, attributes: { ...attributes } };
    return (await client.components.create({ workspaceId, changeSetId, body })).component.id;
  };
  const ids = {
    web: await create("web", "Machine", { "/domain/size": 3, "/domain/region": "eu-2" }),
    worker: await create("worker", "Machine", { "/domain/size": 4 }),
    store: await create("store", "Machine", { "/domain/labels": { tier: "web" } }),
    lan: await create("lan", "Network", { "/domain/cidr": "10.0.0.0/8" }),
  };
  return { changeSetId, ids, ...more };
}

const asking = (q: string) => (world: World) => stocked(world, { query: { q } });
const posting = (body: object) => (world: World) => stocked(world, { body });

interface Hit {
  readonly name: string;
}
const isHit = (value: unknown): value is Hit =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
const componentsOf = ({ body }: HttpAnswer): readonly unknown[] => {
  const found: unknown = Object(body).components;
  return Array.isArray(found) ? found : [];
};
/** The names that a search gave, but for those that other scenarios left in the head. */
const namesIn = (answer: HttpAnswer): string[] =>
  componentsOf(answer)
    .filter(isHit)
    .map(({ name }) => name)
    .filter((name) => ["web", "worker", "store", "lan"].includes(name));

const finds = (name: string, q: string, names: readonly string[]): Scenario => ({
  name,
  operation: "search.find",
  input: asking(q),
  expect: 200,
  check: (answer) => expect(namesIn(answer)).toEqual(names),
});

/** The names of the ids that a search gave, in their order. */
const chosen = (answer: HttpAnswer, input: Readonly<Record<string, unknown>>): string[] => {
  const names = new Map(Object.entries(Object(input["ids"])).map(([name, id]) => [id, name]));
  return componentsOf(answer).flatMap((id) => names.get(id) ?? []);
};

const picks = (name: string, body: object, names: readonly string[]): Scenario => ({
  name,
  operation: "search.components",
  input: posting(body),
  expect: 200,
  check: (answer, _world, input) => expect(chosen(answer, input)).toEqual(names),
});

const finding: readonly Scenario[] = [
  {
    name: "gives id, name and schema of what fits, in ascending order of id",
    operation: "search.find",
    input: asking("size:3|4 !region:eu-1"),
    expect: 200,
    check: ({ body }, _world, { ids }) =>
      expect(body).toEqual({
        components: [{ id: Object(ids).web, name: "web", schema: { name: "Machine" } }],
      }),
  },
  finds("gives everything for an empty query", "", ["web", "worker", "store", "lan"]),
  finds("looks for a word in name, schema and category", "network", ["lan"]),
  finds("looks into attributes by the end of their path", "tier:web", ["store"]),
  finds("tells additions", "diff:Added machine", ["web", "worker", "store"]),
  {
    name: "sees a write at once",
    operation: "search.find",
    input: asking("size:77"),
    expect: 200,
    check: async (answer, { server, ada }, { changeSetId, ids }) => {
      expect(namesIn(answer)).toEqual([]);
      const base = `/v1/w/${ada.workspaceId}/change-sets/${String(changeSetId)}`;
      const again = (): Promise<HttpAnswer> =>
        server.request("GET", `${base}/search?q=size:77`, { as: ada.key });
      const body = { attributes: { "/domain/size": 77 } };
      await server.request("PUT", `${base}/components/${Object(ids).worker}`, { as: ada.key, body });
      expect(namesIn(await again())).toEqual(["worker"]);
      await server.request("POST", `${base}/components/${Object(ids).worker}/erase`, { as: ada.key });
      expect(namesIn(await again())).toEqual([]);
    },
  },
  { name: "refuses to guess the query", operation: "search.find", expect: "invalidRequest" },
  {
    name: "names the place where a query cannot be read",
    operation: "search.find",
    input: () => ({ query: { q: "web ()x" } }),
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain("position 7"),
  },
  {
    name: "refuses a query that is too long",
    operation: "search.find",
    input: () => ({ query: { q: "x".repeat(maximumQuery + 1) } }),
    expect: "invalidRequest",
  },
  {
    name: "takes the most hostile query of the longest length",
    operation: "search.find",
    input: () => ({ query: { q: "!(".repeat(maximumQuery / 2) } }),
    expect: 200,
  },
];

const filtering: readonly Scenario[] = [
  picks("gives every id where nothing is asked for", {}, ["web", "worker", "store", "lan"]),
  picks(
    "takes null for nothing",
    { queryString: null, schemaCategory: null, schemaName: null, upgradable: null },
    ["web", "worker", "store", "lan"],
  ),
  picks("gives the ids of what fits a query", { queryString: "size:3" }, ["web"]),
  picks("knows a schema in any letter case", { schemaName: "nETWORK" }, ["lan"]),
  picks("takes a category exactly", { schemaCategory: "Network" }, ["lan"]),
  picks("does not take a category of another letter case", { schemaCategory: "network" }, []),
  picks("keeps what is on the latest variant", { upgradable: false, queryString: "w" }, [
    "web",
    "worker",
    "lan",
  ]),
  picks("has nothing to upgrade", { upgradable: true }, []),
  picks("joins all filters", { queryString: "e", schemaName: "Machine", schemaCategory: "Network" }, []),
  {
    name: "does not know an unknown schema",
    operation: "search.components",
    input: posting({ schemaName: "Spaceship" }),
    expect: "schemaNotFound",
  },
  {
    name: "names the place where a query cannot be read",
    operation: "search.components",
    input: posting({ queryString: '()"x"' }),
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain("position 3"),
  },
];

/** A change set with a component whose values are not what was sealed. */
async function broken(world: World): Promise<Record<string, unknown>> {
  const changeSetId = await world.changeSet();
  const componentId = await world.component(changeSetId);
  await world.server.store.write((tx) =>
    tx.db
      .updateTable("component")
      .set({ search_seal: "0.made by another version" })
      .where("layer", "=", changeSetId)
      .execute(),
  );
  return { changeSetId, componentId, query: { q: "" }, body: {} };
}

const failing: readonly Scenario[] = ["search.find", "search.components"].map(
  (operation): Scenario => ({
    name: "says so when the index is broken, and who mends it",
    operation,
    input: broken,
    expect: "searchIndexInvalid",
    check: async ({ text }, { server, ada }, { changeSetId, componentId }) => {
      expect(text).toContain("svc server reindex");
      expect(text).toContain(String(componentId));
      const components = `/v1/w/${ada.workspaceId}/change-sets/${String(changeSetId)}/components`;
      const listed = await server.request("GET", `${components}?includeAll=true`, { as: ada.key });
      expect(listed.status).toBe(200);
      const elsewhere = `/v1/w/${ada.workspaceId}/change-sets/HEAD/search?q=`;
      expect((await server.request("GET", elsewhere, { as: ada.key })).status).toBe(200);
    },
  }),
);

export const searchScenarios: readonly Scenario[] = [...finding, ...filtering, ...failing];
