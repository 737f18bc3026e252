import { expect } from "vitest";
import { type BindingKind, bindingKinds } from "../../../server/domain/functions.ts";
import type { Scenario, World } from "../../support/scenarios.ts";
import {
  bindingsIn,
  bodyFor,
  bound,
  capitalized,
  namesIn,
  placeIn,
  variantPlaces,
  withSchema,
} from "./binding-inputs.ts";

/** A request to make a function of a kind in a schema of its own. */
const creating =
  (kind: BindingKind, more: object = {}, how: Parameters<typeof withSchema>[1] = {}) =>
  async (world: World) => {
    const place = await withSchema(world, how);
    return { ...place, body: bodyFor(place, kind, more) };
  };

const kindNames: Readonly<Record<BindingKind, string>> = {
  action: "Action",
  attribute: "Attribute",
  authentication: "Authentication",
  codegen: "CodeGeneration",
  management: "Management",
  qualification: "Qualification",
};

const creationsOf = (kind: BindingKind): Scenario[] => {
  const operation = `bindings.create${capitalized(kind)}`;
  const hasOverlays = kind !== "authentication";
  return [
    {
      name: "makes an unlocked function and binds it to the variant",
      operation,
      input: creating(kind, { displayName: "One", description: "the first" }),
      expect: 200,
      check: async (answer, world, input) => {
        const place = placeIn(input);
        const [binding] = await bindingsIn(world, place);
        expect(binding).toMatchObject({ kind, variantId: place.schemaVariantId, schemaId: place.schemaId });
        const { functions } = world.server.client(world.ada.key);
        const { changeSetId } = place;
        const at = { workspaceId: world.ada.workspaceId, changeSetId, funcId: answer.at("funcId") };
        expect(await functions.get(at)).toEqual({
          name: `${kind}One`,
          kind: kindNames[kind],
          displayName: "One",
          description: "the first",
          link: null,
          isLocked: false,
          code: "export async function main() { return null; }",
        });
      },
    },
    {
      name: "takes code with mistakes in it: they show when it runs",
      operation,
      input: creating(kind, { code: "export function main( {" }),
      expect: 200,
    },
    {
      name: hasOverlays
        ? "binds it to all variants of a schema of the catalogue, whose variant stays locked"
        : "does not bind it to all variants of a schema of the catalogue",
      operation,
      input: creating(kind, {}, { locked: true, upstream: true }),
      expect: hasOverlays ? 200 : "variantLocked",
      check: async (_answer, world, input) => {
        const overlays = await bindingsIn(world, placeIn(input));
        expect(overlays.map(({ variantId }) => variantId)).toEqual(hasOverlays ? [null] : []);
      },
    },
    {
      name: "asks to unlock a locked variant",
      operation,
      input: creating(kind, { skipOverlay: true }, { locked: true, upstream: true }),
      expect: "variantLocked",
      check: ({ text }) => expect(text).toContain("unlock the schema"),
    },
    {
      name: "asks to unlock a locked variant of a schema that was made here",
      operation,
      input: creating(kind, {}, { locked: true }),
      expect: "variantLocked",
    },
    {
      name: "takes each name once in a variant",
      operation,
      input: async (world) => {
        const place = await withSchema(world);
        await bound(world, place, "qualification", { name: "check" });
        return { ...place, body: bodyFor(place, kind, { name: "check" }) };
      },
      expect: "duplicateFunctionName",
      check: async ({ text }, world, input) => {
        expect(text).toContain('\\"check\\"');
        expect(await namesIn(world, placeIn(input))).toEqual(["check"]);
      },
    },
    ...(
      [
        ["an empty name", { name: "" }, "name"],
        ["a name of spaces", { name: "  " }, "name"],
        ["a name of two lines", { name: "a\nb" }, "name"],
        ["a reserved name", { name: "__proto__" }, "name"],
        ["a name that belongs to every workspace", { name: "si:identity" }, "name"],
        ["a name of 201 characters", { name: "x".repeat(201) }, "name"],
        ["code of more than a million characters", { code: "x".repeat(1_000_001) }, "code"],
      ] as const
    ).map(
      ([what, more, said]): Scenario => ({
        name: `refuses ${what}`,
        operation,
        input: creating(kind, more),
        expect: "invalidRequest",
        check: ({ text }) => expect(text).toContain(said),
      }),
    ),
    ...variantPlaces(operation, kind, (place) => ({ body: bodyFor(place, kind) })),
  ];
};

export const bindingScenarios: readonly Scenario[] = [
  ...bindingKinds.flatMap(creationsOf),
  ...["create", "UPDATE", "Refresh", "dEstroy", "manual"].map(
    (kind): Scenario => ({
      name: `takes an action of the kind ${kind}`,
      operation: "bindings.createAction",
      input: creating("action", { kind }),
      expect: 200,
      check: async (_answer, world, input) => {
        const [binding] = await bindingsIn(world, placeIn(input));
        expect(binding?.actionKind).toBe(`${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()}`);
      },
    }),
  ),
  ...["", "delete", "constructor"].map(
    (kind): Scenario => ({
      name: `refuses an action of the kind "${kind}"`,
      operation: "bindings.createAction",
      input: creating("action", { kind }),
      expect: "invalidRequest",
      check: ({ text }) => expect(text).toContain("kind: expected one of Create"),
    }),
  ),
  {
    name: "takes each kind of action once, and says which function has it",
    operation: "bindings.createAction",
    input: async (world) => {
      const place = await withSchema(world);
      await bound(world, place, "action", { name: "first" });
      return { ...place, body: bodyFor(place, "action", { name: "second", kind: "create" }) };
    },
    expect: "duplicateActionKind",
    check: ({ text }) => expect(text).toContain('Create action \\"first\\"'),
  },
  {
    name: "takes any number of Manual actions",
    operation: "bindings.createAction",
    input: async (world) => {
      const place = await withSchema(world);
      await bound(world, place, "action", { name: "first", kind: "Manual" });
      return { ...place, body: bodyFor(place, "action", { name: "second", kind: "Manual" }) };
    },
    expect: 200,
  },
  {
    name: "takes an overlay of a kind and name that a variant has",
    operation: "bindings.createAction",
    input: async (world) => {
      const place = await withSchema(world, { upstream: true });
      await bound(world, place, "action", { name: "make", skipOverlay: true });
      return { ...place, body: bodyFor(place, "action", { name: "make" }) };
    },
    expect: 200,
    check: async (_answer, world, input) =>
      expect((await bindingsIn(world, placeIn(input))).map(({ variantId }) => variantId)).toEqual([
        placeIn(input).schemaVariantId,
        null,
      ]),
  },
  {
    name: "takes each kind of action once among the overlays of a schema",
    operation: "bindings.createAction",
    input: async (world) => {
      const place = await withSchema(world, { upstream: true, locked: true });
      await bound(world, place, "action", { name: "first" });
      return { ...place, body: bodyFor(place, "action", { name: "second" }) };
    },
    expect: "duplicateActionKind",
  },
];
