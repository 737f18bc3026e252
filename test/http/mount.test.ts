import { once } from "node:events";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import Fastify, { type FastifyInstance } from "fastify";
import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { group } from "../../src/contract/endpoint.ts";
import { ApiError } from "../../src/contract/errors.ts";
import { createClient } from "../../src/http/client.ts";
import { ConnectionError, UnexpectedAnswerError } from "../../src/http/failure.ts";
import { readJsonBodies } from "../../src/http/json-body.ts";
import { mount } from "../../src/http/mount.ts";
import { RawJson } from "../../src/http/raw.ts";

const contract = {
  notes: group({
    list: {
      method: "GET",
      path: "/notes",
      summary: "Notes",
      access: "any",
      revision: "layer",
      query: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 1 })),
        all: Type.Optional(Type.Boolean()),
      }),
      response: Type.Object({ notes: Type.Array(Type.String()) }),
    },
    add: {
      method: "POST",
      path: "/notes",
      summary: "Add a note",
      access: "any",
      body: Type.Object({ text: Type.String({ minLength: 1 }) }),
      response: Type.Object({ count: Type.Integer() }),
    },
    get: {
      method: "GET",
      path: "/notes/:noteId",
      summary: "One note",
      access: "any",
      revision: "answer",
      response: Type.Object({ text: Type.String() }),
      errors: ["notFound"],
      bodiless: [404],
    },
    drop: { method: "DELETE", path: "/api/notes", summary: "Drop all", access: "any", status: 204 },
    raw: {
      method: "GET",
      path: "/raw",
      summary: "Ready text",
      access: "none",
      response: Type.Object({ a: Type.Integer() }),
    },
    broken: { method: "GET", path: "/broken", summary: "Fails", access: "none", response: Type.Object({}) },
    lying: {
      method: "GET",
      path: "/lying",
      summary: "Breaks its contract",
      access: "none",
      response: Type.String(),
    },
  }),
};

let app: FastifyInstance;
let address = "";
let notes: string[] = [];
let listening = new Set<() => void>();
let handled = 0;
const internal: unknown[] = [];

