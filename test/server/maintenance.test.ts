import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openMaintenance } from "../../server/maintenance.ts";
import { openOperator } from "../../server/operator/open.ts";
import type { Store } from "../../server/store/open.ts";
import { setSwitch } from "../../server/store/switches.ts";
import { rowsOf } from "../../src/contract/endpoint.ts";
import { api } from "../../src/contract/index.ts";
import { connectOperator } from "../../src/operator/connect.ts";
import { describeEngines, engines, suiteStore } from "../support/engines.ts";
import { fakeClock } from "../support/fake-clock.ts";
import {
  type HttpAnswer,
  type Person,
  startTestServer,
  suiteServer,
  type TestServer,
} from "../support/server.ts";
import { until } from "../support/until.ts";

const begin = (store: Store, message: string | null = null): Promise<void> =>
  store.write((tx) => setSwitch(tx, "maintenance", { on: true, message }));
const end = (store: Store): Promise<void> =>
  store.write((tx) => setSwitch(tx, "maintenance", { on: false, message: null }));
const sentence = "the server is in maintenance: disks move until noon";

describeEngines("while the server is in maintenance", (engine) => {
  const suite = suiteServer(engine);
  let ada: Person;
  beforeAll(async () => {
    ada = await suite.server.person("ada");
  });
  const during = async (work: () => Promise<void>, message: string | null = "disks move until noon") => {
    await begin(suite.server.store, message);
    try {
      await work();
    } finally {
      await end(suite.server.store);
    }
  };
  const list = (headers = {}): Promise<HttpAnswer> =>
    suite.server.request("GET", `/v1/w/${ada.workspaceId}/change-sets`, { as: ada.key, headers });

  it("every row says so in the shape of its address, whoever calls with whatever, health checks excepted", () =>
    during(async () => {
      for (const { operation, endpoint } of rowsOf(api)) {
        const path = endpoint.path.replace(/:\w+/g, "x");
        for (const as of [ada.key, undefined]) {
          const answer = await suite.server.request(endpoint.method, path, {
            ...(as === undefined ? {} : { as }),
            ...(endpoint.method === "GET" ? {} : { body: "{ damaged" }),
          });
          if (path === "/healthz" || path === "/readyz") {
            expect([answer.status, answer.body], operation).toEqual([200, { data: "ok" }]);
            continue;
          }
          expect([answer.status, answer.headers.get("retry-after")], operation).toEqual([503, "30"]);
          const expected = path.startsWith("/api/")
            ? { error: sentence, message: sentence, code: "MAINTENANCE" }
            : {
                message: sentence,
                statusCode: 503,
                code: 5032,
                error: { code: 5032, message: sentence, status_code: 503 },
              };
          expect(answer.body, operation).toEqual(expected);
        }
      }
    }));

  it.each(["/docs", "/openapi.json", "/docs/static/index.css", "/nothing", "/healthzzz"])(
    "%s says so",
    (path) =>
      during(async () => {
        const answer = await suite.server.request("GET", path);
        expect([answer.status, answer.at("message")]).toEqual([503, sentence]);
      }),
  );

  it.each(["/", "/docs", "/docs/"])(
    "a person with a browser reads a page at %s, which runs nothing",
    (path) =>
      during(async () => {
        const { status, headers, text } = await suite.server.request("GET", path, {
          headers: { accept: "text/html,application/xhtml+xml" },
        });
        expect([status, headers.get("retry-after")]).toEqual([503, "30"]);
        expect(headers.get("content-type")).toContain("text/html");
        expect(headers.get("content-security-policy")).toContain("default-src 'none'");
        expect(text).toContain("The server is in maintenance: &lt;disks>");
      }, "<disks>"),
  );

  it("a sentence of the server's own stands for a message that nobody gave", () =>
    during(async () => {
      expect((await list()).at("message")).toBe("the server is in maintenance; try again later");
    }, null));

  it("what was kept ready is not answered either, and is again afterwards, with the same tag", async () => {
    const tag = (await list()).headers.get("etag") ?? "";
    expect((await list({ "if-none-match": tag })).status).toBe(304);
    await during(async () => {
      for (let n = 0; n < 3; n++) expect((await list({ "if-none-match": tag })).status).toBe(503);
    });
    expect((await list({ "if-none-match": tag })).status).toBe(304);
  });

  it("requests that are held are let go", async () => {
    const tag = (await list()).headers.get("etag") ?? "";
    const held = list({ "if-none-match": tag, prefer: "wait=60" });
    for (let n = 0; n < 3; n++) await list();
    await during(async () => {
      const answer = await held;
      expect([answer.status, answer.at("message")]).toEqual([503, sentence]);
    });
  });
});

