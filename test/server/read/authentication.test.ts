import { expect, it } from "vitest";
import { beforeFunctions } from "../../../server/read/authentication.ts";
import { VariantCache } from "../../../server/read/variants.ts";
import { installSchema, type SchemaPackage } from "../../../server/routes/install-schema.ts";
import { createEntities } from "../../../server/store/entities.ts";
import type { Layer } from "../../../server/store/layer.ts";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { writeIn } from "../routes/component-inputs.ts";
import { functionOf } from "../runs/running.ts";

const secretSchema = (name: string, reads: readonly string[] = []): SchemaPackage => ({
  name: `${name} account`,
  category: "Security",
  color: "#112233",
  domain: [],
  secrets: [name, ...reads].map((secret) => ({ name: secret, kind: "string", secret })),
  secretDefinition: { name, fields: [{ name: "Token", kind: "string" }] },
});
const place = "/secrets/Credential";

describeEngines("authentication functions", (engine) => {
  const suite = suiteServer(engine);

  /** A change set in which two schemas define a secret, each with a function of its own. */
  const begin = async () => {
    const world = await createWorld(suite.server);
    const changeSetId = await world.changeSet();
    await writeIn(world, changeSetId, async (change) => {
      for (const schema of [secretSchema("Credential", ["Root"]), secretSchema("Root")]) {
        const { schemaId, variantId } = await installSchema(change, schema);
        const funcId = world.fresh();
        const { id: _, ...func } = functionOf(`function main() { /* ${schema.name} */ }`, {
          kind: "Authentication",
        });
        const binding = { kind: "authentication", schemaId, variantId, funcId };
        await createEntities(change, [
          { kind: "func", id: funcId, name: "login", body: { ...func, arguments: [] } },
          { kind: "binding", id: world.fresh(), name: schemaId, body: binding },
        ]);
      }
    });
    const layer: Layer = {
      id: changeSetId,
      workspaceId: world.ada.workspaceId,
      headId: (
        await suite.server.store.db
          .selectFrom("change_set")
          .select("head_id")
          .where("id", "=", changeSetId)
          .executeTakeFirstOrThrow()
      ).head_id,
    };
    const at = { workspaceId: world.ada.workspaceId, changeSetId };
    const client = suite.server.client(world.ada.key);
    const { secrets } = client;
    return {
      world,
      layer,
      erase: (componentId: string) => client.components.erase({ ...at, componentId }),
      secret: async (definitionName: string, Token: string) =>
        (await secrets.create({ ...at, body: { definitionName, name: Token, rawData: { Token } } })).secret
          .id,
      refill: (secretId: string, name: string, Token: string) =>
        secrets.update({ ...at, secretId, body: { id: secretId, name, rawData: { Token } } }),
    };
  };
  type Story = Awaited<ReturnType<typeof begin>>;
  const holding = async ({ world, layer }: Story, definition: string, secretId: string, attributes = {}) => {
    const { components } = world.server.client(world.ada.key);
    const at = { workspaceId: layer.workspaceId, changeSetId: layer.id };
    const body = { name: `holder ${world.fresh()}`, schemaName: `${definition} account`, attributes };
    const { component } = await components.create({ ...at, body });
    await components.update({
      ...at,
      componentId: component.id,
      body: { secrets: { [definition]: secretId } },
    });
    return component.id;
  };
  const reading = (world: World, layer: Layer, source: string, path = place) =>
    world.component(layer.id, `reader ${world.fresh()}`, {
      [place]: { $source: { component: source, path } },
    });
  const found = ({ layer }: Story, ids: readonly string[]) => {
    const { store, keys } = suite.server;
    return beforeFunctions(store, { keys, variants: new VariantCache() }, layer, ids);
  };
  const shown = (one: { readonly before: readonly { code: string; argument: unknown }[] } | undefined) =>
    one?.before.map(({ code, argument }) => [/\* (\w+)/.exec(code)?.[1], argument]);

  it("are those of the secrets that a component reads or holds, with what the secret holds", async () => {
    const story = await begin();
    const { world, layer } = story;
    const holder = await holding(story, "Credential", await story.secret("Credential", "hush"));
    const reader = await reading(world, layer, holder);
    const second = await reading(world, layer, reader);
    const stranger = await world.component(layer.id);
    const all = await found(story, [holder, reader, second, stranger]);
    expect([...all.keys()].sort()).toEqual([holder, reader, second].sort());
    for (const one of all.values()) expect(shown(one)).toEqual([["Credential", { Token: "hush" }]]);
    expect(all.get(reader)).toBe(all.get(second));
    expect(all.get(reader)?.fingerprint).not.toContain("hush");
  });

  it("begin with those that lie deepest", async () => {
    const story = await begin();
    const root = await holding(story, "Root", await story.secret("Root", "deep"));
    const holder = await holding(story, "Credential", await story.secret("Credential", "near"), {
      "/secrets/Root": { $source: { component: root, path: "/secrets/Root" } },
    });
    const reader = await reading(story.world, story.layer, holder);
    expect(shown((await found(story, [reader])).get(reader))).toEqual([
      ["Root", { Token: "deep" }],
      ["Credential", { Token: "near" }],
    ]);
  });

  it("have another fingerprint once the secret holds something else, and only then", async () => {
    const story = await begin();
    const secretId = await story.secret("Credential", "one");
    const holder = await holding(story, "Credential", secretId);
    const before = (await found(story, [holder])).get(holder);
    expect((await found(story, [holder])).get(holder)?.fingerprint).toBe(before?.fingerprint);
    await story.refill(secretId, "one", "two");
    const after = (await found(story, [holder])).get(holder);
    expect(shown(after)).toEqual([["Credential", { Token: "two" }]]);
    expect(after?.fingerprint).not.toBe(before?.fingerprint);
  });

  it("are none where the component that holds the secret is gone", async () => {
    const story = await begin();
    const holder = await holding(story, "Credential", await story.secret("Credential", "hush"));
    const reader = await reading(story.world, story.layer, holder);
    await story.erase(holder);
    expect((await found(story, [reader])).size).toBe(0);
  });
});