beforeAll(async () => {
  app = Fastify();
  readJsonBodies(app);
  mount(
    app,
    contract,
    {
      notes: {
        list: () => {
          handled++;
          return { notes };
        },
        add: ({ body }) => {
          notes = [...notes, body.text];
          for (const wake of listening) wake();
          return { count: notes.length };
        },
        get: ({ noteId }) => {
          const text = notes[Number(noteId)];
          if (text === undefined) throw new ApiError("notFound");
          return { text };
        },
        drop: () => {
          notes = [];
          return undefined;
        },
        raw: () => new RawJson('{"a":1}'),
        broken: () => {
          throw new Error("the disk is on fire, password hunter2");
        },
        lying: () => 7 as unknown as string,
      },
    },
    {
      authorize: ({ endpoint, request }) => {
        if (endpoint.access !== "none" && request.headers.authorization !== "Bearer good") {
          throw new ApiError("unauthenticated");
        }
      },
      revisionOf: async () => `1.${notes.length}`,
      waitForChange: (_incoming, _context, signal) =>
        new Promise((resolve) => {
          const wake = (): void => {
            listening.delete(wake);
            resolve();
          };
          listening.add(wake);
          signal.addEventListener("abort", wake, { once: true });
        }),
      onInternalError: (error) => internal.push(error),
    },
  );
  address = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

const client = (token = "good") =>
  createClient(contract, { baseUrl: address, headers: () => ({ authorization: `Bearer ${token}` }) });
const request = (path: string, init: RequestInit = {}) =>
  fetch(address + path, { ...init, headers: { authorization: "Bearer good", ...init.headers } });

describe("a mounted contract and its client", () => {
  it("carry input and answers both ways", async () => {
    notes = [];
    await expect(client().notes.add({ body: { text: "ä🐢" } })).resolves.toEqual({ count: 1 });
    await expect(client().notes.get({ noteId: "0" })).resolves.toEqual({ text: "ä🐢" });
    await expect(client().notes.list({ query: { limit: 3 } })).resolves.toEqual({ notes: ["ä🐢"] });
    await expect(client().notes.raw({})).resolves.toEqual({ a: 1 });
    await expect(client().notes.drop({})).resolves.toBeUndefined();
  });

  it("give errors their catalogue names again", async () => {
    await expect(client().notes.get({ noteId: "99" })).rejects.toMatchObject({
      error: "notFound",
      status: 404,
    });
    await expect(client("bad").notes.list({})).rejects.toMatchObject({ error: "unauthenticated" });
    await expect(client().notes.add({ body: { text: "" } })).rejects.toMatchObject({
      error: "invalidRequest",
      message: 'body.text: expected a string of at least 1 characters, found ""',
    });
  });

  it("tell no answer from a wrong one", async () => {
    const nowhere = createClient(contract, { baseUrl: "http://user:secret@127.0.0.1:9" });
    const error = await nowhere.notes.raw({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).not.toContain("secret");
    await expect(client().notes.lying({})).rejects.toMatchObject({ error: "internal" });
    const other = {
      odd: group({ raw: { ...contract.notes.raw, response: Type.Object({ b: Type.Integer() }) } }),
    };
    const misread = createClient(other, { baseUrl: address }).odd.raw({});
    await expect(misread).rejects.toBeInstanceOf(UnexpectedAnswerError);
  });
});

describe("a mounted route", () => {
  it.each([
    ["malformed JSON", { body: "{", headers: { "content-type": "application/json" } }, /body: expected JSON/],
    [
      "another content type",
      { body: "a=1", headers: { "content-type": "text/plain" } },
      /content-type: expected application\/json, found text\/plain/,
    ],
    ["no body", {}, /body: expected an object, found nothing/],
    [
      "bytes that are no UTF-8",
      { body: new Uint8Array([0x22, 0xff, 0x22]), headers: { "content-type": "application/json" } },
      /UTF-8/,
    ],
    [
      "a zero character",
      { body: '{"text":"\\u0000"}', headers: { "content-type": "application/json" } },
      /U\+0000/,
    ],
    [
      "half a surrogate pair",
      { body: '{"text":"\\ud800"}', headers: { "content-type": "application/json" } },
      /surrogate/,
    ],
    [
      "__proto__",
      { body: '{"text":"a","x":{"__proto__":1}}', headers: { "content-type": "application/json" } },
      /__proto__/,
    ],
    [
      "too large a body",
      { body: `{"text":"${"x".repeat(2_100_000)}"}`, headers: { "content-type": "application/json" } },
      /2 MB/,
    ],
  ])("refuses %s with 422 and says why", async (_name, init, message) => {
    const response = await request("/notes", { method: "POST", ...init });
    expect(response.status).toBe(422);
    const body = await response.json();
    expect(body).toEqual({ message: expect.stringMatching(message), statusCode: 422, code: 4001 });
  });

  it("takes the last of a duplicate key and JSON of a suffix type", async () => {
    const headers = { "content-type": "application/merge-patch+json; charset=utf-8" };
    const response = await request("/notes", { method: "POST", headers, body: '{"text":1,"text":"b"}' });
    expect(response.status).toBe(200);
  });

  it("judges credentials before the body", async () => {
    const headers = { authorization: "Bearer bad", "content-type": "application/json" };
    const response = await request("/notes", { method: "POST", headers, body: "{" });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    const error = { code: 4101, message: "a valid token is required", status_code: 401 };
    expect(await response.json()).toEqual({ message: error.message, statusCode: 401, code: 4101, error });
  });

  it("answers without a body where the row says so", async () => {
    const response = await request("/notes/99");
    expect(response.status).toBe(404);
    expect(await response.text()).toBe("");
  });

  it("hides the server's own faults and reports them", async () => {
    internal.length = 0;
    for (const path of ["/broken", "/lying"]) {
      const response = await request(path);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toMatch(/hunter2|contract/);
    }
    expect(internal.map(String)).toEqual([
      expect.stringContaining("hunter2"),
      expect.stringContaining("broke its contract: answer: expected a string, found 7"),
    ]);
  });

  it("reads query kinds and refuses the others by name", async () => {
    expect((await request("/notes?limit=2&all=true")).status).toBe(200);
    for (const [query, message] of [
      ["limit=0", "query.limit: expected a whole number of 1 or more, found 0"],
      ["limit=many", 'query.limit: expected a whole number of 1 or more, found "many"'],
      ["all=yes", 'query.all: expected true or false, found "yes"'],
    ]) {
      const response = await request(`/notes?${query}`);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ message });
    }
  });
});

describe("conditional requests", () => {
  it("are answered 304 from the revision alone, and from the kept answer while it stands", async () => {
    notes = ["a"];
    const first = await request("/notes?limit=7");
    const etag = first.headers.get("etag") ?? "";
    const before = handled;
    const second = await request("/notes?limit=7");
    expect(await second.text()).toBe(await first.text());
    const third = await request("/notes?limit=7", { headers: { "if-none-match": `"x", W/${etag}` } });
    expect(third.status).toBe(304);
    expect(handled).toBe(before);
    await client().notes.add({ body: { text: "b" } });
    expect((await request("/notes?limit=7", { headers: { "if-none-match": etag } })).status).toBe(200);
    expect(handled).toBe(before + 1);
  });

  it("work by content where no revision stands for the answer", async () => {
    const first = await request("/notes/0");
    const etag = first.headers.get("etag") ?? "";
    expect((await request("/notes/0", { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  it("are held while nothing changes and answered by the change", async () => {
    notes = ["a"];
    const answer = await client().notes.list.conditional({}, { etag: undefined, waitSeconds: 0 });
    if (answer.unchanged) throw new Error("a first answer has a body");
    const held = client().notes.list.conditional({}, { etag: answer.etag, waitSeconds: 60 });
    while (listening.size === 0) await new Promise((resolve) => setImmediate(resolve));
    await client().notes.add({ body: { text: "b" } });
    expect(await held).toMatchObject({ unchanged: false, body: { notes: ["a", "b"] } });
  });

  it("end unchanged when the wait is over, also when memory is collected meanwhile", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { headers } = await request("/notes");
    listening = new Set();
    const held = request("/notes", {
      headers: { "if-none-match": headers.get("etag") ?? "", prefer: "respond-async, wait=1" },
    });
    while (listening.size === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let round = 0; round < 5; round++) {
      collect();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const response = await held;
    expect(response.status).toBe(304);
    expect(response.headers.get("preference-applied")).toBe("wait=1");
  });

  it("are let go when the caller hangs up", async () => {
    const { headers } = await request("/notes");
    listening = new Set();
    const socket = connect(Number(new URL(address).port), "127.0.0.1");
    socket.write(
      `GET /notes HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\nif-none-match: ${headers.get("etag")}\r\nprefer: wait=60\r\n\r\n`,
    );
    while (listening.size === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await once(socket, "close");
    while (listening.size > 0) await new Promise((resolve) => setImmediate(resolve));
  });
});
