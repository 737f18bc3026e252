import { expect } from "vitest";
import { entityRules } from "../../../server/read/entity-rules.ts";
import { getSchemaNamed } from "../../../server/read/variants.ts";
import { installSchema, releaseVariant, type SchemaPackage } from "../../../server/routes/install-schema.ts";
import { createEntities, patchEntity } from "../../../server/store/entities.ts";
import type { Scenario, World } from "../../support/scenarios.ts";
import { testSchemas } from "../../support/schemas.ts";
import {
  componentsOf,
  creating,
  inSet,
  places,
  updating,
  viewOf,
  withComponent,
  writeIn,
} from "./component-inputs.ts";

const machine = testSchemas.find(({ name }) => name === "Machine") as SchemaPackage;
/** A newer Machine: without `ratio`, with `size` as text and `public` moved, and with a property more. */
const newMachine: SchemaPackage = {
  ...machine,
  domain: [
    ...machine.domain.filter(({ name }) => !["ratio", "size"].includes(name)),
    { name: "size", kind: "string" },
    { name: "zone", kind: "string", defaultValue: "a" },
  ],
};

/** A component of a Machine that has a newer variant in its change set. */
const outdated = async (world: World, attributes: object = {}) => {
  const changeSetId = await world.changeSet();
  const componentId = await world.component(changeSetId, "old", attributes);
  await writeIn(world, changeSetId, (change) => releaseVariant(change, newMachine));
  return { changeSetId, componentId };
};

/** An unlocked variant of Machine in a change set; returns its id. */
const unlocked = (world: World, changeSetId: string): Promise<string> =>
  writeIn(world, changeSetId, async (change) => {
    const { tx, layer } = change;
    const schema = await getSchemaNamed(tx, layer, "Machine");
    const variantId = tx.store.id();
    const body = { ...JSON.parse(JSON.stringify(newMachine)), schemaId: schema.id, isLocked: false };
    const variant = { displayName: "Machine", link: null, description: null, resourceValue: [], ...body };
    await createEntities(change, [{ kind: "variant", id: variantId, name: "Machine", body: variant }]);
    const patch = { unlockedVariantId: variantId };
    await patchEntity(change, entityRules, { kind: "schema", id: schema.id, patch });
    return variantId;
  });

const queue = (world: World, changeSetId: string, componentId: string, state: "Running" | "Pending") =>
  writeIn(world, changeSetId, async (change) => {
    const { tx, layer } = change;
    const row = {
      layer: layer.id,
      id: tx.store.id(),
      op: "add",
      edit_rev: layer.graphRev,
      base_rev: 0,
      component_id: componentId,
      prototype_id: tx.store.id(),
      kind: "Update",
      name: "update machine",
      description: null,
      state,
      origin: layer.id,
      func_run_id: null,
    } as const;
    await tx.db.insertInto("action").values(row).execute();
    change.saved();
  });

