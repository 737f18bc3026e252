import { expect } from "vitest";
import type { GetSchemaVariantResponse } from "../../../src/contract/schemas.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";
import type { HttpAnswer } from "../../support/server.ts";
import { until } from "../../support/until.ts";
import { bindingsIn } from "./binding-inputs.ts";
import { viewOf } from "./component-inputs.ts";
import {
  adas,
  anew,
  appliedSchema,
  componentOf,
  definition,
  type MadeSchema,
  madeSchema,
  placeOf,
  plain,
  prop,
  propNames,
  schemaOf,
  unlockedSchema,
  variantOf,
} from "./schema-inputs.ts";

const operation = "schemas.variantUpdate";
const answered = ({ body }: HttpAnswer): GetSchemaVariantResponse => body as GetSchemaVariantResponse;
/** `size` has become text, `zone` is new. */
const changed = definition(
  prop("region", "string", '.setDefaultValue("eu-2")'),
  prop("size"),
  prop("zone", "string", '.setDefaultValue("a")'),
);
const madeIn = (input: RowInput): MadeSchema & { readonly componentId: string } =>
  // The boundary of a scenario's input: it was made of one.
  input as unknown as MadeSchema & { readonly componentId: string };

const updating =
  (make: (world: World) => Promise<MadeSchema>, body: object = anew(changed)) =>
  async (world: World): Promise<RowInput> => ({ ...(await make(world)), body });

const values = async (
  world: World,
  { changeSetId, componentId }: { changeSetId: string; componentId: string },
) => {
  const { domainProps } = await viewOf(world, changeSetId, componentId);
  return Object.fromEntries(domainProps.map(({ path, value }) => [path.replace("root/domain/", ""), value]));
};

/** A component of a schema's unlocked variant. */
const withComponent = async (world: World): Promise<MadeSchema & { readonly componentId: string }> => {
  const made = await unlockedSchema(world);
  const componentId = await componentOf(world, made, { "/domain/size": 3, "/domain/region": "us-1" }, true);
  return { ...made, componentId };
};

/** Attribute functions and others, bound to the variant. */
const withBindings = async (world: World, made: MadeSchema): Promise<void> => {
  const { client, workspaceId } = adas(world);
  const at = { workspaceId, ...placeOf(made) };
  const { domainProps } = await variantOf(world, made);
  const idOf = (name: string): string =>
    domainProps?.children?.find((child) => child.name === name)?.propId ?? "";
  const code = "export function main({ from }) { return from ?? 1; }";
  const bound = (name: string, from: string, to: string) =>
    client.bindings.createAttribute({
      ...at,
      body: {
        name,
        code,
        propId: idOf(to),
        argumentBindings: [{ name: "from", kind: "Any", propId: idOf(from) }],
      },
    });
  await bound("toSize", "region", "size");
  await client.bindings.createAction({ ...at, body: { name: "make", kind: "Create", code } });
  await client.bindings.createCodegen({ ...at, body: { name: "code", code } });
};

