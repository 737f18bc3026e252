import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { serverKeys } from "../../server/auth/server-keys.ts";
import { openSecrets } from "../../server/read/secrets.ts";
import { installSchema, type SchemaPackage } from "../../server/routes/install-schema.ts";
import { createEntities } from "../../server/store/entities.ts";
import type { Layer } from "../../server/store/layer.ts";
import { forgetSecretContents } from "../../server/store/secret-sweep.ts";
import { rowsOf } from "../../src/contract/endpoint.ts";
import { api } from "../../src/contract/index.ts";
import { describeEngines } from "../support/engines.ts";
import { exampleOf } from "../support/example.ts";
import { createWorld, sendRow, tokenFor, type World } from "../support/scenarios.ts";
import { startTestServer, suiteServer, type TestServer } from "../support/server.ts";
import { writeIn } from "./routes/component-inputs.ts";

const account: SchemaPackage = {
  name: "Account",
  category: "Security",
  color: "#112233",
  domain: [],
  secrets: [{ name: "Credential", kind: "string", secret: "Credential" }],
  secretDefinition: {
    name: "Credential",
    fields: [
      { name: "Token", kind: "string", widget: { kind: "password" } },
      { name: "Port", kind: "integer" },
    ],
  },
};

/** The definition installed in the head, and a change set. */
const begin = async (world: World): Promise<string> => {
  const changeSetId = await world.changeSet();
  await writeIn(world, changeSetId, (change) => installSchema(change, account));
  await world.server.apply(world.ada, changeSetId);
  return world.changeSet();
};
const inSet = (world: World, changeSetId: string, server: TestServer = world.server) => {
  const { workspaceId, key } = world.ada;
  const { secrets, components } = server.client(key);
  const place = { workspaceId, changeSetId };
  return {
    create: async (Token: string, name = "production") => {
      const body = { definitionName: "Credential", name, rawData: { Token } };
      return (await secrets.create({ ...place, body })).secret.id;
    },
    fill: (secretId: string, Token: string) =>
      secrets.update({ ...place, secretId, body: { id: secretId, name: "production", rawData: { Token } } }),
    rename: (secretId: string, name: string) =>
      secrets.update({ ...place, secretId, body: { id: secretId, name } }),
    remove: (secretId: string) => secrets.delete({ ...place, secretId }),
    hold: async (secretId: string, name = "account") => {
      const { component } = await components.create({ ...place, body: { name, schemaName: "Account" } });
      const body = { secrets: { Credential: secretId } };
      await components.update({ ...place, componentId: component.id, body });
      return component.id;
    },
  };
};
/** What functions of a layer would be given. */
const tokenIn = async (world: World, changeSetId: string, secretId: string): Promise<string | undefined> => {
  const { store, keys } = world.server;
  const opened = await openSecrets(store, keys, await layerIn(world, changeSetId), [secretId]);
  return opened.get(secretId)?.values["Token"];
};
const layerIn = async ({ ada, server }: World, changeSetId: string): Promise<Layer> => {
  const row = await server.store.db
    .selectFrom("change_set")
    .select(["id", "head_id", "workspace_id"])
    .where("workspace_id", "=", ada.workspaceId)
    .where((where) =>
      changeSetId === "HEAD" ? where("id", "=", where.ref("head_id")) : where("id", "=", changeSetId),
    )
    .executeTakeFirstOrThrow();
  return { id: row.id, headId: row.head_id, workspaceId: row.workspace_id };
};
const contentsOf = async ({ server }: World, secretId: string): Promise<number> => {
  const rows = await server.store.db
    .selectFrom("secret_content")
    .select("id")
    .where("secret_id", "=", secretId)
    .execute();
  return rows.length;
};
const rootsOf = async ({ server }: World, layer: string): Promise<string[]> => {
  const rows = await server.store.db
    .selectFrom("root")
    .select("component")
    .where("layer", "=", layer)
    .orderBy("component")
    .execute();
  return rows.map(({ component }) => component);
};

