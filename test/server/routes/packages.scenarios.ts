import { expect } from "vitest";
import { shippedSchemas } from "../../../server/catalogue/index.ts";
import type { JsonObject } from "../../../server/domain/json.ts";
import type { GetSchemaResponse } from "../../../src/contract/schemas.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";
import { wholePackage } from "../domain/package-examples.ts";
import { appliedSet, inSet } from "./component-inputs.ts";
import { freshSpec, installedFile, installing, wholeFreshSpec } from "./package-inputs.ts";
import { adas, appliedSchema, madeSchema } from "./schema-inputs.ts";

const at = (world: World, { changeSetId, schemaId }: RowInput) => {
  const { client, workspaceId } = adas(world);
  return { client, place: { workspaceId, changeSetId: String(changeSetId), schemaId: String(schemaId) } };
};
const nameIn = (spec: unknown): string => String((spec as JsonObject)["name"]);
interface Installed {
  readonly schemaId: string;
  readonly schemaVariantId: string;
}

/** Installing from a file. */
export const fileScenarios: readonly Scenario[] = [
  {
    name: "installs a schema that is new, locked, as its default",
    operation: "packages.installFromFile",
    input: async (world) => installing(world, freshSpec(world)),
    expect: 200,
    check: async ({ body }, world, { changeSetId, body: spec }) => {
      const name = nameIn(spec);
      expect(body).toMatchObject({ schemaName: name, displayName: name, category: "Demo" });
      const { schemaId, schemaVariantId } = body as Installed;
      const { client, place } = at(world, { changeSetId, schemaId });
      const variant = await client.schemas.variantDefault(place);
      expect(variant).toMatchObject({
        variantId: schemaVariantId,
        isLocked: true,
        installedFromUpstream: false,
      });
      expect(variant.domainProps?.children?.map((prop) => prop.name)).toEqual(["region"]);
      const asset = await client.functions.get({ ...place, funcId: variant.assetFuncId });
      expect(asset).toMatchObject({
        kind: "SchemaVariantDefinition",
        isLocked: true,
        code: "function main(){return new AssetBuilder().build()}",
      });
    },
  },
  {
    name: "brings all functions with it, locked and at work",
    operation: "packages.installFromFile",
    input: async (world) => installing(world, wholeFreshSpec(world)),
    expect: 200,
    body: () => ({ displayName: "Object store" }),
    check: async ({ body }, world, { changeSetId }) => {
      const { schemaId } = body as Installed;
      const { client, place } = at(world, { changeSetId, schemaId });
      const { variantFuncs } = await client.schemas.variantDefault(place);
      const functions = await Promise.all(
        variantFuncs.map(({ id }) => client.functions.get({ ...place, funcId: id })),
      );
      const expected = wholePackage.functions.filter(
        ({ kind }) => kind !== "Intrinsic" && kind !== "SchemaVariantDefinition",
      );
      const told = ({ name, code, kind }: { name: string; code: string; kind: string }) => ({
        name,
        code,
        kind,
      });
      const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
      expect(functions.map(told).sort(byName)).toEqual(expected.map(told).sort(byName));
      expect(functions.every(({ isLocked }) => isLocked)).toBe(true);
    },
  },
  {
    name: "takes the spec as a field of text too",
    operation: "packages.installFromFile",
    input: async (world) => {
      const form = new FormData();
      form.append("more", "ignored");
      form.append("pkg_spec", JSON.stringify(freshSpec(world)));
      return installing(world, form);
    },
    expect: 200,
  },
  {
    name: "upgrades a schema of that name, in any letter case, with an unlocked default",
    operation: "packages.installFromFile",
    input: async (world) => {
      const { spec, changeSetId, schemaId, schemaVariantId } = await installedFile(world);
      const [schema] = spec["schemas"] as JsonObject[];
      const name = nameIn(spec).toUpperCase();
      const data = { ...(schema?.["data"] as JsonObject), name, category: "Newer" };
      const newer = { ...spec, name, schemas: [{ ...schema, name, data }] };
      return { ...(await installing(world, newer, changeSetId)), schemaId, before: schemaVariantId };
    },
    expect: 200,
    check: async ({ body }, world, { changeSetId, schemaId, before }) => {
      const upgraded = body as Installed;
      expect(upgraded.schemaId).toBe(schemaId);
      expect(body).toMatchObject({ schemaName: expect.stringMatching(/^Demo /), category: "Newer" });
      const { client, place } = at(world, { changeSetId, schemaId });
      const schema = await client.schemas.get(place);
      expect(schema.defaultVariantId).toBe(upgraded.schemaVariantId);
      expect([...schema.variantIds].sort()).toEqual([String(before), upgraded.schemaVariantId].sort());
      expect(await client.schemas.variantDefault(place)).toMatchObject({ isLocked: false });
      expect((await client.schemas.unlock(place)).unlockedVariantId).toBe(upgraded.schemaVariantId);
    },
  },
  {
    name: "locks the working copy that was there when it brings another one",
    operation: "packages.installFromFile",
    input: async (world) => {
      const first = await installedFile(world);
      const { client, place } = at(world, first);
      const body = JSON.stringify(first.spec);
      const second = await client.packages.installFromFile({ ...place, body });
      return {
        ...(await installing(world, first.spec, first.changeSetId)),
        ...first,
        second: second.schemaVariantId,
      };
    },
    expect: 200,
    check: async ({ body }, world, input) => {
      const { client, place } = at(world, input);
      const lockOf = async (schemaVariantId: unknown): Promise<boolean> =>
        (await client.schemas.variantGet({ ...place, schemaVariantId: String(schemaVariantId) })).isLocked;
      expect([
        await lockOf(input["schemaVariantId"]),
        await lockOf(input["second"]),
        await lockOf((body as Installed).schemaVariantId),
      ]).toEqual([true, true, false]);
    },
  },
  {
    name: "installs the catalogue's schema first where it has one of that name",
    operation: "packages.installFromFile",
    input: async (world) => {
      const [schema] = freshSpec(world)["schemas"] as JsonObject[];
      const data = { ...(schema?.["data"] as JsonObject), name: "wait" };
      return installing(world, { ...freshSpec(world), schemas: [{ ...schema, name: "wait", data }] });
    },
    expect: 200,
    body: () => ({ schemaName: "Wait" }),
    check: async ({ body }, world, { changeSetId }) => {
      const { schemaId } = body as Installed;
      const { client, place } = at(world, { changeSetId, schemaId });
      expect((await client.schemas.get(place)).variantIds).toHaveLength(2);
    },
  },
  ...[
    ["text that is no JSON", "{ no"],
    ["another document", "[]"],
    ["a package without schemas", JSON.stringify({ kind: "module" })],
  ].map(
    ([name, body]): Scenario => ({
      name: `cannot read ${name}`,
      operation: "packages.installFromFile",
      input: (world) => installing(world, body),
      expect: "packageUnreadable",
    }),
  ),
  {
    name: "cannot read a form without the field",
    operation: "packages.installFromFile",
    input: (world) => installing(world, new FormData()),
    expect: "packageUnreadable",
    check: ({ text }) => expect(text).toContain("pkg_spec: expected a string"),
  },
  {
    name: "refuses a package that makes no sense, with the place, and leaves nothing",
    operation: "packages.installFromFile",
    input: async (world) => installing(world, { ...freshSpec(world), funcs: [] }),
    expect: "packageInvalid",
    check: async ({ text }, world, { changeSetId, body }) => {
      expect(text).toContain("pkg_spec.schemas[0].variants[0].data.funcUniqueId: no function of the package");
      const { client, workspaceId } = adas(world);
      const query = { schema: nameIn(body) };
      await expect(
        client.schemas.find({ workspaceId, changeSetId: String(changeSetId), query }),
      ).rejects.toThrow("no schema is named");
    },
  },
  {
    name: "refuses a zero character anywhere",
    operation: "packages.installFromFile",
    input: async (world) => installing(world, { ...freshSpec(world), description: "a\u0000b" }),
    expect: "packageInvalid",
  },
  {
    name: "changes nothing in the head",
    operation: "packages.installFromFile",
    input: async (world) => ({ changeSetId: "HEAD", body: freshSpec(world) }),
    expect: "headNotEditable",
  },
  {
    name: "changes nothing in an applied change set",
    operation: "packages.installFromFile",
    input: async (world) => ({ ...(await appliedSet(world)), body: freshSpec(world) }),
    expect: "changeSetNotActive",
  },
];