export const variantUpdateScenarios: readonly Scenario[] = [
  {
    name: "makes a variant anew in its place where no component has it",
    operation,
    input: updating(
      unlockedSchema,
      anew(changed, { color: "#123456", description: "d", link: "https://a.b" }),
    ),
    expect: 200,
    check: async (answer, world, input) => {
      const made = madeIn(input);
      const variant = answered(answer);
      expect(variant).toMatchObject({
        variantId: made.schemaVariantId,
        displayName: "Anew",
        color: "#123456",
        description: "d",
        link: "https://a.b",
        isLocked: false,
      });
      expect(propNames(variant)).toEqual(["region", "size", "zone"]);
      expect(await variantOf(world, made)).toEqual(variant);
      expect((await schemaOf(world, made)).name).toBe(made.name);
      const { client, workspaceId } = adas(world);
      const at = { workspaceId, changeSetId: made.changeSetId, funcId: variant.assetFuncId };
      expect((await client.functions.get(at)).code).toBe(changed);
    },
  },
  {
    name: "keeps the color, clears description and link, and moves the category of the default",
    operation,
    input: async (world) => {
      const made = await madeSchema(world);
      const { client, workspaceId } = adas(world);
      const body = anew(plain, { color: "#123456", description: "d", link: "https://a.b" });
      await client.schemas.variantUpdate({ workspaceId, ...placeOf(made), body });
      return { ...made, body: anew(plain, { category: "Moved", color: null }) };
    },
    expect: 200,
    body: () => ({ color: "#123456", description: null, link: null, category: "Moved" }),
    check: async (_answer, world, input) => {
      const { client, workspaceId } = adas(world);
      const { changeSetId, schemaId } = madeIn(input);
      const query = { schemaId };
      expect(await client.schemas.find({ workspaceId, changeSetId, query })).toMatchObject({
        category: "Moved",
      });
    },
  },
  {
    name: "moves components to a new variant, which takes the old one's place, with what fits there",
    operation,
    input: updating(withComponent),
    expect: 200,
    check: async (answer, world, input) => {
      const made = madeIn(input);
      const { variantId, isDefaultVariant, isLocked } = answered(answer);
      expect(variantId).not.toBe(made.schemaVariantId);
      expect([isDefaultVariant, isLocked]).toEqual([false, false]);
      const { variantIds } = await schemaOf(world, made);
      expect(variantIds).toContain(variantId);
      expect(variantIds).not.toContain(made.schemaVariantId);
      await world.server.propagate(made.changeSetId);
      const component = await viewOf(world, made.changeSetId, made.componentId);
      expect([component.schemaVariantId, component.canBeUpgraded]).toEqual([variantId, false]);
      expect(await values(world, made)).toEqual({ region: "us-1", size: null, zone: "a" });
      await world.server.apply(world.ada, made.changeSetId);
      expect(await values(world, { ...made, changeSetId: "HEAD" })).toEqual({
        region: "us-1",
        size: null,
        zone: "a",
      });
      expect(await schemaOf(world, { ...made, changeSetId: "HEAD" })).toMatchObject({
        defaultVariantId: variantId,
      });
    },
  },
  {
    name: "makes the new one the default where the old one was",
    operation,
    input: updating(async (world) => {
      const made = await madeSchema(world);
      await componentOf(world, made);
      return made;
    }),
    expect: 200,
    check: async (answer, world, input) => {
      const { variantId, isDefaultVariant } = answered(answer);
      expect(isDefaultVariant).toBe(true);
      expect(await schemaOf(world, madeIn(input))).toMatchObject({
        defaultVariantId: variantId,
        variantIds: [variantId],
      });
    },
  },
  {
    name: "leaves the head's components alone that were not upgraded",
    operation,
    input: async (world) => {
      const made = await madeSchema(world);
      const componentId = await componentOf(world, made, { "/domain/size": 5 });
      await world.server.apply(world.ada, made.changeSetId);
      const { client, workspaceId } = adas(world);
      const changeSetId = await world.changeSet();
      const { schemaId } = made;
      const { unlockedVariantId } = await client.schemas.unlock({ workspaceId, changeSetId, schemaId });
      return { changeSetId, schemaId, schemaVariantId: unlockedVariantId, componentId, body: anew(changed) };
    },
    expect: 200,
    check: async (answer, world, input) => {
      const { changeSetId, schemaVariantId, componentId } = madeIn(input);
      expect(answered(answer).variantId).toBe(schemaVariantId);
      expect(await values(world, { changeSetId, componentId })).toEqual({ region: "eu-1", size: 5 });
    },
  },
  {
    name: "moves components that the head has and this change set has upgraded",
    operation,
    input: async (world) => {
      const made = await madeSchema(world);
      const componentId = await componentOf(world, made, { "/domain/region": "x" });
      await world.server.apply(world.ada, made.changeSetId);
      const { client, workspaceId } = adas(world);
      const changeSetId = await world.changeSet();
      const at = { workspaceId, changeSetId };
      const { unlockedVariantId } = await client.schemas.unlock({ ...at, schemaId: made.schemaId });
      await client.components.upgrade({ ...at, componentId });
      return { ...made, changeSetId, schemaVariantId: unlockedVariantId, componentId, body: anew(changed) };
    },
    expect: 200,
    check: async (answer, world, input) => {
      const made = madeIn(input);
      const { schemaVariantId } = await viewOf(world, made.changeSetId, made.componentId);
      expect(schemaVariantId).toBe(answered(answer).variantId);
      expect(await values(world, made)).toEqual({ region: "x", size: null, zone: "a" });
      await world.server.apply(world.ada, made.changeSetId);
      expect(await values(world, { ...made, changeSetId: "HEAD" })).toEqual({
        region: "x",
        size: null,
        zone: "a",
      });
    },
  },
  {
    name: "carries functions over, and attribute functions whose properties are still there",
    operation,
    input: updating(async (world) => {
      const made = await withComponent(world);
      await withBindings(world, made);
      return made;
    }),
    expect: 200,
    check: async (answer, world, input) => {
      const { variantId, variantFuncs } = answered(answer);
      const bindings = await bindingsIn(world, madeIn(input));
      const own = bindings.filter((binding) => binding.variantId === variantId);
      expect(own.map(({ func }) => func.name).sort()).toEqual(["code", "make", "toSize"]);
      expect(bindings.map((binding) => binding.variantId)).not.toContain(madeIn(input).schemaVariantId);
      expect(variantFuncs).toHaveLength(3);
    },
  },
  {
    name: "drops attribute functions whose properties are gone, in place as well",
    operation,
    input: updating(
      async (world) => {
        const made = await unlockedSchema(world);
        await withBindings(world, made);
        return made;
      },
      anew(definition(prop("zone"), prop("size", "integer"))),
    ),
    expect: 200,
    check: async (_answer, world, input) => {
      const bindings = await bindingsIn(world, madeIn(input));
      const { schemaVariantId } = madeIn(input);
      const own = bindings.filter(({ variantId }) => variantId === schemaVariantId);
      expect(own.map(({ func }) => func.name).sort()).toEqual(["code", "make"]);
    },
  },
  {
    name: "changes nothing when its code fails",
    operation,
    input: updating(withComponent, anew("function main() {\n  return missing;\n}", { name: "No" })),
    expect: "definitionFailed",
    check: async ({ text }, world, input) => {
      const made = madeIn(input);
      expect(text).toContain("ReferenceError");
      expect(text).toContain("(line 2");
      expect(propNames(await variantOf(world, made))).toEqual(["region", "size"]);
      expect(await values(world, made)).toEqual({ region: "us-1", size: 3 });
    },
  },
  {
    name: "refuses texts that nobody can read",
    operation,
    input: updating(unlockedSchema, anew(plain, { name: " " })),
    expect: "invalidRequest",
  },
  {
    name: "asks to unlock a locked variant",
    operation,
    input: updating(appliedSchema),
    expect: "variantLocked",
    check: ({ text }) => expect(text).toContain("unlock the schema"),
  },
  {
    name: "says of which schema a variant is",
    operation,
    input: updating(async (world) => {
      const made = await madeSchema(world);
      const other = await madeSchema(world, plain, made.changeSetId);
      return { ...made, schemaId: other.schemaId };
    }),
    expect: "variantNotOfSchema",
  },
  {
    name: "does not know a variant that is not there",
    operation,
    input: updating(async (world) => ({ ...(await madeSchema(world)), schemaVariantId: world.fresh() })),
    expect: "variantNotFound",
  },
  {
    name: "says which variant has taken the place of one that is gone, however often",
    operation,
    input: async (world) => {
      const made = await withComponent(world);
      const { client, workspaceId } = adas(world);
      const put = (schemaVariantId: string) =>
        client.schemas.variantUpdate({ workspaceId, ...placeOf(made), schemaVariantId, body: anew(changed) });
      const { variantId: first } = await put(made.schemaVariantId);
      const { variantId: second } = await put(first);
      return { ...made, second, body: anew(changed) };
    },
    expect: "variantNotFound",
    check: async ({ body }, _world, input) => {
      expect(body).toMatchObject({ message: expect.stringContaining(`replaced by ${input["second"]} `) });
    },
  },
  {
    name: "does not know a schema that is not there",
    operation,
    input: updating(async (world) => {
      const { changeSetId, name } = await madeSchema(world);
      return { changeSetId, name, schemaId: world.fresh(), schemaVariantId: world.fresh() };
    }),
    expect: "schemaNotFound",
  },
  {
    name: "changes nothing in the head",
    operation,
    input: updating(async (world) => ({ ...(await appliedSchema(world)), changeSetId: "HEAD" })),
    expect: "headNotEditable",
  },
  {
    name: "changes nothing in an applied change set",
    operation,
    input: updating(async (world) => {
      const made = await madeSchema(world);
      await world.server.apply(world.ada, made.changeSetId);
      return made;
    }),
    expect: "changeSetNotActive",
  },
];

