import { expect } from "vitest";
import { type BindingKind, bindingKinds } from "../../../server/domain/functions.ts";
import type { Scenario, World } from "../../support/scenarios.ts";
import {
  bound,
  capitalized,
  lockVariant,
  namesIn,
  placeIn,
  variantPlaces,
  withSchema,
} from "./binding-inputs.ts";

const detachmentsOf = (kind: BindingKind): Scenario[] => {
  const operation = `bindings.delete${capitalized(kind)}`;
  const withBound = async (world: World) => {
    const place = await withSchema(world);
    return { ...place, funcId: await bound(world, place, kind) };
  };
  return [
    {
      name: "takes the function from the variant and leaves the function",
      operation,
      input: async (world) => {
        const place = await withBound(world);
        return { ...place, funcId: place.funcId.toLowerCase() };
      },
      expect: 200,
      body: () => ({ success: true }),
      check: async (_answer, world, input) => {
        const { changeSetId, funcId } = placeIn(input);
        expect(await namesIn(world, placeIn(input))).toEqual([]);
        const { functions } = world.server.client(world.ada.key);
        const { workspaceId } = world.ada;
        expect(await functions.get({ workspaceId, changeSetId, funcId })).toMatchObject({
          name: `${kind}One`,
        });
      },
    },
    {
      name: "does not know one that is detached already",
      operation,
      input: async (world) => {
        const place = await withBound(world);
        const { bindings } = world.server.client(world.ada.key);
        const { workspaceId } = world.ada;
        const { changeSetId, schemaId, schemaVariantId, funcId } = place;
        const at = { workspaceId, changeSetId, schemaId, schemaVariantId, funcId };
        await bindings[`delete${capitalized(kind) as Capitalize<BindingKind>}`](at);
        return place;
      },
      expect: "functionNotFound",
    },
    {
      name: "does not know a function that is not there",
      operation,
      input: async (world) => ({ ...(await withBound(world)), funcId: world.fresh() }),
      expect: "functionNotFound",
    },
    {
      name: "does not know a function by its name",
      operation,
      input: async (world) => ({ ...(await withBound(world)), funcId: `${kind}One` }),
      expect: "functionNotFound",
    },
    {
      name: "does not know a function that is bound as something else",
      operation,
      input: async (world) => {
        const place = await withSchema(world);
        const other = kind === "qualification" ? "codegen" : "qualification";
        return { ...place, funcId: await bound(world, place, other) };
      },
      expect: "functionNotFound",
    },
    {
      name: "asks to unlock a locked variant",
      operation,
      input: async (world) => {
        const place = await withBound(world);
        await lockVariant(world, place);
        return place;
      },
      expect: "variantLocked",
    },
    ...(kind === "authentication"
      ? []
      : [
          {
            name: "takes an overlay from all variants of the schema, though they are locked",
            operation,
            input: async (world: World) => {
              const place = await withSchema(world, { locked: true, upstream: true });
              return { ...place, funcId: await bound(world, place, kind) };
            },
            expect: 200,
            check: async (_answer: unknown, world: World, input: object) =>
              expect(await namesIn(world, placeIn(input))).toEqual([]),
          } satisfies Scenario,
          {
            name: "takes one of the head away here, and there when the change set is applied",
            operation,
            input: async (world: World) => {
              const place = await withSchema(world, { locked: true, upstream: true });
              const funcId = await bound(world, place, kind);
              await world.server.apply(world.ada, place.changeSetId);
              return { ...place, changeSetId: await world.changeSet(), funcId };
            },
            expect: 200,
            check: async (_answer: unknown, world: World, input: object) => {
              const place = placeIn(input);
              expect(await namesIn(world, place)).toEqual([]);
              expect(await namesIn(world, { ...place, changeSetId: "HEAD" })).toEqual([`${kind}One`]);
              await world.server.apply(world.ada, place.changeSetId);
              expect(await namesIn(world, { ...place, changeSetId: "HEAD" })).toEqual([]);
            },
          } satisfies Scenario,
        ]),
    ...variantPlaces(operation, kind, () => ({ funcId: "01J00000000000000000000000" })),
  ];
};

export const detachmentScenarios: readonly Scenario[] = bindingKinds.flatMap(detachmentsOf);
