import { expect } from "vitest";
import {
  adasCollective,
  makeCollective,
  makeCollectiveToken,
  ofCollective,
  withEveAs,
} from "../../support/collectives.ts";
import type { Scenario, World } from "../../support/scenarios.ts";
import { listed, named, patch, whoami } from "./collective-token-inputs.ts";

const hour = 3_600_000;
const later = ({ server }: World, ms = hour): string => new Date(server.store.clock.now() + ms).toISOString();
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

export const collectiveTokenCreationScenarios: readonly Scenario[] = [
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
