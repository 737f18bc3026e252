import { expect } from "vitest";
import {
  adasCollective,
  makeCollective,
  makeCollectiveToken,
  ofCollective,
  strangers,
  withEveAs,
} from "../../support/collectives.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";

const hour = 3_600_000;
const later = ({ server }: World, ms = hour): string => new Date(server.store.clock.now() + ms).toISOString();
const named = (more: object = {}) => ({ body: { name: "deploy", ...more } });
const withToken =
  (body: object = {}) =>
  async ({ server, ada }: World, slug: string): Promise<RowInput & { readonly key: string }> => {
    const { id, key } = await makeCollectiveToken(server, ada, slug);
    return { tokenId: id, key, body };
  };
const whoami = ({ server }: World, key: unknown) => server.request("GET", "/api/whoami", { as: String(key) });
const patch = ({ server, ada }: World, { slug, tokenId }: RowInput, body?: unknown) =>
  server.request("PATCH", `/api/v1/collectives/${slug}/api-tokens/${tokenId}`, {
    as: ada.key,
    ...(body === undefined ? {} : { body }),
  });
const listed = ({ server, ada }: World, slug: unknown) =>
  server.request("GET", `/api/v1/collectives/${slug}/api-tokens`, { as: ada.key });
/** A collective of Ada's that has as many tokens as may be, one of them revoked and one expired. */
const full = async (world: World): Promise<string> => {
  const { server, ada } = world;
  const slug = await makeCollective(server, ada);
  const { id: tokenId } = await makeCollectiveToken(server, ada, slug);
  await patch(world, { slug, tokenId }, {});
  await makeCollectiveToken(server, ada, slug, server.store.clock.now() - 1);
  for (let n = 2; n < 25; n++) await makeCollectiveToken(server, ada, slug);
  return slug;
};

