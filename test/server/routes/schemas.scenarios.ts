import { expect } from "vitest";
import { installSchema } from "../../../server/routes/install-schema.ts";
import type { Scenario, World } from "../../support/scenarios.ts";
import { inSet, writeIn } from "./component-inputs.ts";
import {
  adas,
  appliedSchema,
  asData,
  definition,
  madeSchema,
  plain,
  prop,
  schemaOf,
  variantOf,
} from "./schema-inputs.ts";

const installed = async (world: World, name = `Data ${world.fresh()}`) => {
  const changeSetId = await world.changeSet();
  const made = await writeIn(world, changeSetId, (change) => installSchema(change, asData(name)));
  return { changeSetId, name, ...made };
};

/** What every row about one schema refuses. */
const unknown = (operation: string, more: object = {}): Scenario[] =>
  ["01J00000000000000000000000", "my-schema"].map((schemaId) => ({
    name: `does not know the schema ${schemaId}`,
    operation,
    input: (world) => inSet(world, { schemaId, ...more }),
    expect: "schemaNotFound",
  }));

const allPages = async (world: World, changeSetId: string, limit: number) => {
  const { client, workspaceId } = adas(world);
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.schemas.list({ workspaceId, changeSetId, query });
    found.push(...page.schemas.map(({ schemaId }) => schemaId));
    cursor = page.nextCursor;
  }
  return found;
};

export const schemaListScenarios: readonly Scenario[] = [
  {
    name: "shows what the change set shows, in ascending order of id, page after page",
    operation: "schemas.list",
    input: async (world) => {
      const { changeSetId } = await madeSchema(world);
      await madeSchema(world, plain, changeSetId);
      return { changeSetId };
    },
    expect: 200,
    check: async ({ body }, world, { changeSetId }) => {
      const { schemas } = body as { schemas: { schemaId: string; schemaName: string }[] };
      const ids = schemas.map(({ schemaId }) => schemaId);
      expect(ids).toEqual([...ids].sort());
      expect(schemas.map(({ schemaName }) => schemaName)).toEqual(
        expect.arrayContaining(["Machine", "Network", expect.stringContaining("Made")]),
      );
      expect(await allPages(world, String(changeSetId), 1)).toEqual(ids);
    },
  },
  {
    name: "goes on after a cursor whose schema is gone",
    operation: "schemas.list",
    input: (world) => inSet(world, { query: { cursor: "00000000000000000000000000" } }),
    expect: 200,
    check: ({ text }) => expect(text).toContain("Machine"),
  },
  ...[0, -1, 1.5, "x"].map(
    (limit): Scenario => ({
      name: `refuses a limit of ${limit}`,
      operation: "schemas.list",
      input: (world) => inSet(world, { query: { limit } }),
      expect: "invalidRequest",
    }),
  ),
  {
    name: "shows the head what was applied, and no other change set's schemas",
    operation: "schemas.list",
    input: async (world) => {
      await madeSchema(world);
      return {};
    },
    expect: 200,
    check: async (answer, world) => {
      expect(answer.text).toContain("Machine");
      const hidden = await madeSchema(world);
      const again = await adas(world).client.schemas.list({
        workspaceId: world.ada.workspaceId,
        changeSetId: "HEAD",
      });
      expect(again.schemas.map(({ schemaName }) => schemaName)).not.toContain(hidden.name);
    },
  },
];

