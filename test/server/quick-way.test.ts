import { randomBytes } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../server/app.ts";
import { serverKeys } from "../../server/auth/server-keys.ts";
import { createQuickWay } from "../../server/quick-way.ts";
import { updateKey } from "../../server/store/keys.ts";
import type { ServerSettings } from "../../src/config/server-settings.ts";
import { api } from "../../src/contract/index.ts";
import { ReadyAnswers } from "../../src/http/ready-answers.ts";
import { silentLog } from "../../src/lib/log.ts";
import { describeEngines, sqlite } from "../support/engines.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { testSchemas } from "../support/schemas.ts";
import {
  type Person,
  type RequestOptions,
  startTestServer,
  type TestServer,
  testSettings,
} from "../support/server.ts";

const clock = fakeClock();
const settings: ServerSettings = { ...testSettings, signUp: "closed" };

/** Forces the usual way and means nothing else: no answer is held for no time. */
const usually = { prefer: "wait=0" };

/** An answer without what may differ between two equal requests: the moment, and the id it was given. */
interface Shown {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The API on a store, counting the requests that the framework was given. */
async function startCounting(beside: TestServer) {
  const lines: object[] = [];
  const log = {
    ...silentLog,
    info: (message: string, fields = {}) => void lines.push({ message, ...fields }),
  };
  const { store, maintenance, sandbox, runs } = beside;
  const keys = serverKeys([randomBytes(32)]);
  const app = createApp({ store, clock, settings, log, keys, maintenance, sandbox, runs });
  let usual = 0;
  app.addHook("onRequest", (_request, _reply, done) => {
    usual++;
    done();
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const ask = async (path: string, { as, headers = {} }: RequestOptions = {}, method = "GET") => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(as === undefined ? {} : { authorization: `Bearer ${as}` }), ...headers },
    });
    const { "x-request-id": requestId = "", ...rest } = Object.fromEntries(response.headers);
    const shown: Shown = {
      status: response.status,
      headers: { ...rest, date: "" },
      text: await response.text(),
    };
    return { ...shown, requestId };
  };
  return { app, ask, lines, usual: () => usual };
}

