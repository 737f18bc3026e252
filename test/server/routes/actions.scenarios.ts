import { expect } from "vitest";
import { queueActions } from "../../../server/store/actions.ts";
import { changeLayer } from "../../../server/store/layer.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";

/** A change set whose component, `web`, has an action of its own and one that belongs to no component. */
async function withActions(world: World): Promise<{ changeSetId: string; componentId: string }> {
  const { ada, server } = world;
  const changeSetId = await world.changeSet();
  const componentId = await world.component(changeSetId, "web");
  const layer = { id: changeSetId, headId: "", workspaceId: ada.workspaceId };
  const plain = {
    prototypeId: world.fresh(),
    kind: "Manual",
    name: "restart",
    description: undefined,
  } as const;
  await changeLayer(server.store, layer, { kind: "entity.changed", actor: ada.id }, (change) =>
    queueActions(change, [
      { ...plain, componentId, kind: "Create", name: "create", description: "Make it" },
      { ...plain, componentId: undefined, state: "OnHold" },
    ]),
  );
  return { changeSetId, componentId };
}
const applied = async (world: World): Promise<RowInput> => {
  const { changeSetId } = await withActions(world);
  await world.server.apply(world.ada, changeSetId);
  return { changeSetId };
};

export const actionScenarios: readonly Scenario[] = [
  {
    name: "is empty where nothing is queued",
    operation: "actions.list",
    expect: 200,
    body: () => ({ actions: [] }),
  },
  {
    name: "shows every member of each action",
    operation: "actions.list",
    input: withActions,
    expect: 200,
    check: ({ body }, _world, { changeSetId, componentId }) =>
      expect(body).toEqual({
        actions: [
          {
            id: expect.any(String),
            kind: "Create",
            name: "create",
            state: "Pending",
            prototypeId: expect.any(String),
            originatingChangeSetId: changeSetId,
            componentId,
            description: "Make it",
            funcRunId: null,
          },
          expect.objectContaining({ kind: "Manual", state: "OnHold", componentId: null, description: null }),
        ],
      }),
  },
  {
    name: "shows those of the change set with their components",
    operation: "changeSets.mergeStatus",
    input: withActions,
    expect: 200,
    check: ({ body }, _world, { componentId }) =>
      expect(body).toMatchObject({
        actions: [
          {
            id: expect.any(String),
            kind: "Create",
            name: "create",
            state: "Pending",
            component: { id: componentId, name: "web" },
          },
          { kind: "Manual", name: "restart", state: "OnHold", component: null },
        ],
      }),
  },
  {
    name: "shows them after the apply as they stand in the head",
    operation: "changeSets.mergeStatus",
    input: applied,
    expect: 200,
    body: () => ({
      changeSet: { status: "Applied" },
      actions: [{ name: "create", component: { name: "web" } }, { name: "restart" }],
    }),
  },
];
