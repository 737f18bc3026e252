import { expect } from "vitest";
import type { Scenario, World } from "../../support/scenarios.ts";
import { type BindingPlace, bindingsIn, lockVariant, placeIn, withSchema } from "./binding-inputs.ts";
import { api, closedPlaces, functionPlaces, read, withFunction, withLocked } from "./function-inputs.ts";

const unlockBody = (place: BindingPlace) => ({ body: { schemaVariantId: place.schemaVariantId } });
const unlocking = async (world: World, place: BindingPlace, funcId: string) => {
  const { functions, workspaceId } = api(world);
  const { changeSetId, schemaVariantId } = place;
  return (await functions.unlock({ workspaceId, changeSetId, funcId, body: { schemaVariantId } }))
    .unlockedFuncId;
};

export const unlockScenarios: readonly Scenario[] = [
  {
    name: "gives the variant a copy that may be changed, in the same binding",
    operation: "functions.unlock",
    input: async (world) => {
      const place = await withLocked(world);
      const [before] = await bindingsIn(world, place);
      return { ...place, ...unlockBody(place), bindingId: before?.id };
    },
    expect: 200,
    check: async (answer, world, input) => {
      const place = placeIn(input);
      const funcId = answer.at("unlockedFuncId");
      expect(funcId).not.toBe(place.funcId);
      const copy = await read(world, place.changeSetId, funcId);
      expect(copy).toEqual({ ...(await read(world, place.changeSetId, place.funcId)), isLocked: false });
      expect(await bindingsIn(world, place)).toMatchObject([{ id: Reflect.get(input, "bindingId"), funcId }]);
    },
  },
  {
    name: "answers with the copy that was made before",
    operation: "functions.unlock",
    input: async (world) => {
      const place = await withLocked(world);
      const copyId = await unlocking(world, place, place.funcId);
      return { ...place, ...unlockBody(place), copyId };
    },
    expect: 200,
    check: ({ body }, _world, { copyId }) => expect(body).toEqual({ unlockedFuncId: copyId }),
  },
  {
    name: "answers with the function itself where it is unlocked",
    operation: "functions.unlock",
    input: async (world) => {
      const place = await withFunction(world);
      return { ...place, ...unlockBody(place) };
    },
    expect: 200,
    check: ({ body }, _world, { funcId }) => expect(body).toEqual({ unlockedFuncId: funcId }),
  },
  {
    name: "unlocks a function that no variant has of its own",
    operation: "functions.unlock",
    input: async (world) => {
      const place = await withLocked(world, { upstream: true });
      return { ...place, ...unlockBody(place) };
    },
    expect: 200,
    check: async ({ body }, world, input) => {
      const { changeSetId, funcId } = placeIn(input);
      expect(body).toEqual({ unlockedFuncId: funcId });
      expect(await read(world, changeSetId, funcId)).toMatchObject({ isLocked: false });
    },
  },
  {
    name: "asks to unlock a locked variant first",
    operation: "functions.unlock",
    input: async (world) => {
      const place = await withLocked(world);
      await lockVariant(world, place);
      return { ...place, ...unlockBody(place) };
    },
    expect: "variantLocked",
  },
  ...(["01J00000000000000000000000", "default", ""] as const).map(
    (schemaVariantId): Scenario => ({
      name: `does not know the variant "${schemaVariantId}"`,
      operation: "functions.unlock",
      input: async (world) => ({ ...(await withLocked(world)), body: { schemaVariantId } }),
      expect: "invalidRequest",
      check: ({ text }) => expect(text).toContain("schemaVariantId"),
    }),
  ),
  {
    name: "refuses a variant that the function is not bound to",
    operation: "functions.unlock",
    input: async (world) => {
      const { changeSetId, funcId } = await withLocked(world);
      const other = await withSchema(world);
      return { changeSetId, funcId, ...unlockBody(other) };
    },
    expect: "invalidRequest",
  },
  ...functionPlaces("functions.unlock", unlockBody),
  ...closedPlaces("functions.unlock", unlockBody),
];
