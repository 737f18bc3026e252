import { expect } from "vitest";
import { queueActions } from "../../../server/store/actions.ts";
import { changeLayer } from "../../../server/store/layer.ts";
import { bindFunctions, type TestFunction } from "../../support/functions.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";
import { places } from "./component-inputs.ts";

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

const code = "async function main() { return { status: 'ok', payload: { id: 1 } }; }";
const restart: TestFunction = { kind: "action", actionKind: "Manual", name: "restart", code };
const refresh: TestFunction = { kind: "action", actionKind: "Refresh", name: "look", code };

/** A change set with a component, whose schema has these actions. */
async function acting(world: World, functions: readonly TestFunction[], attributes = {}) {
  const changeSetId = await world.changeSet();
  const componentId = await world.component(changeSetId, `web ${world.fresh()}`, attributes);
  const bindings = await bindFunctions(world.server, world.ada, changeSetId, "Machine", functions);
  return { changeSetId, componentId, prototypeIds: bindings.map(({ id }) => id) };
}
const call = (world: World, operation: "cancel" | "putOnHold" | "retry", at: RowInput) =>
  world.server.client(world.ada.key).actions[operation]({
    workspaceId: world.ada.workspaceId,
    changeSetId: String(at["changeSetId"]),
    actionId: String(at["actionId"]),
  });
const listed = async (world: World, { changeSetId }: RowInput) => {
  const { workspaceId, key } = world.ada;
  const place = { workspaceId, changeSetId: String(changeSetId) };
  return (await world.server.client(key).actions.list(place)).actions;
};
/** Those that a change set queued itself. */
const queued = async (world: World, { changeSetId }: RowInput) =>
  (await listed(world, { changeSetId })).filter((one) => one.originatingChangeSetId === changeSetId);
/** One waiting action of a component in a change set. */
const waiting = async (world: World) => {
  const { changeSetId, componentId } = await withActions(world);
  const [action] = await queued(world, { changeSetId });
  return { changeSetId, componentId, actionId: action?.id ?? "" };
};
/** The same in the head. */
const inHead = async (world: World) => {
  const input = await waiting(world);
  await world.server.apply(world.ada, input.changeSetId);
  return { ...input, changeSetId: "HEAD" };
};
const inApplied = async (world: World) => {
  const input = await waiting(world);
  await world.server.apply(world.ada, input.changeSetId);
  return input;
};
/** One of the head that runs, as far as anybody can tell. */
const running = async (world: World) => {
  const input = await inHead(world);
  await world.server.store.write(({ db }) =>
    db.updateTable("action").set({ state: "Running" }).where("id", "=", input.actionId).execute(),
  );
  return input;
};
const stateOf = async (world: World, input: RowInput) =>
  (await listed(world, input)).find(({ id }) => id === input["actionId"])?.state;

/** What cancel, hold and retry have in common. */
const moves = (operation: string, becomes: string | undefined): Scenario[] => [
  {
    name: "counts in the change set",
    operation,
    input: waiting,
    expect: 200,
    body: () => ({ success: true }),
    check: async (_answer, world, input) => expect(await stateOf(world, input)).toBe(becomes),
  },
  {
    name: "counts at once in the head",
    operation,
    input: inHead,
    expect: 200,
    check: async (_answer, world, input) => expect(await stateOf(world, input)).toBe(becomes),
  },
  { name: "waits for one that runs to end", operation, input: running, expect: "actionRunning" },
  { name: "is over with an applied change set", operation, input: inApplied, expect: "changeSetNotActive" },
  {
    name: "does not know an action that is not there",
    operation,
    input: async (world) => ({ changeSetId: await world.changeSet(), actionId: world.fresh() }),
    expect: "actionNotFound",
  },
  {
    name: "does not know a malformed id",
    operation,
    input: async (world) => ({ changeSetId: await world.changeSet(), actionId: "restart" }),
    expect: "actionNotFound",
  },
];