describeEngines("what secrets hold", (engine) => {
  const suite = suiteServer(engine);
  const newWorld = (): Promise<World> => createWorld(suite.server);

  it("is the head's until a change set is applied, and then the change set's", async () => {
    const world = await newWorld();
    const first = await begin(world);
    const secretId = await inSet(world, first).create("old");
    expect(await tokenIn(world, first, secretId)).toBe("old");
    expect(await tokenIn(world, "HEAD", secretId)).toBeUndefined();
    await world.server.apply(world.ada, first);
    const [editing, beside] = [await world.changeSet(), await world.changeSet()];
    await inSet(world, editing).fill(secretId, "new");
    const seen = async () =>
      Promise.all(["HEAD", beside, editing].map((layer) => tokenIn(world, layer, secretId)));
    expect(await seen()).toEqual(["old", "old", "new"]);
    await inSet(world, beside).rename(secretId, "renamed");
    await world.server.apply(world.ada, editing);
    expect(await tokenIn(world, "HEAD", secretId)).toBe("new");
    // Who only renamed it takes the other's content along.
    expect(await tokenIn(world, beside, secretId)).toBe("new");
    await world.server.apply(world.ada, beside);
    expect(await tokenIn(world, "HEAD", secretId)).toBe("new");
  });

  it("is opened by every process that has the key, and left out by one that has not", async () => {
    const world = await newWorld();
    const changeSetId = await begin(world);
    const secretId = await inSet(world, changeSetId).create("hello");
    const layer = await layerIn(world, changeSetId);
    const { store, keys } = world.server;
    const unknown = store.id();
    expect([...(await openSecrets(store, keys, layer, [secretId, unknown])).keys()]).toEqual([secretId]);
    const others = serverKeys([Buffer.alloc(32, 7)]);
    expect(await openSecrets(store, others, layer, [secretId])).toEqual(new Map());
    // A secret of the workspace that names what another workspace's secret holds gets nothing of it.
    const thief = world.fresh();
    const content = (await openSecrets(store, keys, layer, [secretId])).get(secretId)?.contentId ?? "";
    await writeIn(world, changeSetId, (change) =>
      createEntities(change, [
        { kind: "secret", id: thief, name: "thief", body: { definition: "Credential", content } },
      ]),
    );
    expect(await openSecrets(store, keys, layer, [thief])).toEqual(new Map());
  });

  it("makes those who hold it and pass it on be computed again when it changes, and nobody when it is renamed", async () => {
    const world = await newWorld();
    const changeSetId = await begin(world);
    const { create, fill, rename, hold } = inSet(world, changeSetId);
    const [secretId, other] = [await create("one"), await create("two", "another")];
    const holderId = await hold(secretId);
    await hold(other, "other account");
    const from = (component: string) => ({
      "/secrets/Credential": { $source: { component, path: "/secrets/Credential" } },
    });
    const middle = await world.component(changeSetId, "middle", from("account"));
    await world.component(changeSetId, "last", from("middle"));
    await world.server.propagate(changeSetId);
    await rename(secretId, "renamed");
    expect(await rootsOf(world, changeSetId)).toEqual([]);
    await fill(secretId, "three");
    expect(await rootsOf(world, changeSetId)).toEqual([holderId, middle].sort());
    await world.server.propagate(changeSetId);
    // Once in the head it is the same to those who use it in other change sets.
    await world.server.apply(world.ada, changeSetId);
    const [editing, beside, aside] = [
      await world.changeSet(),
      await world.changeSet(),
      await world.changeSet(),
    ];
    const last = (await findNamed(world, "last")).id;
    const { components } = world.server.client(world.ada.key);
    const place = { workspaceId: world.ada.workspaceId, changeSetId: beside, componentId: last };
    await components.update({ ...place, body: { attributes: { "/domain/size": 3 } } });
    await world.server.propagate(beside);
    await inSet(world, editing).fill(secretId, "four");
    await world.server.apply(world.ada, editing);
    expect(await rootsOf(world, beside)).toEqual([last]);
    expect(await rootsOf(world, aside)).toEqual([]);
  });

  it("leaves nothing when a request changes nothing, and one event when it does", async () => {
    const world = await newWorld();
    const changeSetId = await begin(world);
    const secretId = await inSet(world, changeSetId).create("one");
    const { events } = world.server.client(world.ada.key);
    const newest = async () => (await events.list({ workspaceId: world.ada.workspaceId })).newest;
    const before = await newest();
    await inSet(world, changeSetId).rename(secretId, "production");
    expect(await newest()).toBe(before);
    await inSet(world, changeSetId).rename(secretId, "other");
    await inSet(world, changeSetId).fill(secretId, "two");
    await inSet(world, changeSetId).remove(secretId);
    const query = { since: before - 1 };
    const { events: kept } = await events.list({ workspaceId: world.ada.workspaceId, query });
    expect(kept.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["secret.created", secretId],
      ["secret.changed", secretId],
      ["secret.changed", secretId],
      ["secret.deleted", secretId],
    ]);
  });

  it("is forgotten once neither the head nor any change set that can be reached refers to it", async () => {
    const world = await newWorld();
    const { store } = world.server;
    const later = () => store.clock.now() + 1;
    const first = await begin(world);
    const secretId = await inSet(world, first).create("one");
    await inSet(world, first).fill(secretId, "two");
    expect(await contentsOf(world, secretId)).toBe(2);
    expect(await forgetSecretContents(store, 0)).toBe(0);
    await forgetSecretContents(store, later());
    expect(await contentsOf(world, secretId)).toBe(1);
    await world.server.apply(world.ada, first);
    const [editing, deleting] = [await world.changeSet(), await world.changeSet()];
    await inSet(world, editing).fill(secretId, "three");
    await inSet(world, deleting).remove(secretId);
    await world.server.apply(world.ada, deleting);
    await forgetSecretContents(store, later());
    expect(await contentsOf(world, secretId)).toBe(1);
    const { changeSets } = world.server.client(world.ada.key);
    await changeSets.abandon({ workspaceId: world.ada.workspaceId, changeSetId: editing });
    await forgetSecretContents(store, later());
    expect(await contentsOf(world, secretId)).toBe(0);
  });
});

