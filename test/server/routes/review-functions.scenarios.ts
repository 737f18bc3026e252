import { expect } from "vitest";
import type { Scenario, World } from "../../support/scenarios.ts";
import { type BindingPlace, bound, placeIn, withSchema } from "./binding-inputs.ts";

/** A schema of the head with a bound function of each of some kinds, and a change set over it. */
const overHead = async (world: World) => {
  const place = await withSchema(world, { locked: true, upstream: true });
  const qualification = await bound(world, place, "qualification", { name: "check" });
  const action = await bound(world, place, "action", { name: "restart", kind: "Manual" });
  await world.server.apply(world.ada, place.changeSetId);
  return { ...place, changeSetId: await world.changeSet(), qualification, action };
};
const client = (world: World) => world.server.client(world.ada.key);
const at = (world: World, { changeSetId, schemaId, schemaVariantId }: BindingPlace) => ({
  workspaceId: world.ada.workspaceId,
  changeSetId,
  schemaId,
  schemaVariantId,
});
const code = "function main() { return 2; }";
const before = "export async function main() { return null; }";

export const reviewedFunctionScenarios: readonly Scenario[] = [
  {
    name: "names functions that are bound, and shows their code",
    operation: "review.get",
    input: async (world) => {
      const place = await withSchema(world);
      await bound(world, place, "action", { name: "make" });
      await bound(world, place, "attribute", { name: "zoneOf" });
      return { ...place };
    },
    expect: 200,
    check: ({ body }, _world, input) => {
      const { schemaName } = placeIn(input);
      expect(body).toMatchObject({
        entities: expect.arrayContaining(
          [
            { kind: "binding", name: `make: Create action of ${schemaName}`, diffStatus: "Added" },
            { kind: "binding", name: `zoneOf: /domain/zone of ${schemaName}`, diffStatus: "Added" },
            { kind: "func", name: "make", diffStatus: "Added", differences: { code: { new: before } } },
            { kind: "func", name: "zoneOf", diffStatus: "Added" },
            { kind: "schema", name: schemaName, diffStatus: "Added" },
            { kind: "variant", name: schemaName, diffStatus: "Added" },
          ].map((one) => expect.objectContaining(one)),
        ),
      });
    },
  },
  {
    name: "shows the code of a function that is changed as it was and as it is",
    operation: "review.get",
    input: async (world) => {
      const place = await overHead(world);
      const { workspaceId, changeSetId } = at(world, place);
      const body = { code, displayName: "Check it" };
      const { functions } = client(world);
      await functions.update({ workspaceId, changeSetId, funcId: place.qualification, body });
      return place;
    },
    expect: 200,
    check: ({ body }) =>
      expect(Reflect.get(Object(body), "entities")).toEqual([
        {
          kind: "func",
          id: expect.any(String),
          name: "check",
          diffStatus: "Modified",
          differences: { code: { old: before, new: code }, displayName: { old: null, new: "Check it" } },
        },
      ]),
  },
  {
    name: "names what is detached, of the head too",
    operation: "review.get",
    input: async (world) => {
      const place = await overHead(world);
      await client(world).bindings.deleteAction({ ...at(world, place), funcId: place.action });
      return place;
    },
    expect: 200,
    check: ({ body }, _world, input) =>
      expect(body).toMatchObject({
        entities: [
          {
            kind: "binding",
            name: `restart: Manual action of ${placeIn(input).schemaName} in all variants`,
            diffStatus: "Removed",
          },
        ],
      }),
  },
];
