import { changeLayer, type Layer, type LayerChange } from "../../../server/store/layer.ts";
import type { Scenario, World } from "../../support/scenarios.ts";

/** A request in a new change set. */
export const inSet = async (world: World, more: object = {}) => ({
  changeSetId: await world.changeSet(),
  ...more,
});
/** A request about a new component. */
export const withComponent = async <T extends object>(world: World, more?: T) => {
  const changeSetId = await world.changeSet();
  return { changeSetId, componentId: await world.component(changeSetId), ...(more ?? ({} as T)) };
};
/** A request to create a machine with these members. */
export const creating = (body: object) => (world: World) =>
  inSet(world, { body: { name: "m", schemaName: "Machine", ...body } });
/** A request to update a new component with these members. */
export const updating = (body: object) => (world: World) => withComponent(world, { body });
/** A component whose change set was applied. */
export const appliedSet = async (world: World) => {
  const input = await withComponent(world);
  await world.server.apply(world.ada, input.changeSetId);
  return input;
};
/** A component of the head. */
export const inHead = async (world: World) => ({ ...(await appliedSet(world)), changeSetId: "HEAD" });
/** A component that is not there. */
export const nowhere = (world: World) => inSet(world, { componentId: world.fresh() });

/** Every row that writes one component refuses the same three places. */
export const places = (operation: string, body?: object): Scenario[] => {
  const more = body === undefined ? {} : { body };
  return [
    {
      name: "changes nothing in the head",
      operation,
      input: async (world) => ({ ...(await inHead(world)), ...more }),
      expect: "headNotEditable",
    },
    {
      name: "changes nothing in an applied change set",
      operation,
      input: async (world) => ({ ...(await appliedSet(world)), ...more }),
      expect: "changeSetNotActive",
    },
    {
      name: "does not know a component that is not there",
      operation,
      input: async (world) => ({ ...(await nowhere(world)), ...more }),
      expect: "componentNotFound",
    },
    {
      name: "does not know a malformed id",
      operation,
      input: async (world) => ({ ...(await inSet(world)), componentId: "web-1", ...more }),
      expect: "componentNotFound",
    },
  ];
};

/** What a component shows. */
export const read = async (world: World, changeSetId: unknown, componentId: unknown): Promise<unknown> => {
  const path = `/v1/w/${world.ada.workspaceId}/change-sets/${String(changeSetId)}/components/${String(componentId)}`;
  return (await world.server.request("GET", path, { as: world.ada.key })).body;
};

/** One write in a change set that no endpoint makes yet: a variant, a secret, an action. */
export async function writeIn<T>(
  world: World,
  changeSetId: string,
  work: (change: LayerChange) => Promise<T>,
): Promise<T> {
  const layer = await layerIn(world, changeSetId);
  return changeLayer(world.server.store, layer, { kind: "entity.changed", actor: world.ada.id }, work);
}

/** Ada's client for the components of a change set. */
export const componentsOf = (world: World, changeSetId: string) => {
  const { components } = world.server.client(world.ada.key);
  const place = { workspaceId: world.ada.workspaceId, changeSetId };
  return { components, place };
};

/** A component's view, as its change set shows it. */
export const viewOf = async (world: World, changeSetId: string, componentId: string) => {
  const { components, place } = componentsOf(world, changeSetId);
  return (await components.get({ ...place, componentId })).component;
};

/** A change set as the store takes it. */
export async function layerIn({ server }: World, changeSetId: string): Promise<Layer> {
  const row = await server.store.db
    .selectFrom("change_set")
    .select(["head_id", "workspace_id"])
    .where("id", "=", changeSetId)
    .executeTakeFirstOrThrow();
  return { id: changeSetId, headId: row.head_id, workspaceId: row.workspace_id };
}