/** The id of a shipped schema. */
const shippedId = async (world: World, changeSetId: string, name: string): Promise<string> => {
  const { client, workspaceId } = adas(world);
  return (await client.schemas.find({ workspaceId, changeSetId, query: { schema: name } })).schemaId;
};
const shipping = (name: string) => async (world: World) => {
  const changeSetId = await world.changeSet();
  return { changeSetId, schemaId: await shippedId(world, changeSetId, name) };
};

/** Installing from the catalogue. */
export const installScenarios: readonly Scenario[] = [
  ...shippedSchemas.map(
    ({ name, functions }): Scenario => ({
      name: `installs ${name}, locked, under its own id`,
      operation: "packages.install",
      input: shipping(name),
      expect: 200,
      body: () => ({ name }),
      check: async ({ body }, world, input) => {
        const { schemaId, defaultVariantId, variantIds } = body as GetSchemaResponse;
        expect([schemaId, variantIds]).toEqual([input["schemaId"], [defaultVariantId]]);
        const { client, place } = at(world, input);
        const variant = await client.schemas.variantDefault(place);
        expect(variant).toMatchObject({ isLocked: true, installedFromUpstream: true });
        expect(variant.variantFuncs).toHaveLength(functions.length);
        const query = { schemaId: place.schemaId };
        expect((await client.schemas.find({ ...place, query })).installed).toBe(true);
      },
    }),
  ),
  {
    name: "answers a schema that is installed as it is",
    operation: "packages.install",
    input: async (world) => {
      const input = await shipping("Wait")(world);
      const { client, place } = at(world, input);
      const { unlockedVariantId } = await client.schemas.unlock(place);
      return { ...input, unlockedVariantId };
    },
    expect: 200,
    check: ({ body }, _world, { unlockedVariantId }) =>
      expect((body as GetSchemaResponse).variantIds).toContain(unlockedVariantId),
  },
  {
    name: "answers a schema that was made here",
    operation: "packages.install",
    input: async (world) => ({ ...(await madeSchema(world)) }),
    expect: 200,
  },
  {
    name: "reads the id in any letter case",
    operation: "packages.install",
    input: async (world) => {
      const { changeSetId, schemaId } = await shipping("Config File")(world);
      return { changeSetId, schemaId: schemaId.toLowerCase() };
    },
    expect: 200,
  },
  ...[
    ["an id that nobody has", (world: World) => world.fresh()],
    ["a malformed id", () => "subnet"],
  ].map(
    ([name, id]): Scenario => ({
      name: `does not know ${String(name)}`,
      operation: "packages.install",
      input: (world) => inSet(world, { schemaId: (id as (world: World) => string)(world) }),
      expect: "invalidRequest",
    }),
  ),
  {
    name: "does not put a second schema of a name beside one that was made here",
    operation: "packages.install",
    input: async (world) => {
      const input = await shipping("DNS Record")(world);
      const { client, place } = at(world, input);
      const code = "function main() { return new AssetBuilder().build(); }";
      await client.schemas.create({ ...place, body: { name: "DNS Record", code } });
      return input;
    },
    expect: "invalidRequest",
  },
  {
    name: "changes nothing in the head",
    operation: "packages.install",
    input: async (world) => ({ ...(await shipping("TLS Certificate")(world)), changeSetId: "HEAD" }),
    expect: "headNotEditable",
  },
  {
    name: "changes nothing in an applied change set",
    operation: "packages.install",
    input: async (world) => ({ ...(await shipping("TLS Certificate")(world)), ...(await appliedSet(world)) }),
    expect: "changeSetNotActive",
  },
];

