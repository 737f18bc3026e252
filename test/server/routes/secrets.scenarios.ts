import { expect } from "vitest";
import type { SchemaPackage } from "../../../server/routes/install-schema.ts";
import { installSchema } from "../../../server/routes/install-schema.ts";
import { createEntities } from "../../../server/store/entities.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";
import { componentsOf, viewOf, writeIn } from "./component-inputs.ts";

/** Two kinds of secrets, one of them with a field of each way to enter it. */
const kinds: readonly SchemaPackage[] = [
  {
    name: "Cloud Login",
    category: "Security",
    color: "#112233",
    domain: [],
    secrets: [{ name: "Cloud Login", kind: "string", secret: "Cloud Login" }],
    secretDefinition: {
      name: "Cloud Login",
      fields: [
        { name: "User", kind: "string" },
        { name: "Password", kind: "string", widget: { kind: "password" } },
        { name: "Key", kind: "json", widget: { kind: "secret" } },
        { name: "Port", kind: "integer", widget: { kind: "text" } },
      ],
    },
  },
  {
    name: "Registry Token",
    category: "Security",
    color: "#112233",
    domain: [],
    secrets: [{ name: "Registry Token", kind: "string", secret: "Registry Token" }],
    secretDefinition: { name: "Registry Token", fields: [{ name: "token", kind: "string" }] },
  },
];

const login = { definitionName: "Cloud Login", name: "production", rawData: { User: "ada", Password: "pw" } };
const form = [
  { name: "User", kind: "string" },
  { name: "Password", kind: "password" },
  { name: "Key", kind: "password" },
  { name: "Port", kind: "integer" },
];

const secretsOf = (world: World, changeSetId: string) => {
  const { secrets } = world.server.client(world.ada.key);
  return { secrets, place: { workspaceId: world.ada.workspaceId, changeSetId } };
};

/** A change set in which both kinds are installed. */
const withKinds = async (world: World): Promise<string> => {
  const changeSetId = await world.changeSet();
  await writeIn(world, changeSetId, async (change) => {
    for (const kind of kinds) await installSchema(change, kind);
  });
  return changeSetId;
};
const create = async (world: World, changeSetId: string, body: object = {}): Promise<string> => {
  const { secrets, place } = secretsOf(world, changeSetId);
  return (await secrets.create({ ...place, body: { ...login, ...body } })).secret.id;
};
/** A change set with one secret, and where it is. */
const withSecret = async (world: World, body: object = {}) => {
  const changeSetId = await withKinds(world);
  return { changeSetId, secretId: await create(world, changeSetId, body) };
};
const applied = async (world: World) => {
  const found = await withSecret(world);
  await world.server.apply(world.ada, found.changeSetId);
  return found;
};
/** Secrets of the first kind that a change set shows, by name. */
const listed = async (world: World, changeSetId: string): Promise<string[]> => {
  const { secrets, place } = secretsOf(world, changeSetId);
  return ((await secrets.list(place))["Cloud Login"]?.secrets ?? []).map(({ name }) => name);
};
const creating =
  (body: object) =>
  async (world: World): Promise<RowInput> => ({
    changeSetId: await withKinds(world),
    body: { ...login, ...body },
  });
/** An update of a secret that is there; the body's id is its own unless it says otherwise. */
const updating =
  (body: object, first: object = {}) =>
  async (world: World) => {
    const found = await withSecret(world, { description: "of the first account", ...first });
    return { ...found, body: { id: found.secretId, name: "production", ...body } };
  };
/** A component that holds the secret of a change set. */
const holder = async (world: World, { changeSetId, secretId }: { changeSetId: string; secretId: string }) => {
  const { components, place } = componentsOf(world, changeSetId);
  const body = { name: "main account", schemaName: "Cloud Login" };
  const { id: componentId } = (await components.create({ ...place, body })).component;
  await components.update({ ...place, componentId, body: { secrets: { "Cloud Login": secretId } } });
  return componentId;
};

