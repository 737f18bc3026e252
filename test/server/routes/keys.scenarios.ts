import { expect } from "vitest";
import { listKeyAudit } from "../../../server/store/keys.ts";
import { serverOnlyKeyProperties } from "../../../src/contract/keys.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";

const post = (world: World, verb: string, body: object, as = world.ada.session) =>
  world.server.request("POST", `/api/auth/api-key/${verb}`, { as, body });
const newKey = async (world: World, body: object = {}) => {
  const answer = await post(world, "create", body);
  return { keyId: answer.at("id"), key: answer.at("key") };
};
const statusWith = async (world: World, key: string): Promise<number> =>
  (await world.server.request("GET", "/api/whoami", { as: key })).status;
const changing =
  (changes: object) =>
  async (world: World): Promise<RowInput> => ({ body: { keyId: (await newKey(world)).keyId, ...changes } });
const foreignKey = async (world: World, more: object = {}) => {
  const answer = await post(world, "create", {}, world.eve.session);
  return { body: { keyId: answer.at("id"), ...more } };
};

const creation: readonly Scenario[] = [
  {
    name: "shows the raw key this once, and it works",
    operation: "keys.create",
    input: () => ({ body: { name: "laptop" } }),
    expect: 200,
    body: ({ ada }) => ({
      name: "laptop",
      prefix: "svc_",
      start: expect.stringMatching(/^svc_[0-9a-f]{8}$/),
      key: expect.stringMatching(/^svc_[0-9a-f]{32}$/),
      referenceId: ada.id,
      enabled: true,
      expiresAt: null,
    }),
    check: async (answer, world) => expect(await statusWith(world, answer.at("key"))).toBe(200),
  },
  {
    name: "lets a key live for a while",
    operation: "keys.create",
    input: () => ({ body: { expiresIn: 3600 } }),
    expect: 200,
    body: () => ({ expiresAt: expect.any(String), name: null }),
  },
  { name: "is not for a key", operation: "keys.create", as: "key", expect: "sessionRequired" },
  ...[
    ["an empty name", { name: "" }, "invalidNameLength"],
    ["a name of 33 characters", { name: "x".repeat(33) }, "invalidNameLength"],
    ["another prefix", { prefix: "sk_" }, "invalidPrefix"],
    ["metadata", { metadata: { a: 1 } }, "metadataDisabled"],
    ["half a second of life", { expiresIn: 0.5 }, "expiresInTooSmall"],
    ["a life of 366 days", { expiresIn: 366 * 86_400 }, "expiresInTooLarge"],
    ["a life in words", { expiresIn: "a day" }, "badRequest"],
  ].map(
    ([what, body, expected]): Scenario => ({
      name: `refuses ${String(what)}`,
      operation: "keys.create",
      input: () => ({ body }),
      expect: expected as "badRequest",
    }),
  ),
  ...serverOnlyKeyProperties.map(
    (name): Scenario => ({
      name: `refuses ${name}, which only the server sets`,
      operation: "keys.create",
      input: () => ({ body: { [name]: null } }),
      expect: "serverOnlyProperty",
    }),
  ),
];

