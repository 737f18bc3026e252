import { expect } from "vitest";
import { entityRules } from "../../../server/read/entity-rules.ts";
import { installSchema } from "../../../server/routes/install-schema.ts";
import { patchEntity } from "../../../server/store/entities.ts";
import type { GetSchemaVariantResponse, UnlockedSchemaResponse } from "../../../src/contract/schemas.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";
import type { HttpAnswer } from "../../support/server.ts";
import { bindingsIn } from "./binding-inputs.ts";
import { inSet, viewOf, writeIn } from "./component-inputs.ts";
import {
  adas,
  appliedSchema,
  asData,
  componentOf,
  type MadeSchema,
  madeSchema,
  plain,
  propNames,
  schemaOf,
  unlockedSchema,
  variantOf,
} from "./schema-inputs.ts";

const operation = "schemas.unlock";
const answered = ({ body }: HttpAnswer): UnlockedSchemaResponse => body as UnlockedSchemaResponse;
/** The boundary of a scenario's input: it was made of one. */
const madeIn = (input: RowInput): MadeSchema => input as unknown as MadeSchema;
/** What a copy has in common with what it was made of. */
const shared = (variant: GetSchemaVariantResponse): object => {
  const { displayName, category, color, description, link, variantFuncs } = variant;
  return { displayName, category, color, description, link, variantFuncs, names: propNames(variant) };
};

/** A schema with a function of every kind that needs nothing, in the head. */
const withFunctions = async (world: World) => {
  const made = await madeSchema(world);
  const { client, workspaceId } = adas(world);
  const code = 'export function main() { return { result: "success" }; }';
  const at = { workspaceId, ...made };
  await client.bindings.createAction({ ...at, body: { name: "make", kind: "Create", code } });
  await client.bindings.createQualification({ ...at, body: { name: "check", code } });
  await world.server.apply(world.ada, made.changeSetId);
  return { ...made, changeSetId: await world.changeSet() };
};