const creations: readonly Scenario[] = [
  {
    name: "stores a secret and says everything but what it holds",
    operation: "secrets.create",
    input: creating({ description: "of the first account" }),
    expect: 200,
    check: (answer) =>
      expect(answer.body).toEqual({
        secret: {
          id: expect.stringMatching(/^[0-9A-Z]{26}$/),
          name: "production",
          definition: "Cloud Login",
          description: "of the first account",
        },
      }),
  },
  ...[
    ["no description", {}],
    ["null for one", { description: null }],
    ["no content", { rawData: {} }],
    ["an empty value", { rawData: { Password: "" } }],
    ["text of any script in many lines", { rawData: { Key: "—BEGIN—\n\t🔑 ключ\n" } }],
    ["a value of 64 KB", { rawData: { Key: "x".repeat(65_536) } }],
    ["a name of 200 characters of any script", { name: "ü".repeat(200) }],
  ].map(
    ([name, body]): Scenario => ({
      name: `takes ${name}`,
      operation: "secrets.create",
      input: creating(body as object),
      expect: 200,
    }),
  ),
  {
    name: "takes no rawData at all",
    operation: "secrets.create",
    input: async (world) => {
      const { rawData: _, ...body } = login;
      return { changeSetId: await withKinds(world), body };
    },
    expect: 200,
  },
  {
    name: "takes a second one of the same name: two change sets could make them anyway",
    operation: "secrets.create",
    input: async (world) => {
      const name = `twin ${world.fresh()}`;
      return { changeSetId: (await withSecret(world, { name })).changeSetId, body: { ...login, name }, name };
    },
    expect: 200,
    check: async (_answer, world, { changeSetId, name }) =>
      expect((await listed(world, String(changeSetId))).slice(-2)).toEqual([name, name]),
  },
  ...[
    ["a definition that nobody has", { definitionName: "cloud login" }, '"Cloud Login"'],
    ["a schema that defines none", { definitionName: "Machine" }, "definitionName"],
    ["a field that the definition has not", { rawData: { password: "hunter2" } }, '"Password"'],
    ["a field of the prototype", { rawData: { constructor: "hunter2" } }, '"constructor"'],
    ["an empty name", { name: "" }, "body.name"],
    ["a value that is no text", { rawData: { Port: 22_113_344 } }, "body.rawData.Port"],
    ["content that is no object", { rawData: "hunter2" }, "body.rawData"],
    ["null for the content", { rawData: null }, "body.rawData"],
    ["a value of more than 64 KB", { rawData: { Key: "hunter2".repeat(9_400) } }, "body.rawData.Key"],
    ["a description of 1,001 characters", { description: "x".repeat(1_001) }, "body.description"],
  ].map(
    ([name, body, said]): Scenario => ({
      name: `refuses ${String(name)}, and repeats nothing of the content`,
      operation: "secrets.create",
      input: creating(body as object),
      expect: "invalidRequest",
      check: ({ body: answer, text }) => {
        expect(answer).toMatchObject({ message: expect.stringContaining(String(said)) });
        expect(text).not.toMatch(/hunter2|22113344/);
      },
    }),
  ),
  {
    name: "changes nothing in the head",
    operation: "secrets.create",
    input: () => ({ body: login }),
    expect: "headNotEditable",
  },
  {
    name: "changes nothing in an applied change set",
    operation: "secrets.create",
    input: async (world) => ({ changeSetId: (await applied(world)).changeSetId, body: login }),
    expect: "changeSetNotActive",
  },
];

