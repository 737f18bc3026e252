import Fastify, { type FastifyInstance } from "fastify";
import Type from "typebox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { group } from "../../src/contract/endpoint.ts";
import { openApiDocument } from "../../src/contract/openapi.ts";
import { createClient } from "../../src/http/client.ts";
import { readJsonBodies } from "../../src/http/json-body.ts";
import { mount } from "../../src/http/mount.ts";

const maximumBytes = 64 * 1024;
const contract = {
  uploads: group({
    send: {
      method: "POST",
      path: "/uploads",
      summary: "Send a text",
      access: "any",
      multipart: { field: "text", maximumBytes },
      body: Type.String({ minLength: 1 }),
      response: Type.Object({ text: Type.String() }),
      invalid: "badRequest",
    },
  }),
};

let app: FastifyInstance;
let address = "";
beforeAll(async () => {
  app = Fastify({ bodyLimit: 1024 });
  readJsonBodies(app);
  mount(app, contract, { uploads: { send: ({ body }) => ({ text: body }) } }, { authorize: () => undefined });
  address = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

const post = async (body: FormData | string | Uint8Array<ArrayBuffer>, type?: string) => {
  const headers = type === undefined ? {} : { "content-type": type };
  const response = await fetch(`${address}/uploads`, { method: "POST", body, headers });
  const text = await response.text();
  return { status: response.status, text };
};
const form = (
  ...fields: readonly (readonly [name: string, value: string | Uint8Array<ArrayBuffer> | Blob])[]
) => {
  const made = new FormData();
  for (const [name, value] of fields)
    made.append(name, value instanceof Uint8Array ? new Blob([value]) : value);
  return made;
};
const got = (text: string) => ({ status: 200, text: JSON.stringify({ text }) });

it("takes the field as text and as a file, of any script", async () => {
  expect(await post(form(["text", "größer ≥ 🔑"]))).toEqual(got("größer ≥ 🔑"));
  expect(await post(form(["text", new Blob(["größer ≥ 🔑"])]))).toEqual(got("größer ≥ 🔑"));
});

it("ignores other fields, and of several the last one wins", async () => {
  const answer = await post(form(["a", "1"], ["text", "first"], ["b", new Blob(["2"])], ["text", "second"]));
  expect(answer).toEqual(got("second"));
});

it("goes the same way through the typed client, beyond what a JSON body may hold", async () => {
  const text = "x".repeat(maximumBytes);
  const client = createClient(contract, { baseUrl: address });
  expect(await client.uploads.send({ body: text })).toEqual({ text });
});

it.each([
  [
    "a form without the field",
    form(["other", "1"]),
    "text: expected a string of at least 1 characters, found nothing",
  ],
  ["an empty field", form(["text", ""]), "text: expected a string of at least 1 characters"],
  ["bytes that are not UTF-8", form(["text", Uint8Array.of(0xff)]), "text: expected UTF-8 text"],
  ["too much", form(["text", "x".repeat(maximumBytes + 1)]), "text: expected at most 0.0625 MB, found more"],
  ["half a surrogate pair, which no UTF-8 has", form(["text", Uint8Array.of(0xed, 0xa0, 0x80)]), "UTF-8"],
  ["a zero character", form(["text", "a\0b"]), "found a zero character"],
])("refuses %s", async (_what, body, message) => {
  const answer = await post(body);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(message);
});

it.each([
  ["JSON", "{}", "application/json", "content-type: expected multipart/form-data, found application/json"],
  ["text", "x", "text/plain", "content-type: expected multipart/form-data, found text/plain"],
  ["a form without a boundary", "x", "multipart/form-data", "body: expected a complete form"],
  [
    "a form that ends early",
    "--b\r\ncontent-dis",
    "multipart/form-data; boundary=b",
    "body: expected a complete form",
  ],
  ["a form that is none", "{}", "multipart/form-data; boundary=b", "body: expected a complete form"],
])("refuses %s", async (_what, body, type, message) => {
  const answer = await post(body, type);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(message);
});

it("is a form in the document", () => {
  const paths = openApiDocument(contract, "0.0.0")["paths"] as Record<
    string,
    Record<string, { requestBody: unknown }>
  >;
  expect(paths["/uploads"]?.["post"]?.requestBody).toMatchObject({
    required: true,
    content: {
      "multipart/form-data": { schema: { required: ["text"], properties: { text: { type: "string" } } } },
    },
  });
});