const enqueued = (action: object) => async (world: World) => ({
  ...(await acting(world, [restart])),
  body: { action },
});

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
  ...moves("actions.cancel", undefined),
  ...moves("actions.putOnHold", "OnHold"),
  ...moves("actions.retry", "Pending"),
  {
    name: "takes a held one off hold",
    operation: "actions.retry",
    input: async (world) => {
      const input = await waiting(world);
      await call(world, "putOnHold", input);
      return input;
    },
    expect: 200,
    check: async (_answer, world, input) => expect(await stateOf(world, input)).toBe("Pending"),
  },
  ...places("actions.enqueue", { action: { function: "restart" } }),
  {
    name: "queues the action of a name",
    operation: "actions.enqueue",
    input: enqueued({ function: "restart" }),
    expect: 200,
    body: () => ({ success: true }),
    check: async (_answer, world, input) =>
      expect(await queued(world, input)).toMatchObject([
        {
          kind: "Manual",
          name: "restart",
          state: "Pending",
          description: null,
          componentId: input["componentId"],
          originatingChangeSetId: input["changeSetId"],
          funcRunId: null,
        },
      ]),
  },
  {
    name: "queues the action of a prototype, in any letter case",
    operation: "actions.enqueue",
    input: async (world) => {
      const { prototypeIds, ...input } = await acting(world, [restart]);
      return { ...input, body: { action: { actionPrototypeId: prototypeIds[0]?.toLowerCase() } } };
    },
    expect: 200,
    check: async (_answer, world, input) => expect(await queued(world, input)).toHaveLength(1),
  },
  {
    name: "knows a function by its display name too",
    operation: "actions.enqueue",
    input: async (world) => ({
      ...(await acting(world, [{ ...restart, displayName: "Turn it off and on" }])),
      body: { action: { function: "Turn it off and on" } },
    }),
    expect: 200,
    check: async (_answer, world, input) =>
      expect(await queued(world, input)).toMatchObject([
        { name: "restart", description: "Turn it off and on" },
      ]),
  },
  {
    name: "takes another kind beside one that waits",
    operation: "actions.enqueue",
    input: async (world) => {
      const input = await acting(world, [restart, refresh]);
      const { workspaceId, key } = world.ada;
      const body = { action: { function: "look" } };
      await world.server.client(key).actions.enqueue({ workspaceId, ...input, body });
      return { ...input, body: { action: { function: "restart" } } };
    },
    expect: 200,
    check: async (_answer, world, input) => expect(await queued(world, input)).toHaveLength(2),
  },
  {
    name: "refuses the same action of the same component while it waits",
    operation: "actions.enqueue",
    input: async (world) => {
      const input = await acting(world, [restart]);
      const body = { action: { function: "restart" } };
      await world.server.client(world.ada.key).actions.enqueue({
        workspaceId: world.ada.workspaceId,
        ...input,
        body,
      });
      return { ...input, body };
    },
    expect: "actionAlreadyEnqueued",
  },
  {
    name: "does not know a function that is not bound there",
    operation: "actions.enqueue",
    input: enqueued({ function: "explode" }),
    expect: "functionNotFound",
  },
  {
    name: "does not know a prototype that is not bound there",
    operation: "actions.enqueue",
    input: enqueued({ actionPrototypeId: "01J00000000000000000000000" }),
    expect: "functionNotFound",
  },
  {
    name: "does not choose between two functions of one name",
    operation: "actions.enqueue",
    input: async (world) => ({
      ...(await acting(world, [restart, restart])),
      body: { action: { function: "restart" } },
    }),
    expect: "duplicateFunctionName",
  },
  {
    name: "wants one of name and prototype",
    operation: "actions.enqueue",
    input: enqueued({}),
    expect: "invalidRequest",
  },
  {
    name: "wants only one of name and prototype",
    operation: "actions.enqueue",
    input: enqueued({ function: "restart", actionPrototypeId: "01J00000000000000000000000" }),
    expect: "invalidRequest",
  },
  {
    name: "queues a refresh of what has a resource, once",
    operation: "actions.refresh",
    input: async (world) => {
      const input = await acting(world, [refresh], { "/resource/payload": { id: 1 } });
      await world.component(input.changeSetId, `bare ${world.fresh()}`);
      return input;
    },
    expect: 200,
    body: () => ({ success: true, queued: 1 }),
    check: async (_answer, world, input) => {
      expect(await queued(world, input)).toMatchObject([
        { kind: "Refresh", name: "look", componentId: input["componentId"] },
      ]);
      const { workspaceId, key } = world.ada;
      const place = { workspaceId, changeSetId: String(input["changeSetId"]) };
      const again = await world.server.client(key).actions.refresh(place);
      expect(again).toEqual({ success: true, queued: 0 });
    },
  },
  {
    name: "refreshes nothing in an applied change set",
    operation: "actions.refresh",
    input: inApplied,
    expect: "changeSetNotActive",
  },
];