const creation: readonly Scenario[] = [
  {
    name: "shows the raw token this once, and it works",
    operation: "collectiveTokens.create",
    input: ofCollective(adasCollective, () => named()),
    expect: 201,
    body: ({ ada }) => ({
      key: expect.stringMatching(/^svc_org_[0-9a-f]{32}$/),
      token: {
        id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        name: "deploy",
        keyPrefix: expect.stringMatching(/^svc_org_[0-9a-f]{4}$/),
        enabled: true,
        expired: false,
        expiresAt: null,
        createdBy: ada.id,
        lastUsedAt: null,
        scopes: ["*"],
      },
    }),
    check: async (answer, world, { slug }) => {
      const who = await whoami(world, answer.at("key"));
      expect(who.body).toEqual({
        authenticated: true,
        collectiveToken: true,
        collectiveId: expect.any(String),
        collectiveSlug: slug,
        tokenId: answer.at("token.id"),
        scopes: ["*"],
        organizations: [{ slug, name: "The team", role: "token", personal: false }],
      });
      expect((await listed(world, slug)).text).not.toContain(answer.at("key"));
    },
  },
  {
    name: "is for an admin, in any letter case of the slug",
    operation: "collectiveTokens.create",
    as: "eve",
    input: async (world) => ({ slug: (await withEveAs("admin")(world)).toUpperCase(), ...named() }),
    expect: 201,
  },
  {
    name: "takes a session as well, and a personal collective",
    operation: "collectiveTokens.create",
    as: "session",
    input: ({ ada }) => ({ slug: ada.username, ...named({ scopes: ["*"], expiresIn: null }) }),
    expect: 201,
  },
  {
    name: "lets it live until an instant",
    operation: "collectiveTokens.create",
    input: ofCollective(adasCollective, (world) => named({ expiresAt: later(world) })),
    expect: 201,
    check: ({ body }, _world, input) =>
      expect(Object(body).token).toMatchObject({
        expiresAt: Object(input["body"]).expiresAt,
        expired: false,
        enabled: true,
      }),
  },
  {
    name: "lets it live for some seconds",
    operation: "collectiveTokens.create",
    input: ofCollective(adasCollective, () => named({ expiresIn: 3600 })),
    expect: 201,
    body: () => ({ token: { expiresAt: expect.any(String), expired: false } }),
  },
  {
    name: "is not for a plain member",
    operation: "collectiveTokens.create",
    as: "eve",
    input: ofCollective(withEveAs("member"), () => named()),
    expect: "forbidden",
  },
  {
    name: "makes no 26th, revoked and expired ones counted",
    operation: "collectiveTokens.create",
    input: ofCollective(full, () => named()),
    expect: "tokenLimitReached",
    check: async ({ body }, world, { slug }) => {
      expect(body).toMatchObject({ code: "TOKEN_LIMIT_REACHED" });
      const { tokens } = Object((await listed(world, slug)).body);
      expect(tokens).toHaveLength(25);
      const path = `/api/v1/collectives/${slug}/api-tokens`;
      await world.server.request("DELETE", `${path}/${tokens[0].id}`, { as: world.ada.key });
      const again = await world.server.request("POST", path, { as: world.ada.key, ...named() });
      expect(again.status).toBe(201);
    },
  },
  ...[
    ["an empty name", { name: "" }],
    ["a name of blanks", { name: "  " }],
    ["a name of two lines", { name: "a\nb" }],
    ["a name of 65 characters", { name: "x".repeat(65) }],
    ["an expiry in words", { expiresAt: "tomorrow" }],
    ["an expiry without a zone", { expiresAt: "2999-01-01T00:00:00" }],
    ["a day that no calendar has", { expiresAt: "2999-13-41T00:00:00Z" }],
    ["an expiry in milliseconds", { expiresAt: 32_503_680_000_000 }],
    ["a life past the last year", { expiresIn: 1e15 }],
    ["two ends", { expiresAt: "2999-01-01T00:00:00Z", expiresIn: 60 }],
    ["fewer rights than all", { scopes: ["extensions:push"] }],
  ].map(
    ([what, more]): Scenario => ({
      name: `refuses ${String(what)}`,
      operation: "collectiveTokens.create",
      input: ofCollective(adasCollective, () => named(Object(more))),
      expect: "invalidRequest",
    }),
  ),
  ...[
    ["a second ago", (world: World) => ({ expiresAt: later(world, -1_000) })],
    ["now", () => ({ expiresIn: 0 })],
    ["before it began", () => ({ expiresIn: -60 })],
  ].map(
    ([what, more]): Scenario => ({
      name: `makes none that ends ${String(what)}`,
      operation: "collectiveTokens.create",
      input: ofCollective(adasCollective, (world) => named(typeof more === "function" ? more(world) : {})),
      expect: "expiryNotAhead",
    }),
  ),
];

