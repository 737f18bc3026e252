import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { api } from "../../src/contract/index.ts";
import { openApiDocument } from "../../src/contract/openapi.ts";
import { version } from "../../src/lib/version.ts";
import { describeEngines, engines } from "../support/engines.ts";
import { type Person, startTestServer, suiteServer } from "../support/server.ts";

const [sqlite] = engines;
if (sqlite === undefined) throw new Error("there is no engine to test with");

describe("what no row answers", () => {
  const suite = suiteServer(sqlite);
  const ask = (method: string, path: string) => suite.server.request(method, path);

  it.each(["/nope", "/v1", "/v1/w", "/management", "/healthz/", "//", "/v1/w/%zz", "/%ff"])(
    "says 404 at %s, as ApiError",
    async (path) => {
      const answer = await ask("GET", path);
      expect([answer.status, answer.body]).toEqual([
        404,
        { message: expect.any(String), statusCode: 404, code: 4401 },
      ]);
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9A-Z]{26}$/);
    },
  );
  it.each(["/api/nope", "/api/auth/api-key/verify", "/api/v1/collectives/x/keys"])(
    "says 404 at %s, in the shape of the key API",
    async (path) => {
      const answer = await ask("GET", path);
      const message = `there is nothing at ${path}`;
      expect([answer.status, answer.body]).toEqual([404, { error: message, message, code: "NOT_FOUND" }]);
    },
  );
  it.each([
    ["DELETE", "/whoami", "GET, HEAD"],
    ["POST", "/v1/w/x/change-sets/y/components/z", "DELETE, GET, HEAD, PUT"],
    ["PATCH", "/v1/w/x/change-sets", "GET, HEAD, POST"],
    ["GET", "/api/auth/sign-out", "POST"],
    ["OPTIONS", "/healthz", "GET, HEAD"],
  ])("says 405 to %s %s, and what the address takes", async (method, path, allow) => {
    const answer = await ask(method, path);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
    expect(answer.at("message")).toContain(method);
  });
  it("does not repeat an endless address", async () => {
    expect((await ask("GET", `/${"x".repeat(5000)}`)).text.length).toBeLessThan(300);
  });
  it("says 400 in the same shape to bytes that are no HTTP", async () => {
    const { hostname, port } = new URL(suite.server.url);
    const socket = connect(Number(port), hostname);
    socket.write("nonsense\r\n\r\n");
    const text = await textOf(socket).until("}");
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(text.split("\r\n\r\n")[1] ?? "")).toMatchObject({ statusCode: 400 });
  });
});

describe("requests", () => {
  const suite = suiteServer(sqlite);
  let ada: Person;
  beforeAll(async () => {
    ada = await suite.server.person("ada");
  });

  it("carry their id out, and a harmless one in", async () => {
    const id = async (given: string) =>
      (await suite.server.request("GET", "/healthz", { headers: { "x-request-id": given } })).headers.get(
        "x-request-id",
      );
    expect(await id("build-7/step.2")).toBe("build-7/step.2");
    expect(await id("two words")).toMatch(/^[0-9A-Z]{26}$/);
    expect(await id("x".repeat(129))).toMatch(/^[0-9A-Z]{26}$/);
  });

  it("leave one line each: id, operation, status and time, and nothing that they carried", async () => {
    const { server } = suite;
    const body = { email: ada.email, password: ada.password };
    const answer = await server.request("POST", "/api/auth/sign-in/email", { body });
    await server.request("GET", "/whoami?secret=in-the-query", {
      as: ada.key,
      headers: { "x-request-id": "mine" },
    });
    await server.request("GET", "/whoami", { headers: { cookie: "svc.session_token=in-the-cookie" } });
    expect(server.log.filter(({ requestId }) => requestId === "mine")).toEqual([
      {
        level: "info",
        message: "request",
        requestId: "mine",
        operation: "identity.whoami",
        method: "GET",
        status: 200,
        ms: expect.any(Number),
        userId: ada.id,
      },
    ]);
    const log = JSON.stringify(server.log);
    for (const secret of [ada.key, ada.password, answer.at("token"), "in-the-query", "in-the-cookie"])
      expect(log).not.toContain(secret);
  });

  it("that fail through the server's own fault say so without a detail, and the log has it", async () => {
    const server = await startTestServer(sqlite);
    try {
      const person = await server.person("ada");
      const broken = new Error(`select from secrets where key = '${person.key}'`);
      const refuse = (): never => {
        throw broken;
      };
      Object.assign(server.store, { db: { selectFrom: refuse, getExecutor: refuse } });
      const answer = await server.request("GET", "/api/whoami", { as: person.key });
      expect([answer.status, answer.at("code")]).toEqual([500, "INTERNAL_ERROR"]);
      expect(answer.text).not.toMatch(/select|secrets|svc_/);
      const modeling = await server.request("GET", "/whoami", { as: person.key });
      expect([modeling.status, modeling.body]).toEqual([
        500,
        { message: expect.stringContaining("request id"), statusCode: 500, code: 5001 },
      ]);
      const id = modeling.headers.get("x-request-id");
      expect(server.log).toContainEqual(
        expect.objectContaining({
          level: "error",
          requestId: id,
          operation: "identity.whoami",
          reason: broken.message,
        }),
      );
      const ready = await server.request("GET", "/readyz");
      expect([ready.status, ready.at("message")]).toEqual([503, "the database does not answer"]);
    } finally {
      await server.stop();
    }
  });
});