export const schemaFindScenarios: readonly Scenario[] = [
  {
    name: "finds one by name in any letter case",
    operation: "schemas.find",
    input: (world) => inSet(world, { query: { schema: "mAcHiNe" } }),
    expect: 200,
    body: () => ({ schemaName: "Machine", category: "Compute", installed: true }),
  },
  {
    name: "lets the id count where both are given",
    operation: "schemas.find",
    input: async (world) => {
      const { schemaId, changeSetId } = await madeSchema(world);
      return { changeSetId, query: { schema: "Machine", schemaId: schemaId.toLowerCase() } };
    },
    expect: 200,
    check: ({ text }) => expect(text).toContain("Made"),
  },
  {
    name: "suggests names that are near",
    operation: "schemas.find",
    input: (world) => inSet(world, { query: { schema: "machne" } }),
    expect: "schemaNotFound",
    check: ({ text }) => expect(text).toContain('similar ones: \\"Machine\\"'),
  },
  {
    name: "does not know an id that no schema has",
    operation: "schemas.find",
    input: (world) => inSet(world, { query: { schemaId: world.fresh() } }),
    expect: "schemaNotFound",
  },
  {
    name: "asks for one of the two",
    operation: "schemas.find",
    input: (world) => inSet(world),
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain("expected schema or schemaId"),
  },
  {
    name: "lists a category",
    operation: "schemas.search",
    input: async (world) => {
      const { changeSetId } = await madeSchema(world);
      return { changeSetId, body: { category: "Tests" } };
    },
    expect: 200,
    check: ({ body }) => {
      const { schemas } = body as { schemas: { category: string }[] };
      expect(new Set(schemas.map(({ category }) => category))).toEqual(new Set(["Tests"]));
    },
  },
  ...[{}, { category: null }].map(
    (body): Scenario => ({
      name: `lists all for ${JSON.stringify(body)}`,
      operation: "schemas.search",
      input: (world) => inSet(world, { body }),
      expect: 200,
      check: ({ text }) => {
        expect(text).toContain("Machine");
        expect(text).toContain("Network");
      },
    }),
  ),
  {
    name: "does not know a category of no schema, nor one in other letters",
    operation: "schemas.search",
    input: (world) => inSet(world, { body: { category: "compute" } }),
    expect: "schemaNotFound",
  },
  {
    name: "shows a schema with its variants",
    operation: "schemas.get",
    input: async (world) => {
      const made = await appliedSchema(world);
      const { client, workspaceId } = adas(world);
      await client.schemas.unlock({ workspaceId, ...made });
      return { ...made };
    },
    expect: 200,
    check: ({ body }, _world, { schemaId, schemaVariantId, name }) => {
      const found = body as { variantIds: string[] };
      expect(found).toMatchObject({ schemaId, name, defaultVariantId: schemaVariantId });
      expect(found.variantIds).toHaveLength(2);
    },
  },
  ...unknown("schemas.get"),
];