describeEngines("answers from memory", (engine) => {
  let server: TestServer;
  let counting: Awaited<ReturnType<typeof startCounting>>;
  let ada: Person;
  let eve: Person;
  let etag = "";
  beforeAll(async () => {
    server = await startTestServer(engine, { clock });
    ada = await server.person("ada");
    eve = await server.person("eve");
    await server.install(ada, testSchemas);
    counting = await startCounting(server);
    etag = (await counting.ask(head(), { as: ada.key })).headers["etag"] ?? "";
    // The use of both keys is noted now, and for a minute no more.
    await counting.ask(head(), { as: eve.key });
  });
  afterAll(async () => {
    await counting.app.close();
    await server.stop();
  });

  const head = (): string => `/v1/w/${ada.workspaceId}/change-sets/HEAD/components`;
  const isRemembered = engine === sqlite;

  /** How a request is answered at last, and whether the framework was spared it. */
  const settled = async (path: string, options: RequestOptions, method = "GET") => {
    for (let n = 0; n < 3; n++) await counting.ask(path, options, method);
    const before = counting.usual();
    const { requestId, ...answer } = await counting.ask(path, options, method);
    return { answer, requestId, isQuick: counting.usual() === before };
  };
  const same = async (path: string, options: RequestOptions, method = "GET") => {
    const quick = await settled(path, options, method);
    const { requestId, ...usual } = await counting.ask(
      path,
      { ...options, headers: { ...options.headers, ...usually } },
      method,
    );
    expect(quick.answer).toEqual(usual);
    expect([quick.requestId.length, requestId.length]).toEqual([26, 26]);
    return quick;
  };

  const quickly: [string, () => [path: string, options: RequestOptions]][] = [
    ["a page", () => [head(), { as: ada.key }]],
    ["a page with a query", () => [`${head()}?limit=3&includeAll=true`, { as: ada.key }]],
    ["a page with a query that nobody reads", () => [`${head()}?x=%C3%A4`, { as: ada.key }]],
    ["a path in other letter case", () => [head().replace("HEAD", "Head"), { as: ada.key }]],
    ["the change sets", () => [`/v1/w/${ada.workspaceId}/change-sets`, { as: ada.key }]],
    ["a key in x-api-key", () => [head(), { headers: { "x-api-key": ` ${ada.key} ` } }]],
    ["a session's token", () => [head(), { as: ada.session }]],
    ["a tag that stands", () => [head(), { as: ada.key, headers: { "if-none-match": etag } }]],
    ["a weak tag", () => [head(), { as: ada.key, headers: { "if-none-match": `W/${etag}` } }]],
    ["several tags", () => [head(), { as: ada.key, headers: { "if-none-match": `"1", ${etag}` } }]],
    ["any tag", () => [head(), { as: ada.key, headers: { "if-none-match": "*" } }]],
    ["an old tag", () => [head(), { as: ada.key, headers: { "if-none-match": '"1.0.0"' } }]],
  ];
  it.each(quickly)("are the usual ones, headers and all: %s", async (_what, asked) => {
    const { answer, isQuick } = await same(...asked());
    expect([200, 304]).toContain(answer.status);
    expect(isQuick).toBe(isRemembered);
  });

  const refused: [string, number, () => [path: string, options: RequestOptions]][] = [
    ["no credentials", 401, () => [head(), {}]],
    ["a cookie", 401, () => [head(), { headers: { cookie: `svc.session_token=${ada.session}` } }]],
    [
      "a bad Authorization beside a good key",
      401,
      () => [head(), { as: "x", headers: { "x-api-key": ada.key } }],
    ],
    ["an unknown key", 401, () => [head(), { as: `svc_${"0".repeat(32)}` }]],
    ["somebody else's key", 403, () => [head(), { as: eve.key }]],
    ["an unknown change set", 404, () => [head().replace("HEAD", ada.id), { as: ada.key }]],
    ["a query that is not in order", 422, () => [`${head()}?limit=0`, { as: ada.key }]],
    ["a query that is not UTF-8", 422, () => [`${head()}?cursor=%FF`, { as: ada.key }]],
  ];
  it.each(refused)("leave refusals to the usual way: %s", async (_what, status, asked) => {
    const [path, options] = asked();
    // The address itself is remembered, from somebody who may.
    await settled(head(), { as: ada.key });
    const { answer, isQuick } = await same(path, options);
    expect([answer.status, isQuick]).toEqual([status, false]);
  });

  it("leave other methods and held requests to the usual way", async () => {
    await settled(head(), { as: ada.key });
    expect((await same(head(), { as: ada.key }, "HEAD")).isQuick).toBe(false);
    const held = { as: ada.key, headers: { "if-none-match": '"1.0.0"', prefer: "wait=1" } };
    expect((await settled(head(), held)).isQuick).toBe(false);
  });
  it("carry the caller's request id, and leave one line in the log", async () => {
    const { answer } = await settled(head(), { as: ada.key });
    const headers = { "x-request-id": "mine", "if-none-match": answer.headers["etag"] ?? "" };
    const [quick, usual] = [headers, { ...headers, ...usually }].map((sent) => async () => {
      const { requestId, status } = await counting.ask(head(), { as: ada.key, headers: sent });
      expect([requestId, status]).toEqual(["mine", 304]);
      await expect.poll(() => counting.lines.at(-1)).toMatchObject({ requestId: "mine" });
      return counting.lines.at(-1);
    });
    const line = { message: "request", requestId: "mine", operation: "components.list", status: 304 };
    const wanted = { ...line, method: "GET", ms: 0, userId: ada.id };
    expect([await quick?.(), await usual?.()]).toEqual([wanted, wanted]);
    const { requestId } = await counting.ask(head(), {
      as: ada.key,
      headers: { "x-request-id": "not mine" },
    });
    expect(requestId).toHaveLength(26);
  });
  it("end with the next commit, whatever it was about", async () => {
    expect((await settled(head(), { as: ada.key })).isQuick).toBe(isRemembered);
    const before = counting.usual();
    await server.client(eve.key).changeSets.create({
      workspaceId: eve.workspaceId,
      body: { changeSetName: "elsewhere" },
    });
    expect((await counting.ask(head(), { as: ada.key })).status).toBe(200);
    expect(counting.usual()).toBe(before + 1);
  });
  it("show what was written at the very next request", async () => {
    const { answer } = await settled(head(), { as: ada.key });
    const before = answer.headers["etag"] ?? "";
    const changeSet = await server.client(ada.key).changeSets.create({
      workspaceId: ada.workspaceId,
      body: { changeSetName: "one more" },
    });
    const { id: changeSetId } = changeSet.changeSet;
    await server.client(ada.key).components.create({
      workspaceId: ada.workspaceId,
      changeSetId,
      body: { name: "new", schemaName: "Network" },
    });
    await server.apply(ada, changeSetId);
    const now = await counting.ask(head(), { as: ada.key, headers: { "if-none-match": before } });
    expect([now.status, now.text]).toEqual([200, expect.stringContaining('"new"')]);
  });
  it("note the use of a key once a minute", async () => {
    await settled(head(), { as: ada.key });
    await clock.advance(60_000);
    const uses = async (): Promise<number> => {
      const row = await server.store.db
        .selectFrom("api_key")
        .select("request_count")
        .where("id", "=", ada.keyId)
        .executeTakeFirstOrThrow();
      return row.request_count;
    };
    const before = await uses();
    for (let n = 0; n < 5; n++) await counting.ask(head(), { as: ada.key });
    await expect.poll(uses).toBe(before + 1);
  });
  it("are refused from the very next request to who lost the workspace or the key", async () => {
    const join = () =>
      server.store.write(({ db, now }) =>
        db
          .insertInto("member")
          .values({
            workspace_id: ada.workspaceId,
            user_id: eve.id,
            role: "EDITOR",
            created_at: now,
            is_default: 0,
          })
          .execute(),
      );
    const leave = () =>
      server.store.write(({ db }) =>
        db
          .deleteFrom("member")
          .where("workspace_id", "=", ada.workspaceId)
          .where("user_id", "=", eve.id)
          .execute(),
      );
    await join();
    expect((await settled(head(), { as: eve.key })).isQuick).toBe(isRemembered);
    await leave();
    expect((await counting.ask(head(), { as: eve.key })).status).toBe(403);
    await join();
    expect((await settled(head(), { as: eve.key })).answer.status).toBe(200);
    await updateKey(server.store, { userId: eve.id, keyId: eve.keyId, actor: eve.id }, { enabled: false });
    expect((await counting.ask(head(), { as: eve.key })).status).toBe(401);
  });
});

describe("a server that is closed to requests", () => {
  it("answers nothing from memory, however well it knows the address", () => {
    const ready = new ReadyAnswers();
    const path = "/v1/w/x/change-sets";
    ready.note(path, { operation: "changeSets.list", endpoint: api.changeSets.list, params: {} });
    const request = Object.assign(new IncomingMessage(new Socket()), { method: "GET", url: path });
    expect(ready.resolve(request)).toBeDefined();
    const never = () => expect.unreachable("nothing is looked up");
    const guard = { admit: never, recall: never, visit: never };
    const context = { clock, log: silentLog, store: { id: never } };
    const quickWay = createQuickWay({ server: context, guard, ready, together: never, isOpen: () => false });
    expect(quickWay(request, new ServerResponse(request))).toBe(false);
  });
});