const upgrades: readonly Scenario[] = [
  {
    name: "keeps what still fits, its id, name, views, managers and readers, and drops the rest",
    operation: "components.upgrade",
    input: async (world) => {
      const input = await outdated(world, {
        "/domain/size": 3,
        "/domain/ratio": 1.5,
        "/domain/ports": [80],
        "/domain/tags/-": { Key: "k" },
        "/domain/labels/a": "b",
        "/domain/network/nested/deep": "d",
      });
      const { changeSetId, componentId } = input;
      const { components, place } = componentsOf(world, changeSetId);
      await components.addToView({ ...place, body: { componentIds: [componentId], viewName: "Old" } });
      const boss = await world.component(changeSetId, "boss");
      await components.manage({ ...place, componentId: boss, body: { componentId } });
      const reader = await world.component(changeSetId, "reader", {
        "/domain/region": { $source: { component: componentId, path: "/domain/labels/a" } },
      });
      expect((await viewOf(world, changeSetId, componentId)).canBeUpgraded).toBe(true);
      const query = { includeMarks: true, cursor: componentId.slice(0, -1), limit: 1 };
      const { componentDetails } = await components.list({ ...place, query });
      expect(componentDetails).toMatchObject([{ componentId, canBeUpgraded: true }]);
      return { ...input, reader };
    },
    expect: 200,
    body: () => ({
      component: {
        name: "old",
        canBeUpgraded: false,
        attributes: {
          "/domain/ports/0": 80,
          "/domain/tags/0/Key": "k",
          "/domain/labels/a": "b",
          "/domain/network/nested/deep": "d",
        },
        connections: [{ managedBy: { componentName: "boss" } }],
        domainProps: expect.arrayContaining([
          expect.objectContaining({ path: "root/domain/zone", value: "a" }),
          expect.objectContaining({ path: "root/domain/size", value: null }),
        ]),
      },
    }),
    check: async ({ body }, world, { changeSetId, componentId, reader }) => {
      const { component } = body as { component: Awaited<ReturnType<typeof viewOf>> };
      expect(component.id).toBe(componentId);
      expect(component.views.map(({ name }) => name).sort()).toEqual(["DEFAULT", "Old"]);
      expect(Object.keys(component.attributes)).not.toContain("/domain/size");
      expect(component.domainProps.map(({ path }) => path)).not.toContain("root/domain/ratio");
      await world.server.propagate(String(changeSetId));
      const { domainProps } = await viewOf(world, String(changeSetId), String(reader));
      expect(domainProps).toContainEqual(expect.objectContaining({ path: "root/domain/region", value: "b" }));
      await world.server.apply(world.ada, String(changeSetId));
      const inHead = await viewOf(world, "HEAD", String(componentId));
      expect(inHead).toEqual(component);
      // The world's other tests go on with the first variant.
      const back = await world.changeSet();
      await writeIn(world, back, (change) => releaseVariant(change, machine));
      await world.server.apply(world.ada, back);
    },
  },
  {
    name: "shows an upgraded component of the head as modified, though no value differs",
    operation: "components.upgrade",
    input: async (world) => {
      const made = await withComponent(world);
      await world.server.apply(world.ada, made.changeSetId);
      const changeSetId = await world.changeSet();
      await writeIn(world, changeSetId, (change) => releaseVariant(change, machine));
      return { changeSetId, componentId: made.componentId };
    },
    expect: 200,
    check: async (_answer, world, { changeSetId, componentId }) => {
      const { components, place } = componentsOf(world, String(changeSetId));
      const cursor = String(componentId).slice(0, -1);
      const query = { includeDiffStatus: true, includeMarks: true, cursor, limit: 1 };
      const { componentDetails } = await components.list({ ...place, query });
      expect(componentDetails).toMatchObject([{ componentId, diffStatus: "Modified" }]);
      expect(componentDetails[0]).not.toHaveProperty("canBeUpgraded");
    },
  },
  {
    name: "changes nothing where the component is on the latest variant",
    operation: "components.upgrade",
    input: withComponent,
    expect: 200,
    body: () => ({ component: { canBeUpgraded: false } }),
    check: async (_answer, world, { changeSetId }) => {
      const rows = await world.server.store.db
        .selectFrom("event")
        .select("kind")
        .where("layer", "=", String(changeSetId))
        .execute();
      expect(rows.map(({ kind }) => kind)).not.toContain("component.upgraded");
    },
  },
  {
    name: "prefers the unlocked variant to the default one",
    operation: "components.upgrade",
    input: async (world) => {
      const input = await withComponent(world);
      return { ...input, variantId: await unlocked(world, input.changeSetId) };
    },
    expect: 200,
    check: (answer, _world, { variantId }) => expect(answer.at("component.schemaVariantId")).toBe(variantId),
  },
  {
    name: "waits for an action of the component that is running, and names it",
    operation: "components.upgrade",
    input: async (world) => {
      const input = await outdated(world);
      await queue(world, input.changeSetId, input.componentId, "Running");
      return input;
    },
    expect: "actionRunning",
    check: ({ text }) => expect(text).toContain("update machine"),
  },
  {
    name: "does not wait for an action that is queued",
    operation: "components.upgrade",
    input: async (world) => {
      const input = await outdated(world);
      await queue(world, input.changeSetId, input.componentId, "Pending");
      return input;
    },
    expect: 200,
  },
  ...places("components.upgrade"),
  {
    name: "makes a component of the unlocked variant where the working copy is asked for",
    operation: "components.create",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const variantId = await unlocked(world, changeSetId);
      return { changeSetId, variantId, body: { name: "m", schemaName: "Machine", useWorkingCopy: true } };
    },
    expect: 200,
    check: (answer, _world, { variantId }) => expect(answer.at("component.schemaVariantId")).toBe(variantId),
  },
  {
    name: "refuses the working copy of a schema that has none",
    operation: "components.create",
    input: creating({ useWorkingCopy: true }),
    expect: "invalidRequest",
  },
  {
    name: "takes null for the working copy",
    operation: "components.create",
    input: creating({ useWorkingCopy: null }),
    expect: 200,
  },
];