export const variantScenarios: readonly Scenario[] = [
  {
    name: "shows the default with every kind of property",
    operation: "schemas.variantDefault",
    input: async (world) => {
      const { client, workspaceId } = adas(world);
      const query = { schema: "Machine" };
      const { schemaId } = await client.schemas.find({ workspaceId, changeSetId: "HEAD", query });
      return inSet(world, { schemaId });
    },
    expect: 200,
    check: ({ body }) => {
      const { domainProps, ...rest } = body as { domainProps: { children: object[] } };
      expect(rest).toMatchObject({
        displayName: "Machine",
        category: "Compute",
        color: "#336699",
        isLocked: true,
        isDefaultVariant: true,
        installedFromUpstream: false,
        assetFuncId: expect.stringMatching(/^[0-9A-Z]{26}$/),
        variantFuncIds: [],
        variantFuncs: [],
        description: null,
        link: null,
      });
      expect(domainProps).toMatchObject({ name: "domain", propType: "object" });
      const kinds = domainProps.children.map((child) => Reflect.get(child, "propType"));
      expect(kinds).toEqual(
        expect.arrayContaining(["string", "integer", "float", "boolean", "json", "map", "array", "object"]),
      );
      expect(domainProps.children[0]).toEqual({
        propId: expect.stringMatching(/^[0-9A-Z]{26}$/),
        name: "region",
        propType: "string",
        description: null,
        children: null,
        validationFormat: null,
        defaultValue: "eu-1",
        hidden: false,
        docLink: null,
      });
      expect(domainProps.children).toContainEqual(
        expect.objectContaining({ name: "labels", children: [expect.objectContaining({ name: "label" })] }),
      );
    },
  },
  {
    name: "lists the functions of a variant by kind, overlays among them",
    operation: "schemas.variantDefault",
    input: async (world) => {
      const made = await madeSchema(world);
      const { client, workspaceId } = adas(world);
      const code = "export async function main() {}";
      const bind = { workspaceId, ...made };
      await client.bindings.createAction({ ...bind, body: { name: "make", kind: "create", code } });
      await client.bindings.createQualification({ ...bind, body: { name: "check", code } });
      await client.bindings.createManagement({ ...bind, body: { name: "Import from cloud", code } });
      return { ...made };
    },
    expect: 200,
    check: ({ body }) => {
      const { variantFuncs, variantFuncIds } = body as {
        variantFuncs: { id: string; funcKind: object }[];
        variantFuncIds: string[];
      };
      expect(variantFuncs.map(({ funcKind }) => funcKind)).toEqual(
        expect.arrayContaining([
          { kind: "action", actionKind: "Create" },
          { kind: "other", funcKind: "Qualification" },
          { kind: "management", managementFuncKind: "import" },
        ]),
      );
      expect(variantFuncs).toHaveLength(3);
      expect(variantFuncIds).toEqual(variantFuncs.map(({ id }) => id).sort());
    },
  },
  ...unknown("schemas.variantDefault"),
  {
    name: "shows one variant, ids in any letter case",
    operation: "schemas.variantGet",
    input: async (world) => {
      const { changeSetId, schemaId, variantId } = await installed(world);
      return {
        changeSetId,
        schemaId: schemaId.toLowerCase(),
        schemaVariantId: variantId.toLowerCase(),
      };
    },
    expect: 200,
    body: () => ({ color: "#112233", category: "Data" }),
  },
  {
    name: "does not know a variant that is not there",
    operation: "schemas.variantGet",
    input: async (world) => ({ ...(await madeSchema(world)), schemaVariantId: world.fresh() }),
    expect: "variantNotFound",
  },
  {
    name: "says of which schema a variant is",
    operation: "schemas.variantGet",
    input: async (world) => {
      const made = await madeSchema(world);
      const other = await madeSchema(world, plain, made.changeSetId);
      return { ...made, schemaId: other.schemaId };
    },
    expect: "variantNotOfSchema",
  },
  ...unknown("schemas.variantGet", { schemaVariantId: "01J00000000000000000000000" }),
];

const creating =
  (code: string, more: object = {}) =>
  (world: World) =>
    inSet(world, { body: { name: `New ${world.fresh()}`, code, ...more } });

/** Definitions that fail, and what the answer must say. */
const failing: readonly (readonly [what: string, code: string, said: string])[] = [
  ["is no TypeScript", "function main() {\n  const x = ;\n}", "line 2"],
  ["has no main", "function other() {}", "main"],
  ["throws", 'function main() {\n  throw new TypeError("no luck");\n}', "TypeError: no luck (line 2"],
  ["returns nothing", "function main() {}", "definition cannot be undefined or null"],
  ["returns something else", "function main() { return [1]; }", "what AssetBuilder.build() returns"],
  ["returns what is no JSON", "function main() { return { props: () => 1 }; }", "props"],
  ["uses a builder wrongly", definition('asset.addProp(new PropBuilder().setName("x"))'), "(line 3"],
  ["names a property twice", definition(prop("a"), prop("a")), "property /domain/a: expected each name once"],
  ["has a default of another kind", definition(prop("a", "boolean", ".setDefaultValue(7)")), "/domain/a"],
  [
    "lets properties take their values in a circle",
    definition(
      ...["ab", "ba"].map(([own = "", from = ""]) =>
        prop(
          own,
          "string",
          `.setValueFrom(new ValueFromBuilder().setKind("prop").setPropPath(["root", "domain", "${from}"]).build())`,
        ),
      ),
    ),
    "in a circle",
  ],
  ["returns 100 MB", 'function main() { return { props: "x".repeat(100_000_000) }; }', "of memory"],
  [
    "returns 3 MB",
    'function main() { return { props: ["x".repeat(3_000_000)] }; }',
    "result has more than 2000000 characters",
  ],
];