const findNamed = async (world: World, component: string, changeSetId = "HEAD") => {
  const { components } = world.server.client(world.ada.key);
  const place = { workspaceId: world.ada.workspaceId, changeSetId };
  return (await components.find({ ...place, query: { component } })).component;
};

/** Tables that hold anything. */
const tables = async ({ server }: World): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`${sql.raw(
    server.store.engine.name === "sqlite"
      ? "select name from sqlite_master where type = 'table'"
      : "select table_name as name from information_schema.tables where table_schema = 'public'",
  )}`.execute(server.store.db);
  return rows.map(({ name }) => name);
};

describeEngines("a value that is kept secret", (engine) => {
  const marker = "MARKER-5d1f7a-нельзя";
  const shortMarker = 86_420_975;
  const traces = [marker, "MARKER", String(shortMarker), Buffer.from(marker).toString("base64").slice(0, 12)];

  it("stands in no answer, no refusal, no event, no line of the log and nowhere in the database", async () => {
    const server = await startTestServer(engine, { worker: true });
    try {
      const world = await createWorld(server);
      const changeSetId = await begin(world);
      const { create, fill, hold } = inSet(world, changeSetId);
      const secretId = await create(marker);
      await fill(secretId, `${marker} again`);
      const componentId = await hold(secretId);
      await world.component(changeSetId, "reader", {
        "/secrets/Credential": { $source: { component: "account", path: "/secrets/Credential" } },
      });
      const texts: string[] = [];
      const path = `/v1/w/${world.ada.workspaceId}/change-sets/${changeSetId}/secrets`;
      const as = world.ada.key;
      const wrong = { definitionName: "Credential", name: "x" };
      for (const body of [
        { ...wrong, rawData: { Token: shortMarker } },
        { ...wrong, rawData: marker },
        { ...wrong, rawData: [marker] },
        { ...wrong, rawData: { Token: { [marker]: marker } } },
        { ...wrong, rawData: { Unknown: marker } },
        { ...wrong, definitionName: "Nothing", rawData: { Token: marker } },
        `{"definitionName": "Credential", "rawData": {"Token": "${marker}"`,
        `{"rawData": {"Token": "${marker}" x}}`,
        `{"rawData": ${shortMarker}x}`,
      ]) {
        const answer = await server.request("POST", path, { as, body });
        expect(answer.status).toBe(422);
        texts.push(answer.text);
      }
      const update = { id: secretId, name: "production", rawData: { Token: shortMarker } };
      texts.push((await server.request("PUT", `${path}/${secretId}`, { as, body: update })).text);
      await server.propagate(changeSetId);
      const everywhere = async (layer: string): Promise<void> => {
        for (const { operation, endpoint } of rowsOf(api)) {
          if (endpoint.method !== "GET") continue;
          const query = endpoint.query === undefined ? {} : { query: exampleOf(endpoint.query) };
          const input = { changeSetId: layer, componentId, secretId, ...query };
          const token = tokenFor(world, endpoint, undefined);
          texts.push((await sendRow(world, operation, input, { token })).text);
        }
        const all = `/v1/w/${world.ada.workspaceId}/change-sets/${layer}`;
        for (const more of [`/components?includeAll=true`, `/search?q=${encodeURIComponent(marker)}`])
          texts.push((await server.request("GET", all + more, { as })).text);
        texts.push((await server.request("GET", `/v1/w/${world.ada.workspaceId}/events`, { as })).text);
      };
      await everywhere(changeSetId);
      await server.apply(world.ada, changeSetId);
      await everywhere("HEAD");
      expect(texts.join("\n")).toContain(secretId);

      const kept: string[] = [JSON.stringify(server.log)];
      for (const table of await tables(world)) {
        const { rows } = await sql`select * from ${sql.table(table)}`.execute(server.store.db);
        kept.push(JSON.stringify(rows));
      }
      expect(kept.join("")).toContain(secretId);
      if (engine.name === "SQLite") {
        const file = server.databaseUrl.replace("sqlite:", "");
        const files = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
        expect(files.length).toBeGreaterThan(0);
        for (const name of files) kept.push(readFileSync(join(dirname(file), name), "latin1"));
      }
      // A search repeats what was searched for only where it says what it did not understand.
      for (const trace of traces) {
        expect(texts.filter((text) => text.includes(trace))).toEqual([]);
        expect(kept.filter((text) => text.includes(trace)).map((text) => text.length)).toEqual([]);
      }
      expect(await tokenIn(world, "HEAD", secretId)).toBe(`${marker} again`);
    } finally {
      await server.stop();
    }
  });
});