/** What tells readers to come again. */
const readers = ["", "/variant/default", "/variant/"] as const;

const slow = definition(prop("region"), prop("slow")).replace(
  "function main() {",
  "async function main() {\n  await new Promise((done) => setTimeout(done, 2500));",
);

/** Reads of a schema while a definition runs in its change set. */
export const buildingScenarios: readonly Scenario[] = readers.map((path): Scenario => {
  const reading =
    path === "" ? "schemas.get" : path === "/variant/" ? "schemas.variantGet" : "schemas.variantDefault";
  return {
    name: "says 202 while a slow definition runs, and 200 once it has ended",
    operation: reading,
    input: async (world) => {
      const made = await unlockedSchema(world);
      const { client, workspaceId } = adas(world);
      const at = { workspaceId, ...placeOf(made) };
      const before = await variantOf(world, made);
      const update = client.schemas.variantUpdate({ ...at, body: anew(slow) });
      const address = `/v1/w/${workspaceId}/change-sets/${made.changeSetId}/schemas/${made.schemaId}${path}${path === "/variant/" ? made.schemaVariantId : ""}`;
      const ask = () => world.server.request("GET", address, { as: world.ada.key });
      let meanwhile = await ask();
      await until(async () => {
        meanwhile = await ask();
        return meanwhile.status === 202;
      }, "a reader to be told that the variant is being made");
      expect(meanwhile.body).toEqual({
        status: "building",
        message: expect.stringContaining("retry"),
        retryAfterSeconds: 2,
        estimatedCompletionSeconds: 5,
      });
      expect([meanwhile.headers.get("retry-after"), meanwhile.headers.get("etag")]).toEqual(["2", null]);
      // Others, and the head, go on.
      const head = await client.schemas.get({ workspaceId, changeSetId: "HEAD", schemaId: made.schemaId });
      expect(head.variantIds).toHaveLength(1);
      const after = await update;
      expect(propNames(before)).toEqual(["region", "size"]);
      expect(propNames(after)).toEqual(["region", "slow"]);
      return { ...made };
    },
    expect: 200,
  };
});
