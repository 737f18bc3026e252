import Fastify, { type FastifyInstance } from "fastify";
import Type from "typebox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { group } from "../../src/contract/endpoint.ts";
import { openApiDocument } from "../../src/contract/openapi.ts";
import { Building } from "../../src/http/building.ts";
import { createClient } from "../../src/http/client.ts";
import { StillBuildingError } from "../../src/http/failure.ts";
import { mount } from "../../src/http/mount.ts";

const contract = {
  houses: group({
    get: {
      method: "GET",
      path: "/house",
      summary: "A house",
      access: "none",
      revision: "layer",
      building: true,
      response: Type.Object({ rooms: Type.Integer() }),
    },
  }),
};

let app: FastifyInstance;
let address = "";
let isReady = false;
let revision = "1";
beforeAll(async () => {
  app = Fastify();
  const handlers = {
    houses: {
      get: () =>
        isReady ? { rooms: 4 } : new Building("the house is being built", { retryAfter: 2, estimated: 5 }),
    },
  };
  mount(app, contract, handlers, { authorize: () => undefined, revisionOf: () => revision });
  address = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

it("says 202 and when to come again while a thing is being made, and keeps nothing of that answer", async () => {
  isReady = false;
  const first = await fetch(`${address}/house`);
  expect([first.status, first.headers.get("retry-after"), first.headers.get("etag")]).toEqual([
    202,
    "2",
    null,
  ]);
  await expect(first.json()).resolves.toEqual({
    status: "building",
    message: "the house is being built",
    retryAfterSeconds: 2,
    estimatedCompletionSeconds: 5,
  });
  isReady = true;
  const second = await fetch(`${address}/house`);
  expect([second.status, second.headers.get("etag"), await second.text()]).toEqual([
    200,
    '"1"',
    '{"rooms":4}',
  ]);
});

it("is told to callers of the client apart from every other failure", async () => {
  isReady = false;
  revision = "2";
  const call = createClient(contract, { baseUrl: address }).houses.get({});
  const error = await call.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StillBuildingError);
  expect(error).toMatchObject({ message: "the house is being built", retryAfterSeconds: 2 });
});

it("stands in the document", () => {
  const { paths } = openApiDocument(contract, "0.0.0");
  expect(paths).toMatchObject({ "/house": { get: { responses: { "202": {}, "200": {} } } } });
});