export const schemaUnlockScenarios: readonly Scenario[] = [
  {
    name: "makes an unlocked copy with a definition of its own, which is not the default",
    operation,
    input: (world) => appliedSchema(world).then((made) => ({ ...made })),
    expect: 200,
    check: async (answer, world, input) => {
      const made = madeIn(input);
      const { unlockedVariant, unlockedVariantId, schemaId } = answered(answer);
      expect([schemaId, unlockedVariant.variantId]).toEqual([made.schemaId, unlockedVariantId]);
      const before = await variantOf(world, made);
      expect(shared(unlockedVariant)).toEqual(shared(before));
      expect(unlockedVariant).toMatchObject({ isLocked: false, isDefaultVariant: false });
      expect(unlockedVariant.assetFuncId).not.toBe(before.assetFuncId);
      expect(await schemaOf(world, made)).toMatchObject({
        defaultVariantId: before.variantId,
        variantIds: [before.variantId, unlockedVariantId].sort(),
      });
      const { client, workspaceId } = adas(world);
      const at = { workspaceId, changeSetId: made.changeSetId };
      const own = await client.functions.get({ ...at, funcId: unlockedVariant.assetFuncId });
      expect(own).toMatchObject({ code: plain, isLocked: false, kind: "SchemaVariantDefinition" });
      const head = await schemaOf(world, { ...made, changeSetId: "HEAD" });
      expect(head.variantIds).toEqual([before.variantId]);
    },
  },
  {
    name: "gives the same one again",
    operation,
    input: (world) => unlockedSchema(world).then((made) => ({ ...made })),
    expect: 200,
    check: (answer, _world, { schemaVariantId }) =>
      expect(answered(answer).unlockedVariantId).toBe(schemaVariantId),
  },
  {
    name: "gives the variant of a new schema, which is unlocked",
    operation,
    input: (world) => madeSchema(world).then((made) => ({ ...made })),
    expect: 200,
    check: (answer, _world, { schemaVariantId }) =>
      expect(answered(answer).unlockedVariantId).toBe(schemaVariantId),
  },
  {
    name: "binds the same functions, by bindings of its own",
    operation,
    input: (world) => withFunctions(world).then((made) => ({ ...made })),
    expect: 200,
    check: async (answer, world, input) => {
      const made = madeIn(input);
      const { unlockedVariantId, unlockedVariant } = answered(answer);
      const bindings = await bindingsIn(world, made);
      const of = (id: string) => bindings.filter(({ variantId }) => variantId === id);
      expect(of(unlockedVariantId).map(({ func }) => [func.id, func.isLocked])).toEqual(
        of(made.schemaVariantId).map(({ func }) => [func.id, true]),
      );
      expect(new Set(bindings.map(({ id }) => id)).size).toBe(4);
      expect(unlockedVariant.variantFuncs).toHaveLength(2);
    },
  },
  {
    name: "leaves components where they are until they are upgraded",
    operation,
    input: async (world) => {
      const made = await appliedSchema(world);
      return { ...made, componentId: await componentOf(world, made, { "/domain/size": 4 }) };
    },
    expect: 200,
    check: async (answer, world, input) => {
      const { changeSetId, componentId, schemaVariantId } = input as Record<string, string>;
      const { unlockedVariantId } = answered(answer);
      const before = await viewOf(world, changeSetId ?? "", componentId ?? "");
      expect([before.schemaVariantId, before.canBeUpgraded]).toEqual([schemaVariantId, true]);
      const { client, workspaceId } = adas(world);
      const { component } = await client.components.upgrade({
        workspaceId,
        changeSetId: changeSetId ?? "",
        componentId: componentId ?? "",
      });
      expect([component.schemaVariantId, component.canBeUpgraded]).toEqual([unlockedVariantId, false]);
      await world.server.apply(world.ada, changeSetId ?? "");
      const after = await viewOf(world, "HEAD", componentId ?? "");
      expect([after.schemaVariantId, after.canBeUpgraded]).toEqual([unlockedVariantId, false]);
    },
  },
  {
    name: "is over with the apply: the copy is locked, under a later version, and the default",
    operation,
    input: (world) => appliedSchema(world).then((made) => ({ ...made })),
    expect: 200,
    check: async (answer, world, input) => {
      const made = madeIn(input);
      const { unlockedVariantId, unlockedVariant } = answered(answer);
      await world.server.apply(world.ada, made.changeSetId);
      const head = { changeSetId: "HEAD", schemaId: made.schemaId };
      expect(await schemaOf(world, head)).toMatchObject({ defaultVariantId: unlockedVariantId });
      expect(await variantOf(world, { ...head, schemaVariantId: unlockedVariantId })).toEqual({
        ...unlockedVariant,
        isLocked: true,
        isDefaultVariant: true,
      });
      const { client, workspaceId } = adas(world);
      const changeSetId = await world.changeSet();
      const again = await client.schemas.unlock({ workspaceId, changeSetId, schemaId: made.schemaId });
      expect(again.unlockedVariantId).not.toBe(unlockedVariantId);
    },
  },
  {
    name: "writes the definition of a schema that came as data",
    operation,
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const made = await writeIn(world, changeSetId, (change) =>
        installSchema(change, asData(`Data ${world.fresh()}`)),
      );
      return { changeSetId, ...made };
    },
    expect: 200,
    check: async (answer, world, { changeSetId }) => {
      const { client, workspaceId } = adas(world);
      const { assetFuncId: funcId } = answered(answer).unlockedVariant;
      const func = await client.functions.get({ workspaceId, changeSetId: String(changeSetId), funcId });
      expect(func.code).toContain('.setName("region")');
      expect(func.code).toContain(".setCreateOnly()");
    },
  },
  {
    name: "writes a definition where an older version of the software left none",
    operation,
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const made = await writeIn(world, changeSetId, async (change) => {
        const found = await installSchema(change, asData(`Data ${world.fresh()}`));
        await patchEntity(change, entityRules, {
          kind: "variant",
          id: found.variantId,
          patch: { assetFuncId: null, version: null },
        });
        return found;
      });
      return { changeSetId, ...made };
    },
    expect: 200,
    check: (answer) => expect(answered(answer).unlockedVariant.assetFuncId).not.toBe(""),
  },
  ...["01J00000000000000000000000", "my-schema"].map(
    (schemaId): Scenario => ({
      name: `refuses the schema ${schemaId}, which nobody has`,
      operation,
      input: (world) => inSet(world, { schemaId }),
      expect: "invalidRequest",
    }),
  ),
  {
    name: "unlocks nothing in the head",
    operation,
    input: async (world) => ({ ...(await appliedSchema(world)), changeSetId: "HEAD" }),
    expect: "headNotEditable",
  },
  {
    name: "unlocks nothing in an applied change set",
    operation,
    input: async (world) => {
      const made = await madeSchema(world);
      await world.server.apply(world.ada, made.changeSetId);
      return { ...made };
    },
    expect: "changeSetNotActive",
  },
];