const lists: readonly Scenario[] = [
  {
    name: "lists every installed definition with its form, and the secrets in the order they were made",
    operation: "secrets.list",
    input: async (world) => {
      const { changeSetId } = await withSecret(world);
      await create(world, changeSetId, { name: "archive", description: "cold" });
      return { changeSetId };
    },
    expect: 200,
    check: async (answer, world, { changeSetId }) => {
      expect((await listed(world, String(changeSetId))).slice(-2)).toEqual(["production", "archive"]);
      expect(answer.body).toMatchObject({
        "Cloud Login": {
          definition: { secretDefinition: "Cloud Login", formData: form },
          secrets: expect.arrayContaining([
            {
              id: expect.any(String),
              name: "production",
              definition: "Cloud Login",
              description: null,
            },
            { id: expect.any(String), name: "archive", definition: "Cloud Login", description: "cold" },
          ]),
        },
        "Registry Token": {
          definition: {
            secretDefinition: "Registry Token",
            formData: [{ name: "token", kind: "string" }],
          },
          secrets: [],
        },
      });
    },
  },
  {
    name: "lists what is left of a definition that is not installed, without breaking the rest",
    operation: "secrets.list",
    input: async (world) => {
      const { changeSetId } = await withSecret(world);
      const body = { definition: "Gone", content: world.fresh() };
      await writeIn(world, changeSetId, (change) =>
        createEntities(change, [{ kind: "secret", id: world.fresh(), name: "orphan", body }]),
      );
      return { changeSetId };
    },
    expect: 200,
    body: () => ({
      "Cloud Login": { definition: { formData: form } },
      Gone: { definition: { secretDefinition: "Gone", formData: [] }, secrets: [{ name: "orphan" }] },
    }),
  },
  {
    name: "keeps a secret to its change set until that is applied",
    operation: "secrets.list",
    input: async (world) => {
      const name = `only ${world.fresh()}`;
      const { changeSetId } = await withSecret(world, { name });
      expect(JSON.stringify(await listed(world, "HEAD"))).not.toContain(name);
      await world.server.apply(world.ada, changeSetId);
      return { name };
    },
    expect: 200,
    check: ({ text }, _world, { name }) => expect(text).toContain(String(name)),
  },
];

const updates: readonly Scenario[] = [
  {
    name: "renames, describes and fills a secret anew",
    operation: "secrets.update",
    input: updating({ name: "staging", description: "of the second", rawData: { User: "eve" } }),
    expect: 200,
    check: (answer, _world, { secretId }) =>
      expect(answer.body).toEqual({
        secret: {
          id: secretId,
          name: "staging",
          definition: "Cloud Login",
          description: "of the second",
        },
      }),
  },
  {
    name: "reads the id in any letter case",
    operation: "secrets.update",
    input: async (world) => {
      const found = await withSecret(world);
      const lower = found.secretId.toLowerCase();
      return { ...found, secretId: lower, body: { id: lower, name: "staging" } };
    },
    expect: 200,
  },
  ...[
    ["clears a description that is left out", {}],
    ["clears one that is null", { description: null, rawData: null }],
  ].map(
    ([name, body]): Scenario => ({
      name: String(name),
      operation: "secrets.update",
      input: updating(body as object),
      expect: 200,
      body: () => ({ secret: { description: null } }),
    }),
  ),
  {
    name: "refuses the id of another secret in the body",
    operation: "secrets.update",
    input: (world) => updating({ id: world.fresh() })(world),
    expect: "invalidRequest",
  },
  {
    name: "refuses a field that the definition has not",
    operation: "secrets.update",
    input: updating({ rawData: { Passwort: "hunter2" } }),
    expect: "invalidRequest",
    check: ({ text }) => expect(text).not.toContain("hunter2"),
  },
  {
    name: "refuses new content for a definition that is not installed, and renames all the same",
    operation: "secrets.update",
    input: async (world) => {
      const [changeSetId, secretId] = [await withKinds(world), world.fresh()];
      const body = { definition: "Gone", content: world.fresh() };
      await writeIn(world, changeSetId, (change) =>
        createEntities(change, [{ kind: "secret", id: secretId, name: "orphan", body }]),
      );
      const { secrets, place } = secretsOf(world, changeSetId);
      await secrets.update({ ...place, secretId, body: { id: secretId, name: "still here" } });
      return { changeSetId, secretId, body: { id: secretId, name: "x", rawData: { a: "b" } } };
    },
    expect: "invalidRequest",
  },
  {
    name: "does not know a secret that is not there",
    operation: "secrets.update",
    input: async (world) => {
      const secretId = world.fresh();
      return { changeSetId: await world.changeSet(), secretId, body: { id: secretId, name: "x" } };
    },
    expect: "secretNotFound",
  },
  {
    name: "does not know a malformed id",
    operation: "secrets.update",
    input: async (world) => ({
      changeSetId: await world.changeSet(),
      secretId: "production",
      body: { id: "production", name: "x" },
    }),
    expect: "secretNotFound",
  },
  {
    name: "changes nothing in the head",
    operation: "secrets.update",
    input: async (world) => {
      const { secretId } = await applied(world);
      return { secretId, body: { id: secretId, name: "x" } };
    },
    expect: "headNotEditable",
  },
  {
    name: "changes nothing in an applied change set",
    operation: "secrets.update",
    input: async (world) => {
      const found = await applied(world);
      return { ...found, body: { id: found.secretId, name: "x" } };
    },
    expect: "changeSetNotActive",
  },
];

