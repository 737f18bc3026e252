import { beforeAll, describe, expect, it } from "vitest";
import { describeEngines } from "../support/engines.ts";
import { createWorld, type World } from "../support/scenarios.ts";
import { type HttpAnswer, startTestServer, suiteServer } from "../support/server.ts";

describeEngines("a held request", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  const get = (
    path: string,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<HttpAnswer> =>
    suite.server.request("GET", `/v1/w/${world.ada.workspaceId}/change-sets${path}`, {
      as: world.ada.key,
      headers,
      ...(signal === undefined ? {} : { signal }),
    });
  const tagOf = async (path: string): Promise<string> => (await get(path)).headers.get("etag") ?? "";
  const held = async (path: string, seconds = 30, signal?: AbortSignal): Promise<HttpAnswer> =>
    get(path, { "if-none-match": await tagOf(path), prefer: `wait=${seconds}` }, signal);
  /** Whether a request is still out after others went through. */
  const isPending = async (request: Promise<unknown>): Promise<boolean> => {
    for (let n = 0; n < 5; n++) await get("/HEAD");
    return (await Promise.race([request, "pending"])) === "pending";
  };

  describe("for the list of change sets", () => {
    it("ends when one is created", async () => {
      const waiting = held("");
      expect(await isPending(waiting)).toBe(true);
      const id = await world.changeSet();
      const answer = await waiting;
      expect([answer.status, answer.headers.get("preference-applied")]).toEqual([200, "wait=30"]);
      expect(answer.text).toContain(id);
    });
    it("ends when one is abandoned", async () => {
      const changeSetId = await world.changeSet();
      const waiting = held("");
      await world.server
        .client(world.ada.key)
        .changeSets.abandon({ workspaceId: world.ada.workspaceId, changeSetId });
      expect((await waiting).text).not.toContain(changeSetId);
    });
    it("goes on through changes to components, which it does not show", async () => {
      const changeSetId = await world.changeSet();
      const waiting = held("");
      await world.component(changeSetId);
      expect(await isPending(waiting)).toBe(true);
      await world.changeSet();
      expect((await waiting).status).toBe(200);
    });
  });

  describe("for the components of a change set", () => {
    it("ends when one is written there, with what was written", async () => {
      const changeSetId = await world.changeSet();
      const waiting = held(`/${changeSetId}/components`);
      expect(await isPending(waiting)).toBe(true);
      const componentId = await world.component(changeSetId);
      expect((await waiting).text).toContain(componentId);
    });
    it("ends when the head moves", async () => {
      const [changeSetId, other] = [await world.changeSet(), await world.changeSet()];
      const componentId = await world.component(other);
      const waiting = held(`/${changeSetId}/components?limit=300`);
      expect(await isPending(waiting)).toBe(true);
      await world.server.apply(world.ada, other);
      expect((await waiting).text).toContain(componentId);
    });
    it("goes on through changes to another change set", async () => {
      const [changeSetId, other] = [await world.changeSet(), await world.changeSet()];
      const waiting = held(`/${changeSetId}/components`);
      await world.component(other);
      expect(await isPending(waiting)).toBe(true);
      await world.component(changeSetId);
      expect((await waiting).status).toBe(200);
    });
    it("ends with 404 when the change set is deleted", async () => {
      const changeSetId = await world.changeSet();
      const waiting = held(`/${changeSetId}/components`);
      await isPending(waiting);
      await world.server
        .client(world.ada.key)
        .changeSets.abandon({ workspaceId: world.ada.workspaceId, changeSetId });
      expect((await waiting).status).toBe(404);
    });
    it("ends with 304 after the time it asked for", async () => {
      const changeSetId = await world.changeSet();
      const answer = await held(`/${changeSetId}/components`, 1);
      expect([answer.status, answer.text]).toEqual([304, ""]);
    });
    it("is answered at once when it has nothing to compare with, or something old", async () => {
      const path = `/${await world.changeSet()}/components`;
      expect((await get(path, { prefer: "wait=60" })).status).toBe(200);
      expect((await get(path, { prefer: "wait=60", "if-none-match": '"1.0.0"' })).status).toBe(200);
    });
    it("leaves nobody waiting when its client goes away", async () => {
      const path = `/${await world.changeSet()}/components`;
      const [gone, other] = [new AbortController(), held(path)];
      const waiting = held(path, 60, gone.signal).catch(() => "gone");
      expect(await isPending(waiting)).toBe(true);
      gone.abort();
      expect(await waiting).toBe("gone");
      await world.component(path.split("/")[1] ?? "");
      expect((await other).status).toBe(200);
    });
  });

  it("is let go with 304 when the server stops", async () => {
    const server = await startTestServer(engine);
    const ada = await server.person("ada");
    const path = `/v1/w/${ada.workspaceId}/change-sets`;
    const etag = (await server.request("GET", path, { as: ada.key })).headers.get("etag") ?? "";
    const headers = { "if-none-match": etag, prefer: "wait=60" };
    const waiting = server.request("GET", path, { as: ada.key, headers });
    await server.request("GET", "/healthz");
    await server.stop();
    expect((await waiting).status).toBe(304);
  });

  it("shows each of many writers' work: two on one change set lose nothing", async () => {
    const changeSetId = await world.changeSet();
    const componentId = await world.component(changeSetId);
    const path = `/v1/w/${world.ada.workspaceId}/change-sets/${changeSetId}/components/${componentId}`;
    const write = (key: string, value: string) =>
      suite.server.request("PUT", path, {
        as: world.ada.key,
        body: { attributes: { [`/domain/labels/${key}`]: value, "/domain/ports/-": Number(value) } },
      });
    const rounds = Array.from({ length: 10 }, (_, n) => n);
    const [left, right] = await Promise.all(
      ["left", "right"].map(async (side) => {
        const statuses = [];
        for (const n of rounds) statuses.push((await write(`${side}${n}`, String(n))).status);
        return statuses;
      }),
    );
    expect(new Set([...(left ?? []), ...(right ?? [])])).toEqual(new Set([200]));
    const { text } = await suite.server.request("GET", path, { as: world.ada.key });
    for (const n of rounds) expect(text).toContain(`"/domain/labels/left${n}":"${n}"`);
    for (const n of rounds) expect(text).toContain(`"/domain/labels/right${n}":"${n}"`);
    expect(text.match(/"\/domain\/ports\/\d+":/g)).toHaveLength(20);
  });
});
