import type { Review } from "../../../src/contract/review.ts";
import type { World } from "../../support/scenarios.ts";
import { componentsOf } from "./component-inputs.ts";

/** A component of the head, and a new change set over it. */
export async function overHead(world: World, attributes: object = {}) {
  const first = await world.changeSet();
  const componentId = await world.component(first, `m ${world.fresh()}`, attributes);
  await world.server.apply(world.ada, first);
  return { componentId, changeSetId: await world.changeSet() };
}

/** A component in a change set. */
export interface At {
  readonly changeSetId: string;
  readonly componentId: string;
}

/** Writes attributes of a component. */
export const update = (world: World, at: At, attributes: Record<string, unknown>) =>
  world.server
    .client(world.ada.key)
    .components.update({ workspaceId: world.ada.workspaceId, ...at, body: { attributes } });

/** The review of an open change set once its values are computed. */
export async function reviewed(world: World, changeSetId: string): Promise<Review> {
  await world.server.propagate(changeSetId);
  const { workspaceId, key } = world.ada;
  return world.server.client(key).review.get({ workspaceId, changeSetId });
}

/** A component of the head that reads another one, attribute by attribute, and a new change set over it. */
export async function reader(
  world: World,
  source: string,
  paths: Readonly<Record<string, string>> = { "/domain/region": "/domain/region" },
) {
  const attributes = Object.entries(paths).map(([to, path]) => [
    to,
    { $source: { component: source, path } },
  ]);
  return overHead(world, Object.fromEntries(attributes));
}

/** A change set over a component, and another one that does something to that in the head. */
export async function overtaken(
  world: World,
  attributes: object,
  edit: (at: At) => Promise<unknown>,
  move: (at: At) => Promise<unknown>,
) {
  const at = await overHead(world, attributes);
  await edit(at);
  const changeSetId = await world.changeSet();
  await move({ ...at, changeSetId });
  await world.server.apply(world.ada, changeSetId);
  return at;
}

/** Erases a component. */
export const eraseIn = (world: World, { changeSetId, componentId }: At) => {
  const { components, place } = componentsOf(world, changeSetId);
  return components.erase({ ...place, componentId });
};

/** The name that a component has in the head. */
export async function nameInHead(world: World, { componentId }: At): Promise<string> {
  const { components, place } = componentsOf(world, "HEAD");
  return (await components.get({ ...place, componentId })).component.name;
}