const deletions: readonly Scenario[] = [
  {
    name: "deletes a secret of the change set",
    operation: "secrets.delete",
    input: async (world) => {
      const name = `short-lived ${world.fresh()}`;
      return { ...(await withSecret(world, { name })), name };
    },
    expect: 200,
    check: async ({ body }, world, { changeSetId, name }) => {
      expect(body).toEqual({ success: true });
      expect(await listed(world, String(changeSetId))).not.toContain(name);
    },
  },
  {
    name: "deletes one of the head here, and there when the change set is applied",
    operation: "secrets.delete",
    input: async (world) => ({
      changeSetId: await world.changeSet(),
      secretId: (await applied(world)).secretId,
    }),
    expect: 200,
    check: async (_answer, world, { changeSetId, secretId }) => {
      const { secrets, place } = secretsOf(world, "HEAD");
      expect(JSON.stringify(await secrets.list(place))).toContain(String(secretId));
      await world.server.apply(world.ada, String(changeSetId));
      expect(JSON.stringify(await secrets.list(place))).not.toContain(String(secretId));
    },
  },
  {
    name: "keeps one that a component holds, and names the component",
    operation: "secrets.delete",
    input: async (world) => {
      const found = await withSecret(world);
      await holder(world, found);
      return found;
    },
    expect: "secretInUse",
    check: ({ text }) => expect(text).toContain('\\"main account\\"'),
  },
  {
    name: "keeps one that a component of the head holds",
    operation: "secrets.delete",
    input: async (world) => {
      const found = await withSecret(world);
      await holder(world, found);
      await world.server.apply(world.ada, found.changeSetId);
      return { secretId: found.secretId, changeSetId: await world.changeSet() };
    },
    expect: "secretInUse",
  },
  {
    name: "deletes one whose holder was erased, or has another one now",
    operation: "secrets.delete",
    input: async (world) => {
      const found = await withSecret(world);
      const [first, second] = [await holder(world, found), await holder(world, found)];
      await world.server.apply(world.ada, found.changeSetId);
      const changeSetId = await world.changeSet();
      const other = await create(world, changeSetId, { name: "another" });
      const { components, place } = componentsOf(world, changeSetId);
      await components.erase({ ...place, componentId: first });
      const body = { secrets: { "Cloud Login": other } };
      await components.update({ ...place, componentId: second, body });
      return { changeSetId, secretId: found.secretId, holderId: second };
    },
    expect: 200,
  },
  {
    name: "leaves those without a secret who took it meanwhile in another change set",
    operation: "secrets.delete",
    input: async (world) => {
      const { secretId } = await applied(world);
      const taking = await world.changeSet();
      const componentId = await holder(world, { changeSetId: taking, secretId });
      return { changeSetId: await world.changeSet(), secretId, taking, componentId };
    },
    expect: 200,
    check: async (_answer, world, { changeSetId, secretId, taking, componentId }) => {
      const before = await viewOf(world, String(taking), String(componentId));
      expect(before.secretId).toBe(secretId);
      await world.server.apply(world.ada, String(changeSetId));
      expect((await viewOf(world, String(taking), String(componentId))).secretId).toBe("");
      await world.server.apply(world.ada, String(taking));
      expect((await viewOf(world, "HEAD", String(componentId))).secretId).toBe("");
    },
  },
  {
    name: "does not know one that was deleted",
    operation: "secrets.delete",
    input: async (world) => {
      const found = await withSecret(world);
      const { secrets, place } = secretsOf(world, found.changeSetId);
      await secrets.delete({ ...place, secretId: found.secretId });
      return found;
    },
    expect: "secretNotFound",
  },
  {
    name: "changes nothing in the head",
    operation: "secrets.delete",
    input: async (world) => ({ secretId: (await applied(world)).secretId }),
    expect: "headNotEditable",
  },
  {
    name: "changes nothing in an applied change set",
    operation: "secrets.delete",
    input: applied,
    expect: "changeSetNotActive",
  },
];

export const secretScenarios: readonly Scenario[] = [...creations, ...lists, ...updates, ...deletions];
