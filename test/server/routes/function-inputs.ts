import type { Scenario, World } from "../../support/scenarios.ts";
import { type BindingPlace, bound, lockFunction, withSchema } from "./binding-inputs.ts";

/** Code that is not what a function has first. */
export const code = "export function main() { return 2; }";
/** Ada's client for functions. */
export const api = (world: World) => {
  const { functions } = world.server.client(world.ada.key);
  return { functions, workspaceId: world.ada.workspaceId };
};
/** A function as a change set shows it. */
export const read = (world: World, changeSetId: string, funcId: string) => {
  const { functions, workspaceId } = api(world);
  return functions.get({ workspaceId, changeSetId, funcId });
};
/** A transformation in a change set of its own. */
export const transformation = async (world: World, body: object = {}) => {
  const changeSetId = await world.changeSet();
  const { functions, workspaceId } = api(world);
  const given = { name: `shout ${world.fresh()}`, code: "function main() {}", ...body };
  const { funcId } = await functions.createTransformation({ workspaceId, changeSetId, body: given });
  return { changeSetId, funcId, name: given.name };
};
/** A qualification of a variant, and where it is. */
export const withFunction = async (world: World, how: Parameters<typeof withSchema>[1] = {}) => {
  const place = await withSchema(world, how);
  return { ...place, funcId: await bound(world, place, "qualification", { displayName: "First" }) };
};
/** The same, locked as an apply would. */
export const withLocked = async (world: World, how: Parameters<typeof withSchema>[1] = {}) => {
  const place = await withFunction(world, how);
  await lockFunction(world, place.changeSetId, place.funcId);
  return place;
};
/** One whose change set was applied. */
export const applied = async (world: World) => {
  const place = await withFunction(world);
  await world.server.apply(world.ada, place.changeSetId);
  return place;
};

/** What every row about one function refuses. */
export const functionPlaces = (operation: string, more: (place: BindingPlace) => object): Scenario[] => [
  {
    name: "does not know a function that is not there",
    operation,
    input: async (world) => {
      const place = await withSchema(world);
      return { ...place, ...more(place), funcId: world.fresh() };
    },
    expect: "functionNotFound",
  },
  {
    name: "does not know a function by its name",
    operation,
    input: async (world) => {
      const place = await withFunction(world);
      return { ...place, ...more(place), funcId: "qualificationOne" };
    },
    expect: "functionNotFound",
  },
  {
    name: "does not know a function of another change set",
    operation,
    input: async (world) => {
      const place = await withFunction(world);
      return { ...place, ...more(place), changeSetId: await world.changeSet() };
    },
    expect: "functionNotFound",
  },
];
/** What every row that changes functions refuses. */
export const closedPlaces = (operation: string, more: (place: BindingPlace) => object): Scenario[] => [
  {
    name: "changes nothing in the head",
    operation,
    input: async (world) => {
      const place = await applied(world);
      return { ...place, ...more(place), changeSetId: "HEAD" };
    },
    expect: "headNotEditable",
  },
  {
    name: "changes nothing in an applied change set",
    operation,
    input: async (world) => {
      const place = await applied(world);
      return { ...place, ...more(place) };
    },
    expect: "changeSetNotActive",
  },
];
