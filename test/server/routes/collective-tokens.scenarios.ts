import { expect } from "vitest";
import { adasCollective, ofCollective, strangers, withEveAs } from "../../support/collectives.ts";
import type { Scenario } from "../../support/scenarios.ts";
import { listed, named, patch, whoami, withToken } from "./collective-token-inputs.ts";

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