const withPayload = (more: object) => async (world: World) => {
  const changeSetId = await world.changeSet();
  return { changeSetId, componentId: await world.component(changeSetId, "made", more) };
};
const resources: readonly Scenario[] = [
  {
    name: "gives what was last seen, and when",
    operation: "components.resource",
    input: withPayload({
      "/resource/payload": { Id: "i-1" },
      "/resource/status": "warning",
      "/resource/last_synced": "2026-01-02T03:04:05Z",
    }),
    expect: 200,
    check: ({ body }) =>
      expect(body).toEqual({
        status: "warning",
        payload: { Id: "i-1" },
        last_synced: "2026-01-02T03:04:05Z",
      }),
  },
  {
    name: "says ok and the time of writing for a payload that came alone",
    operation: "components.resource",
    input: withPayload({ "/resource/payload": "[1, 2" }),
    expect: 200,
    body: () => ({ status: "ok", payload: "[1, 2", last_synced: expect.stringMatching(/^20\d\d-.*Z$/) }),
  },
  {
    name: "knows no resource of a component that never had one",
    operation: "components.resource",
    input: withComponent,
    expect: "noResource",
  },
  {
    name: "knows no resource whose payload is an empty object",
    operation: "components.resource",
    input: withPayload({ "/resource": {} }),
    expect: "noResource",
  },
  {
    name: "does not know a component that is not there",
    operation: "components.resource",
    input: (world) => inSet(world, { componentId: world.fresh() }),
    expect: "componentNotFound",
  },
  {
    name: "does not know a malformed id",
    operation: "components.resource",
    input: () => ({ componentId: "web-1" }),
    expect: "componentNotFound",
  },
];

const vault: SchemaPackage = {
  name: "Vault",
  category: "Security",
  color: "#112233",
  domain: [],
  secrets: [{ name: "Vault Token", kind: "string", secret: "Vault Token" }],
  secretDefinition: { name: "Vault Token", fields: [{ name: "token", kind: "string" }] },
};

/** A component that can hold a secret, and three secrets of which two share a name. */
const holding = async (world: World, secrets: object) => {
  const changeSetId = await world.changeSet();
  const secretIds = [world.fresh(), world.fresh(), world.fresh(), world.fresh()];
  const names = ["production", "twin", "twin", "foreign"];
  await writeIn(world, changeSetId, async (change) => {
    await installSchema(change, vault);
    await createEntities(
      change,
      secretIds.map((id, n) => ({
        kind: "secret",
        id,
        name: names[n] ?? "",
        body: { definition: names[n] === "foreign" ? "Another" : "Vault Token" },
      })),
    );
  });
  const { components, place } = componentsOf(world, changeSetId);
  const body = { name: "vault", schemaName: "Vault" };
  const { component } = await components.create({ ...place, body });
  const named = JSON.parse(JSON.stringify(secrets).replace("SECOND", secretIds[1] ?? ""));
  return { changeSetId, componentId: component.id, secretIds, body: { secrets: named } };
};

const secrets: readonly Scenario[] = [
  {
    name: "gives the component a secret by name, which is not among its attributes",
    operation: "components.update",
    input: (world) => holding(world, { "Vault Token": "production" }),
    expect: 200,
    check: async (answer, world, { changeSetId, componentId, secretIds }) => {
      const [secretId] = secretIds as string[];
      expect(answer.at("component.secretId")).toBe(secretId);
      const { attributes } = await viewOf(world, String(changeSetId), String(componentId));
      expect(attributes).toEqual({ "/si/name": "vault", "/si/type": "component" });
      const { components, place } = componentsOf(world, String(changeSetId));
      const again = await components.update({
        ...place,
        componentId: String(componentId),
        body: { attributes },
      });
      expect(again.component.secretId).toBe(secretId);
      const reader = await world.component(String(changeSetId), "reader", {
        "/secrets/Credential": { $source: { component: "vault", path: "/secrets/Vault Token" } },
      });
      expect((await viewOf(world, String(changeSetId), reader)).secretId).toBe("");
    },
  },
  {
    name: "gives the component a secret by id where several share the name",
    operation: "components.update",
    input: (world) => holding(world, { "Vault Token": "SECOND" }),
    expect: 200,
    check: (answer, _world, { secretIds }) =>
      expect(answer.at("component.secretId")).toBe((secretIds as string[])[1]),
  },
  {
    name: "takes secrets that are none",
    operation: "components.update",
    input: updating({ secrets: {} }),
    expect: 200,
  },
  ...[
    ["does not know a secret that is not there", { "Vault Token": "nothing" }, "secretNotFound"],
    ["does not know a secret of another kind", { "Vault Token": "foreign" }, "secretNotFound"],
    ["does not choose between two secrets of one name", { "Vault Token": "twin" }, "invalidRequest"],
    ["refuses a definition that is not the schema's", { Another: "foreign" }, "invalidRequest"],
    ["refuses a secret that is no text", { "Vault Token": 1 }, "invalidRequest"],
  ].map(
    ([name, wanted, expected]) =>
      ({
        name,
        operation: "components.update",
        input: (world: World) => holding(world, wanted as object),
        expect: expected,
      }) as Scenario,
  ),
  {
    name: "refuses a secret for a component whose schema defines none",
    operation: "components.update",
    input: updating({ secrets: { Credential: "production" } }),
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain("defines none"),
  },
  {
    name: "refuses null for secrets, which may only be left out",
    operation: "components.update",
    input: updating({ secrets: null }),
    expect: "invalidRequest",
  },
];

export const componentUpgradeScenarios: readonly Scenario[] = [...upgrades, ...resources, ...secrets];