/** Contributing. */
export const contributionScenarios: readonly Scenario[] = [
  {
    name: "puts a schema into the catalogue of every workspace",
    operation: "packages.contribute",
    input: async (world) => ({ ...(await appliedSchema(world)) }),
    expect: 200,
    check: async ({ text }, { server, eve }, { schemaId, name }) => {
      expect(text).toBe("");
      const client = server.client(eve.key);
      const { schemas } = await client.schemas.list({
        workspaceId: eve.workspaceId,
        changeSetId: "HEAD",
        query: { limit: 300 },
      });
      expect(schemas).toContainEqual({ schemaId, schemaName: name, category: "Tests", installed: false });
    },
  },
  {
    name: "puts a schema that came from a file into the catalogue",
    operation: "packages.contribute",
    input: (world) => installedFile(world),
    expect: 200,
  },
  {
    name: "takes the same again without a word",
    operation: "packages.contribute",
    input: async (world) => {
      const input = await appliedSchema(world);
      const { client, place } = at(world, { ...input });
      await client.packages.contribute(place);
      return { ...input };
    },
    expect: 200,
  },
  {
    name: "does not contribute from the head",
    operation: "packages.contribute",
    input: async (world) => ({ ...(await appliedSchema(world)), changeSetId: "HEAD" }),
    expect: "contributionRefused",
  },
  {
    name: "does not contribute a variant that is not locked",
    operation: "packages.contribute",
    input: async (world) => ({ ...(await madeSchema(world)) }),
    expect: "contributionRefused",
    check: ({ text }) => expect(text).toContain("is not locked"),
  },
  {
    name: "does not contribute what came from the catalogue",
    operation: "packages.contribute",
    input: async (world) => {
      const input = await shipping("Subnet")(world);
      const { client, place } = at(world, input);
      await client.packages.install(place);
      return input;
    },
    expect: "contributionRefused",
    check: ({ text }) => expect(text).toContain("was installed from the catalogue"),
  },
  ...[
    ["an id that nobody has", (world: World) => Promise.resolve(world.fresh())],
    ["a malformed id", () => Promise.resolve("x")],
    ["a schema that only the catalogue has", async (world: World) => shippedId(world, "HEAD", "Wait")],
  ].map(
    ([name, id]): Scenario => ({
      name: `does not know ${String(name)}`,
      operation: "packages.contribute",
      input: async (world) =>
        inSet(world, { schemaId: await (id as (world: World) => Promise<string>)(world) }),
      expect: "schemaNotFound",
    }),
  ),
];