export const schemaCreationScenarios: readonly Scenario[] = [
  {
    name: "makes a schema and its variant, which is unlocked and the default",
    operation: "schemas.create",
    input: creating(plain, { description: "what it is", link: "https://example.org/x", color: "#abc" }),
    expect: 200,
    check: async ({ body }, world, { changeSetId, body: sent }) => {
      const made = body as { schemaId: string; defaultVariantId: string; variantIds: string[] };
      const { name } = sent as { name: string };
      expect(made).toMatchObject({ name, variantIds: [made.defaultVariantId] });
      const place = { changeSetId: String(changeSetId), schemaId: made.schemaId };
      expect(await schemaOf(world, place)).toEqual(made);
      const variant = await variantOf(world, { ...place, schemaVariantId: made.defaultVariantId });
      expect(variant).toMatchObject({
        displayName: name,
        category: "Custom",
        color: "#abc",
        description: "what it is",
        link: "https://example.org/x",
        isLocked: false,
        isDefaultVariant: true,
        installedFromUpstream: false,
      });
      const { client, workspaceId } = adas(world);
      const func = await client.functions.get({ workspaceId, ...place, funcId: variant.assetFuncId });
      expect(func).toMatchObject({ kind: "SchemaVariantDefinition", code: plain, isLocked: false });
      expect(func.name).toMatch(/^new\w+Scaffold_\d{23}$/);
    },
  },
  {
    name: "makes components of it at once, with its defaults and kinds",
    operation: "schemas.create",
    input: creating(plain),
    expect: 200,
    check: async (answer, world, { changeSetId }) => {
      const { client, workspaceId } = adas(world);
      const at = { workspaceId, changeSetId: String(changeSetId) };
      const body = { name: "one", schemaName: answer.at("name"), attributes: { "/domain/size": 3 } };
      const { component } = await client.components.create({ ...at, body });
      expect(component.schemaVariantId).toBe(answer.at("defaultVariantId"));
      const values = Object.fromEntries(component.domainProps.map(({ path, value }) => [path, value]));
      expect(values).toMatchObject({ "root/domain/region": "eu-1", "root/domain/size": 3 });
    },
  },
  {
    name: "lets a property take the value of another one, until it is set itself",
    operation: "schemas.create",
    input: creating(
      definition(
        prop("a"),
        prop(
          "b",
          "string",
          '.setValueFrom(new ValueFromBuilder().setKind("prop").setPropPath(["root", "domain", "a"]).build())',
        ),
      ),
    ),
    expect: 200,
    check: async (answer, world, { changeSetId: given }) => {
      const { client, workspaceId } = adas(world);
      const at = { workspaceId, changeSetId: String(given) };
      const made = await client.components.create({
        ...at,
        body: { name: "one", schemaName: answer.at("name"), attributes: { "/domain/a": "x" } },
      });
      const { id: componentId } = made.component;
      const value = async (): Promise<unknown> => {
        await world.server.propagate(at.changeSetId);
        const { component } = await client.components.get({ ...at, componentId });
        return component.domainProps.find(({ path }) => path === "root/domain/b")?.value;
      };
      expect(await value()).toBe("x");
      await client.components.update({ ...at, componentId, body: { attributes: { "/domain/a": "y" } } });
      expect(await value()).toBe("y");
      await client.components.update({ ...at, componentId, body: { attributes: { "/domain/b": "own" } } });
      expect(await value()).toBe("own");
      const variant = await variantOf(world, {
        ...at,
        schemaId: answer.at("schemaId"),
        schemaVariantId: answer.at("defaultVariantId"),
      });
      expect(variant.variantFuncs).toEqual([]);
    },
  },
  {
    name: "takes code with types, exported and async, without properties",
    operation: "schemas.create",
    input: creating("export async function main(): Promise<object> { return new AssetBuilder().build(); }"),
    expect: 200,
  },
  {
    name: "locks it and its function with the apply",
    operation: "schemas.create",
    input: creating(plain, { category: "Tests" }),
    expect: 200,
    check: async (answer, world, { changeSetId }) => {
      const place = { schemaId: answer.at("schemaId"), schemaVariantId: answer.at("defaultVariantId") };
      const before = await variantOf(world, { changeSetId: String(changeSetId), ...place });
      await world.server.apply(world.ada, String(changeSetId));
      const after = await variantOf(world, { changeSetId: "HEAD", ...place });
      expect(after).toEqual({ ...before, isLocked: true });
      const { client, workspaceId } = adas(world);
      const at = { workspaceId, changeSetId: "HEAD", funcId: after.assetFuncId };
      expect(await client.functions.get(at)).toMatchObject({ isLocked: true });
    },
  },
  {
    name: "refuses a name that a schema has, in any letter case",
    operation: "schemas.create",
    input: creating(plain, { name: "MACHINE" }),
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain('has a schema \\"Machine\\" already'),
  },
  ...failing.map(
    ([what, code, said]): Scenario => ({
      name: `refuses code that ${what}, and keeps nothing`,
      operation: "schemas.create",
      input: creating(code),
      expect: "definitionFailed",
      check: async ({ text }, world, { changeSetId, body }) => {
        expect(text).toContain(said);
        const { client, workspaceId } = adas(world);
        const all = await client.schemas.list({
          workspaceId,
          changeSetId: String(changeSetId),
          query: { limit: 300 },
        });
        expect(JSON.stringify(all)).not.toContain((body as { name: string }).name);
      },
    }),
  ),
  {
    name: "remembers the run of a definition that failed, with its log and its reason",
    operation: "schemas.create",
    input: creating('function main() {\n  console.log("about to fail");\n  throw new Error("no luck");\n}'),
    expect: "definitionFailed",
    check: async (_answer, world, { changeSetId }) => {
      const { client, workspaceId } = adas(world);
      const at = { workspaceId, changeSetId: String(changeSetId) };
      const { funcRuns: runs } = await client.functionRuns.list({ ...at, query: {} });
      expect(runs).toMatchObject([{ state: "Failure", functionKind: "SchemaVariantDefinition" }]);
      const { funcRun } = await client.functionRuns.get({ ...at, funcRunId: runs[0]?.id ?? "" });
      expect(funcRun.logs?.logs.map(({ message }) => message)).toContain("about to fail");
    },
  },
  ...(
    [
      ["an empty name", { name: "" }],
      ["a name of spaces", { name: "   " }],
      ["a name of two lines", { name: "a\nb" }],
      ["a name of 201 characters", { name: "x".repeat(201) }],
      ["an empty category", { category: "" }],
      ["a color that is none", { color: "blue" }],
      ["a link that leads nowhere", { link: "example" }],
      ["a link that runs code", { link: "javascript:alert(1)" }],
      ["code of more than a million characters", { code: "x".repeat(1_000_001) }],
    ] as const
  ).map(
    ([what, more]): Scenario => ({
      name: `refuses ${what}`,
      operation: "schemas.create",
      input: creating(plain, more),
      expect: "invalidRequest",
    }),
  ),
  {
    name: "makes nothing in the head",
    operation: "schemas.create",
    input: (world) => ({ changeSetId: "HEAD", body: { name: `New ${world.fresh()}`, code: plain } }),
    expect: "headNotEditable",
  },
  {
    name: "makes nothing in an applied change set",
    operation: "schemas.create",
    input: async (world) => {
      const { changeSetId } = await madeSchema(world);
      await world.server.apply(world.ada, changeSetId);
      return { changeSetId, body: { name: `New ${world.fresh()}`, code: plain } };
    },
    expect: "changeSetNotActive",
  },
];