const changes: readonly Scenario[] = [
  {
    name: "lists the newest first, without raw keys or hashes",
    operation: "keys.list",
    input: async (world) => {
      await newKey(world, { name: "older" });
      await newKey(world, { name: "newer" });
      return { query: { limit: 2 } };
    },
    expect: 200,
    body: () => ({ apiKeys: [{ name: "newer" }, { name: "older" }], limit: 2, offset: 0 }),
    check: ({ text }) => expect(text).not.toMatch(/svc_[0-9a-f]{32}|hash/i),
  },
  {
    name: "goes on after an offset, past the end with none",
    operation: "keys.list",
    input: () => ({ query: { limit: 5, offset: 100_000 } }),
    expect: 200,
    body: () => ({ apiKeys: [], total: expect.any(Number) }),
  },
  { name: "is not for a key", operation: "keys.list", as: "key", expect: "sessionRequired" },
  ...[
    ["createdAt", undefined, ["b", "a", "c"]],
    ["createdAt", "desc", ["c", "a", "b"]],
    ["name", "asc", ["a", "b", "c"]],
    ["expiresAt", "asc", ["a", "b", "c"]],
    ["expiresAt", "desc", ["c", "b", "a"]],
    ["lastRequest", undefined, ["b", "a", "c"]],
    ["updatedAt", undefined, ["b", "c", "a"]],
  ].map(
    ([sortBy, sortDirection, sorted]): Scenario => ({
      name: `sorts by ${sortBy}, ${sortDirection ?? "ascending where nothing else is asked for"}`,
      operation: "keys.list",
      as: "nobody",
      expect: "unauthenticated",
      check: async (_answer, world) => {
        const { session, keyId } = await world.server.person(`k${world.fresh().toLowerCase().slice(-12)}`);
        await post(world, "delete", { keyId }, session);
        await post(world, "create", { name: "b", expiresIn: 7_200 }, session);
        const a = await post(world, "create", { name: "a", expiresIn: 60 }, session);
        await post(world, "create", { name: "c" }, session);
        // Changed after the last one was made, whatever the clock's step.
        const updated_at = world.server.store.clock.now() + 60_000;
        await world.server.store.write(({ db }) =>
          db.updateTable("api_key").set({ updated_at }).where("id", "=", a.at("id")).execute(),
        );
        const direction = sortDirection === undefined ? "" : `&sortDirection=${sortDirection}`;
        const path = `/api/auth/api-key/list?sortBy=${sortBy}${direction}`;
        const listed = await world.server.request("GET", path, { as: session });
        expect(listed.body).toMatchObject({ apiKeys: [sorted].flat().map((name) => ({ name })), total: 3 });
      },
    }),
  ),
  {
    name: "sorts by nothing that it does not know",
    operation: "keys.list",
    input: () => ({ query: { sortBy: "key_hash" } }),
    expect: "badRequest",
  },
  {
    name: "shows one, in any letter case of its id, without its value or hash",
    operation: "keys.get",
    input: async (world) => ({
      query: { id: (await newKey(world, { name: "one" })).keyId.toLowerCase() },
    }),
    expect: 200,
    body: ({ ada }) => ({ name: "one", enabled: true, referenceId: ada.id }),
    check: ({ text }) => expect(text).not.toMatch(/svc_[0-9a-f]{32}|hash/i),
  },
  {
    name: "does not know another user's key",
    operation: "keys.get",
    input: async (world) => ({ query: { id: (await foreignKey(world)).body.keyId } }),
    expect: "keyNotFound",
  },
  {
    name: "is not for a key, not even about itself",
    operation: "keys.get",
    as: "key",
    input: ({ ada }) => ({ query: { id: ada.keyId } }),
    expect: "sessionRequired",
  },
  {
    name: "renames",
    operation: "keys.update",
    input: changing({ name: "renamed" }),
    expect: 200,
    body: () => ({ name: "renamed", enabled: true }),
  },
  {
    name: "revokes for good",
    operation: "keys.update",
    input: changing({ enabled: false }),
    expect: 200,
    body: () => ({ enabled: false }),
    check: async (answer, world) => {
      const again = await post(world, "update", { keyId: answer.at("id"), enabled: true });
      expect([again.status, again.at("code")]).toEqual([409, "KEY_REVOKED"]);
      expect((await post(world, "update", { keyId: answer.at("id"), enabled: false })).status).toBe(200);
    },
  },
  {
    name: "never enables a revoked key",
    operation: "keys.update",
    input: async (world) => {
      const { keyId, key } = await newKey(world);
      await post(world, "update", { keyId, enabled: false });
      expect(await statusWith(world, key)).toBe(401);
      return { body: { keyId, enabled: true } };
    },
    expect: "keyRevoked",
  },
  {
    name: "leaves one move in the audit trail for each, whoever repeats it",
    operation: "keys.update",
    input: async (world) => {
      const { keyId } = await newKey(world);
      await post(world, "update", { keyId, enabled: true });
      await post(world, "update", { keyId, enabled: false });
      return { body: { keyId, enabled: false } };
    },
    expect: 200,
    check: async ({ at }, world) => {
      const { ada, server } = world;
      await post(world, "delete", { keyId: at("id") });
      const moves = await listKeyAudit(server.store, at("id"));
      expect(moves.map(({ from_state, to_state, actor }) => [from_state, to_state, actor])).toEqual([
        [null, "Created", ada.id],
        ["Created", "Enabled", ada.id],
        ["Enabled", "Revoked", ada.id],
        ["Revoked", "Deleted", ada.id],
      ]);
    },
  },
  {
    name: "takes an expiry away",
    operation: "keys.update",
    input: async (world) => ({
      body: { keyId: (await newKey(world, { expiresIn: 60 })).keyId, expiresIn: null },
    }),
    expect: 200,
    body: () => ({ expiresAt: null }),
  },
  ...[
    ["nothing to change", {}, "noValuesToUpdate"],
    ["a null name and nothing else", { name: null }, "noValuesToUpdate"],
    ["an empty name", { name: "" }, "invalidNameLength"],
    ["metadata", { metadata: {} }, "metadataDisabled"],
    ["what only the server sets", { remaining: 4 }, "serverOnlyProperty"],
    ["no life at all", { expiresIn: 0 }, "expiresInTooSmall"],
    ["a life of 366 days", { expiresIn: 366 * 86_400 }, "expiresInTooLarge"],
  ].map(
    ([what, body, expected]): Scenario => ({
      name: `refuses ${String(what)}`,
      operation: "keys.update",
      input: changing(Object(body)),
      expect: expected as "badRequest",
    }),
  ),
  {
    name: "does not know another user's key",
    operation: "keys.update",
    input: (world) => foreignKey(world, { enabled: false }),
    expect: "keyNotFound",
  },
  {
    name: "is not for a key",
    operation: "keys.update",
    as: "key",
    input: ({ ada }) => ({ body: { keyId: ada.keyId, enabled: false } }),
    expect: "sessionRequired",
  },
  {
    name: "removes a key in any state",
    operation: "keys.delete",
    as: "session",
    input: changing({}),
    expect: 200,
    body: () => ({ success: true }),
    check: async (_answer, world, input) =>
      expect((await post(world, "delete", Object(input["body"]))).status).toBe(404),
  },
  {
    name: "does not know another user's key",
    operation: "keys.delete",
    as: "session",
    input: (world) => foreignKey(world),
    expect: "keyNotFound",
  },
  {
    name: "lets no key remove another",
    operation: "keys.delete",
    as: "key",
    input: changing({}),
    expect: "sessionRequired",
  },
  {
    name: "lets a key remove itself, and it is gone at once",
    operation: "keys.delete",
    as: "nobody",
    input: changing({}),
    expect: "unauthenticated",
    check: async (_answer, world) => {
      const { keyId, key } = await newKey(world);
      expect((await post(world, "delete", { keyId }, key)).status).toBe(200);
      expect(await statusWith(world, key)).toBe(401);
    },
  },
];

export const keyScenarios: readonly Scenario[] = [...creation, ...changes];
