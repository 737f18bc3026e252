import { expect } from "vitest";
import type { Scenario, World } from "../../support/scenarios.ts";

const create = (changeSetName: unknown) => () => ({ body: { changeSetName } });
const listed = async (world: World): Promise<string> => {
  const path = `/v1/w/${world.ada.workspaceId}/change-sets`;
  return (await world.server.request("GET", path, { as: world.ada.key })).text;
};
const purged = async (world: World): Promise<string> => {
  const changeSetId = await world.changeSet();
  await world.server.client(world.ada.key).changeSets.purgeOpen({ workspaceId: world.ada.workspaceId });
  return changeSetId;
};
const abandoned = async (world: World): Promise<string> => {
  const changeSetId = await world.changeSet();
  const { workspaceId } = world.ada;
  await world.server.client(world.ada.key).changeSets.abandon({ workspaceId, changeSetId });
  return changeSetId;
};
const applied = async (world: World): Promise<string> => {
  const changeSetId = await world.changeSet();
  await world.server.apply(world.ada, changeSetId);
  return changeSetId;
};

export const changeSetScenarios: readonly Scenario[] = [
  {
    name: "lists the head first",
    operation: "changeSets.list",
    expect: 200,
    check: ({ body }) =>
      expect(body).toMatchObject({
        changeSets: expect.arrayContaining([
          { id: expect.any(String), name: "HEAD", status: "Open", isHead: true },
        ]),
      }),
  },
  {
    name: "creates an open change set over the head",
    operation: "changeSets.create",
    input: create("tidy up"),
    expect: 200,
    body: () => ({ changeSet: { name: "tidy up", status: "Open", isHead: false } }),
  },
  {
    name: "takes names of 200 characters of any script",
    operation: "changeSets.create",
    input: create(`${"ü".repeat(199)}x`),
    expect: 200,
  },
  ...[
    ["an empty name", ""],
    ["a name that nobody can see", " \u2003"],
    ["a name with a tab in it", "a\tb"],
    ["a name of 201 characters", "x".repeat(201)],
    ["the head's name in another letter case", "hEaD"],
    ["a name that is an id", "01j0000000000000000000000a"],
    ["a number for a name", 7],
    ["null for a name", null],
  ].map(
    ([what, changeSetName]): Scenario => ({
      name: `refuses ${what}`,
      operation: "changeSets.create",
      input: create(changeSetName),
      expect: "invalidRequest",
    }),
  ),
  {
    name: "refuses the name of another active change set",
    operation: "changeSets.create",
    input: async (world) => {
      const changeSetName = world.fresh().slice(1);
      const { workspaceId } = world.ada;
      await world.server.client(world.ada.key).changeSets.create({ workspaceId, body: { changeSetName } });
      return { body: { changeSetName } };
    },
    expect: "invalidRequest",
  },
  {
    name: "takes the name of an abandoned one",
    operation: "changeSets.create",
    input: async (world) => {
      const changeSetName = world.fresh().slice(1);
      const { workspaceId, key } = world.ada;
      const client = world.server.client(key);
      const { changeSet } = await client.changeSets.create({ workspaceId, body: { changeSetName } });
      await client.changeSets.abandon({ workspaceId, changeSetId: changeSet.id });
      return { body: { changeSetName } };
    },
    expect: 200,
  },
  {
    name: "ignores members that it does not know",
    operation: "changeSets.create",
    input: () => ({ body: { changeSetName: "with more", colour: "red" } }),
    expect: 200,
  },
  {
    name: "abandons all but the head, whose contents stay readable",
    operation: "changeSets.purgeOpen",
    expect: 200,
    body: () => ({ success: true }),
    check: async (_answer, world) => {
      const list = JSON.parse(await listed(world));
      expect(list.changeSets).toHaveLength(1);
    },
  },
  {
    name: "shows the head under its word in any letter case",
    operation: "changeSets.get",
    input: () => ({ changeSetId: "hEaD" }),
    expect: 200,
    body: () => ({ changeSet: { name: "HEAD", isHead: true, status: "Open" } }),
  },
  {
    name: "shows one by its id in any letter case",
    operation: "changeSets.get",
    input: async (world) => ({ changeSetId: (await world.changeSet()).toLowerCase() }),
    expect: 200,
  },
  {
    name: "shows a deleted one as abandoned",
    operation: "changeSets.get",
    input: async (world) => ({ changeSetId: await abandoned(world) }),
    expect: 200,
    body: () => ({ changeSet: { status: "Abandoned" } }),
  },
  {
    name: "shows an applied one",
    operation: "changeSets.get",
    input: async (world) => ({ changeSetId: await applied(world) }),
    expect: 200,
    body: () => ({ changeSet: { status: "Applied" } }),
  },
  {
    name: "has no body for one that is not there",
    operation: "changeSets.get",
    input: (world) => ({ changeSetId: world.fresh() }),
    expect: "changeSetNotFound",
  },
  {
    name: "does not know another workspace's change set",
    operation: "changeSets.get",
    as: "eve",
    input: async (world) => ({ workspaceId: world.eve.workspaceId, changeSetId: await world.changeSet() }),
    expect: "changeSetNotFound",
  },
  {
    name: "takes it off the list, again without effect",
    operation: "changeSets.abandon",
    input: async (world) => ({ changeSetId: await world.changeSet() }),
    expect: 200,
    body: () => ({ success: true }),
    check: async (_answer, world, { changeSetId }) => {
      expect(await listed(world)).not.toContain(String(changeSetId));
      const path = `/v1/w/${world.ada.workspaceId}/change-sets/${String(changeSetId)}`;
      expect((await world.server.request("DELETE", path, { as: world.ada.key })).status).toBe(200);
    },
  },
  {
    name: "deletes a purged one too",
    operation: "changeSets.abandon",
    input: async (world) => ({ changeSetId: await purged(world) }),
    expect: 200,
    check: async (_answer, world, { changeSetId }) => {
      const path = `/v1/w/${world.ada.workspaceId}/change-sets/${String(changeSetId)}/components`;
      expect((await world.server.request("GET", path, { as: world.ada.key })).status).toBe(404);
    },
  },
  {
    name: "spares the head",
    operation: "changeSets.abandon",
    input: () => ({ changeSetId: "HEAD" }),
    expect: "headNotAllowed",
  },
  {
    name: "does not undo an applied one",
    operation: "changeSets.abandon",
    input: async (world) => ({ changeSetId: await applied(world) }),
    expect: "changeSetNotActive",
  },
  {
    name: "does not know one that is not there",
    operation: "changeSets.abandon",
    input: (world) => ({ changeSetId: world.fresh() }),
    expect: "changeSetNotFound",
  },
];
