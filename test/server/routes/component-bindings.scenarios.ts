import { expect } from "vitest";
import type { Scenario, World } from "../../support/scenarios.ts";
import { bindingsIn, bodyFor, bound, componentIn, namesIn, placeIn, withSchema } from "./binding-inputs.ts";

const operation = "bindings.createAttribute";

/** A component of a place, and what binds a function to it alone. */
const withComponent = async (world: World, locked = false) => {
  const place = await withSchema(world, { locked });
  const componentId = await componentIn(world, place);
  return {
    ...place,
    componentId,
    body: bodyFor(place, "attribute", { componentId: componentId.toLowerCase() }),
  };
};

export const componentBindingScenarios: readonly Scenario[] = [
  {
    name: "binds a function to one component, whose variant may be locked",
    operation,
    input: (world) => withComponent(world, true),
    expect: 200,
    check: async (_answer, world, input) =>
      expect(await bindingsIn(world, placeIn(input))).toMatchObject([
        { variantId: null, componentId: Reflect.get(input, "componentId"), output: "/domain/zone" },
      ]),
  },
  {
    name: "leaves the variant's function alone, of the same name too",
    operation,
    input: async (world) => {
      const place = await withComponent(world);
      await bound(world, place, "attribute");
      return place;
    },
    expect: 200,
    check: async (_answer, world, input) =>
      expect(await namesIn(world, placeIn(input))).toEqual(["attributeOne", "attributeOne"]),
  },
  {
    name: "takes each name once for a component",
    operation,
    input: async (world) => {
      const place = await withComponent(world);
      await bound(world, place, "attribute", { componentId: place.componentId });
      return place;
    },
    expect: "duplicateFunctionName",
  },
  ...(
    [
      ["that is not there", (world: World) => world.fresh()],
      ["by its name", () => "web-1"],
    ] as const
  ).map(
    ([what, componentId]): Scenario => ({
      name: `does not know a component ${what}`,
      operation,
      input: async (world) => {
        const place = await withSchema(world);
        return { ...place, body: bodyFor(place, "attribute", { componentId: componentId(world) }) };
      },
      expect: "componentNotFound",
    }),
  ),
  {
    name: "refuses a component of another variant, and names it",
    operation,
    input: async (world) => {
      const place = await withSchema(world);
      const componentId = await world.component(place.changeSetId, "elsewhere");
      return { ...place, body: bodyFor(place, "attribute", { componentId }) };
    },
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain('\\"elsewhere\\"'),
  },
  {
    name: "is detached from a component, whose variant may be locked",
    operation: "bindings.deleteAttribute",
    input: async (world) => {
      const place = await withComponent(world, true);
      return { ...place, funcId: await bound(world, place, "attribute", { componentId: place.componentId }) };
    },
    expect: 200,
    check: async (_answer, world, input) => expect(await namesIn(world, placeIn(input))).toEqual([]),
  },
];