const changes: readonly Scenario[] = [
  {
    name: "lists them in order of creation, without raw tokens or hashes",
    operation: "collectiveTokens.list",
    as: "eve",
    input: ofCollective(withEveAs("admin"), async (world, slug) => {
      await withToken()(world, slug);
      return withToken()(world, slug);
    }),
    expect: 200,
    check: ({ body, text }, _world, { tokenId }) => {
      const { tokens } = Object(body);
      expect([tokens.length, tokens[1].id]).toEqual([2, tokenId]);
      expect(text).not.toMatch(/svc_org_[0-9a-f]{5}|hash/i);
    },
  },
  {
    name: "is not for a plain member",
    operation: "collectiveTokens.list",
    as: "eve",
    input: ofCollective(withEveAs("member")),
    expect: "forbidden",
  },
  {
    name: "revokes for good, at once, and keeps it in the list",
    operation: "collectiveTokens.revoke",
    input: ofCollective(adasCollective, withToken()),
    expect: 200,
    body: () => ({ token: { enabled: false } }),
    check: async (_answer, world, input) => {
      expect((await whoami(world, input["key"])).status).toBe(401);
      expect(Object((await listed(world, input["slug"])).body).tokens).toMatchObject([
        { id: input["tokenId"], enabled: false },
      ]);
      expect((await patch(world, input, { enabled: false })).status).toBe(200);
    },
  },
  {
    name: "revokes without a body as well",
    operation: "collectiveTokens.revoke",
    input: ofCollective(adasCollective, withToken({ enabled: false })),
    expect: 200,
    check: async (_answer, world, { slug }) => {
      const other = await withToken()(world, String(slug));
      const answer = await patch(world, { slug, ...other });
      expect([answer.status, Object(answer.body).token.enabled]).toEqual([200, false]);
    },
  },
  {
    name: "leaves an enabled one that is to be enabled",
    operation: "collectiveTokens.revoke",
    input: ofCollective(adasCollective, withToken({ enabled: true })),
    expect: 200,
    body: () => ({ token: { enabled: true } }),
    check: async (_answer, world, { key }) => expect((await whoami(world, key)).status).toBe(200),
  },
  {
    name: "never enables a revoked one",
    operation: "collectiveTokens.revoke",
    input: ofCollective(adasCollective, async (world, slug) => {
      const input = await withToken({ enabled: true })(world, slug);
      await patch(world, { slug, ...input }, {});
      return input;
    }),
    expect: "keyRevoked",
  },
  {
    name: "refuses a state in words",
    operation: "collectiveTokens.revoke",
    input: ofCollective(adasCollective, withToken({ enabled: "no" })),
    expect: "invalidRequest",
    check: async (_answer, world, { key }) => expect((await whoami(world, key)).status).toBe(200),
  },
  {
    name: "removes one in any state",
    operation: "collectiveTokens.delete",
    input: ofCollective(adasCollective, async (world, slug) => {
      const input = await withToken()(world, slug);
      await patch(world, { slug, ...input }, {});
      return input;
    }),
    expect: 200,
    body: () => ({ deleted: true, token: { enabled: false } }),
    check: async (_answer, world, input) => {
      expect(Object((await listed(world, input["slug"])).body).tokens).toEqual([]);
      expect((await patch(world, input, {})).status).toBe(404);
    },
  },
  {
    name: "removes an enabled one, which is refused at once",
    operation: "collectiveTokens.delete",
    input: ofCollective(adasCollective, withToken()),
    expect: 200,
    check: async (_answer, world, { key }) => expect((await whoami(world, key)).status).toBe(401),
  },
  ...["revoke", "delete"].flatMap((row): Scenario[] => [
    {
      name: "is not for a plain member",
      operation: `collectiveTokens.${row}`,
      as: "eve",
      input: ofCollective(withEveAs("member"), withToken()),
      expect: "forbidden",
      check: async (_answer, world, { key }) => expect((await whoami(world, key)).status).toBe(200),
    },
    {
      name: "does not know one of another collective of the same owner",
      operation: `collectiveTokens.${row}`,
      input: async (world) => ({
        slug: await adasCollective(world),
        ...(await withToken()(world, await adasCollective(world))),
      }),
      expect: "keyNotFound",
      check: async (_answer, world, { key }) => expect((await whoami(world, key)).status).toBe(200),
    },
    {
      name: "does not know a malformed one",
      operation: `collectiveTokens.${row}`,
      input: ofCollective(adasCollective, () => ({ tokenId: "x' or '1'='1" })),
      expect: "keyNotFound",
    },
  ]),
];

export const collectiveTokenScenarios: readonly Scenario[] = [
  ...creation,
  ...changes,
  ...strangers.flatMap(([what, slug]) =>
    ["list", "create", "revoke", "delete"].map(
      (row): Scenario => ({
        name: `does not know ${what} collective`,
        operation: `collectiveTokens.${row}`,
        input: async (world) => ({
          slug: await slug(world),
          tokenId: world.fresh(),
          ...named(),
        }),
        expect: "collectiveNotFound",
        check: ({ body }) =>
          expect(body).toMatchObject({ message: "no such collective, or you are not in it" }),
      }),
    ),
  ),
];