const [, postgres] = engines;
if (postgres === undefined) throw new Error("there are two engines to test with");

describe.skipIf(postgres.missing !== undefined)("maintenance of one database with two processes", () => {
  const ask = async (server: TestServer): Promise<number> => (await server.request("GET", "/whoami")).status;

  it("is seen by both, whoever sets it, and ends in both", async () => {
    const first = await startTestServer(postgres);
    onTestFinished(() => first.stop());
    const second = await startTestServer(postgres, { beside: first });
    onTestFinished(() => second.stop());
    const ada = await second.person("ada");
    const path = `/v1/w/${ada.workspaceId}/change-sets`;
    const tag = (await second.request("GET", path, { as: ada.key })).headers.get("etag") ?? "";
    const held = second.request("GET", path, {
      as: ada.key,
      headers: { "if-none-match": tag, prefer: "wait=60" },
    });
    for (let n = 0; n < 3; n++) await ask(second);
    const third = await openOperator({
      database: first.databaseUrl,
      secretKey: undefined,
      secretKeyFile: "",
    });
    onTestFinished(() => third.close());
    const { client, close } = connectOperator(third.socketPath);
    onTestFinished(close);
    await client.maintenance.set({ body: { on: true, message: "disks move until noon" } });
    await until(async () => (await ask(first)) === 503 && (await ask(second)) === 503);
    expect((await held).at("message")).toBe(sentence);
    const since = (await client.maintenance.get({})).since;
    const again = await client.maintenance.set({ body: { on: true, message: "disks move until one" } });
    expect(again).toEqual({ on: true, message: "disks move until one", since });
    expect(await client.maintenance.set({ body: { on: false, message: "ignored" } })).toEqual({
      on: false,
      message: null,
      since: null,
    });
    await until(async () => (await ask(first)) === 401 && (await ask(second)) === 401);
  });
});

describeEngines("maintenance", (engine) => {
  const suite = suiteStore(engine);

  it("stands when a process starts", async () => {
    await begin(suite.store);
    const maintenance = await openMaintenance(suite.store, fakeClock());
    expect(maintenance.isOpen()).toBe(false);
    await end(suite.store);
    await maintenance.refusal();
    expect(maintenance.isOpen()).toBe(true);
    maintenance.stop();
  });

  it("is seen within five seconds where the announcement was lost, and no more once stopped", async () => {
    const clock = fakeClock();
    await end(suite.store);
    const maintenance = await openMaintenance(suite.store, clock);
    // The reading handle of SQLite writes nothing: the announcement alone is what is left out.
    await suite.store.engine.transact((db) =>
      db
        .updateTable("switch")
        .set({ value: JSON.stringify({ on: true, message: null }) })
        .execute(),
    );
    expect(maintenance.isOpen()).toBe(true);
    await clock.advance(5_000);
    await until(() => !maintenance.isOpen());
    maintenance.stop();
    expect(clock.pending()).toBe(0);
  });

  it("is never unknown: what overlaps with a change waits for it", async () => {
    const maintenance = await openMaintenance(suite.store, fakeClock());
    for (let n = 0; n < 20; n++) {
      await (n % 2 === 0 ? begin(suite.store, String(n)) : end(suite.store));
      const refusal = await maintenance.refusal();
      expect(refusal?.message).toBe(n % 2 === 0 ? `the server is in maintenance: ${n}` : undefined);
    }
    maintenance.stop();
  });
});