describe("documents", () => {
  const suite = suiteServer(sqlite);
  const page = (path: string, headers: Record<string, string> = { accept: "text/html" }) =>
    suite.server.request("GET", path, { headers });

  it("describe the API: the contract's own document, for everybody, with a tag", async () => {
    const answer = await page("/openapi.json", {});
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(openApiDocument(api, version))));
    const again = await page("/openapi.json", { "if-none-match": answer.headers.get("etag") ?? "" });
    expect(again.status).toBe(304);
  });

  it("can be tried at /docs, with everything from this server", async () => {
    const answer = await page("/docs");
    expect(answer.status).toBe(200);
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*/);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    const assets = [...answer.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? "");
    expect(assets.length).toBeGreaterThan(4);
    for (const path of assets) {
      expect(path).toMatch(/^\/docs\/static\//);
      expect((await page(path)).status).toBe(200);
    }
    const initializer = await page("/docs/static/swagger-initializer.js");
    expect(initializer.text).toContain('"validatorUrl":null');
    expect((await page("/docs/json")).at("openapi")).toBe("3.1.0");
  });

  it("greet a browser at /, without script, in light and dark", async () => {
    const answer = await page("/");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+';/,
    );
    expect(answer.text).toContain("color-scheme: light dark");
    expect(answer.text).not.toMatch(/<script|javascript:|https?:\/\/(?!127\.0\.0\.1)/);
    expect(answer.text).toContain(suite.server.url);
  });
  it("do not greet a program, nor who brings a token", async () => {
    expect((await page("/", {})).status).toBe(401);
    expect((await page("/", { accept: "text/html", "x-api-key": "svc_1" })).status).toBe(401);
  });
  it("are not built from what a visitor sends", async () => {
    const answer = await page("/?<script>");
    expect(answer.text).not.toContain("<script>");
  });
  it("are the only pages that helmet looks after", async () => {
    expect((await page("/healthz")).headers.get("x-frame-options")).toBeNull();
  });
});

describeEngines("stopping", (engine) => {
  it("finishes what has begun, and answers nobody afterwards", async () => {
    const server = await startTestServer(engine);
    const ada = await server.person("ada");
    const { hostname, port } = new URL(server.url);
    const body = JSON.stringify({ changeSetName: "just in time" });
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /v1/w/${ada.workspaceId}/change-sets HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ada.key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
    );
    const received = textOf(socket);
    expect(await received.until("100 Continue")).toContain("HTTP/1.1 100 Continue");
    const stopped = server.stop();
    socket.write(body);
    expect(await received.until("just in time")).toContain("HTTP/1.1 200 OK");
    await stopped;
    await expect(server.request("GET", "/healthz")).rejects.toThrow();
  });
  it.each([
    ["that never sent a request", ""],
    ["in the middle of a request's head", "GET /healthz HTTP/1.1\r\nho"],
    ["kept open after an answer", "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"],
  ])("waits for no connection %s", async (_title, sent) => {
    const server = await startTestServer(engine);
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const received = textOf(socket);
    await once(socket, "connect");
    socket.write(sent);
    if (sent.endsWith("\r\n\r\n")) await received.until("ok");
    // The server has met the connection once it answered another.
    await server.request("GET", "/healthz");
    const ended = once(socket, "close");
    socket.on("error", () => {});
    await server.stop();
    await ended;
  });
});

/** Collects what a socket receives; `until` resolves once a text is in it, or the socket ends. */
function textOf(socket: Socket): { until(text: string): Promise<string> } {
  let received = "";
  socket.on("data", (bytes) => {
    received += bytes.toString();
  });
  return {
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (received.includes(text)) resolve(received);
        };
        socket.on("data", look);
        socket.on("end", () => resolve(received));
        socket.on("error", reject);
        look();
      }),
  };
}
