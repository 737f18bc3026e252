import { expect } from "vitest";
import { adasCollective, ofCollective } from "../../support/collectives.ts";
import { fillCollectives, fillInvitations, fillKeys, fillMembers } from "../../support/limits.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";

const dayMs = 24 * 60 * 60 * 1000;
const slugOf = ({ fresh }: World): string => `t-${fresh().toLowerCase()}`;
const newcomer = ({ fresh }: World): string => `${fresh().toLowerCase()}@example.org`;
const asking = (world: World): RowInput => ({ body: { email: newcomer(world) } });
const invite = async (world: World, slug: string, email: string): Promise<string> => {
  const path = `/api/v1/collectives/${slug}/invitations`;
  return (await world.server.request("POST", path, { as: world.ada.key, body: { email } })).at("id");
};
/** A collective of Ada's with so many in it, her included. */
const withMembers =
  (count: number) =>
  async (world: World): Promise<string> => {
    const slug = await adasCollective(world);
    await fillMembers(world.server.store, slug, count - 1);
    return slug;
  };
const withInvitations =
  (count: number) =>
  async (world: World): Promise<string> => {
    const slug = await adasCollective(world);
    await fillInvitations(world.server.store, slug, count);
    return slug;
  };

export const accountLimitScenarios: readonly Scenario[] = [
  {
    name: "makes no 101st of one user, those of the last 30 days that are deleted counted",
    operation: "collectives.create",
    as: "eve",
    input: async (world) => {
      const { server, eve } = world;
      const { store } = server;
      await fillCollectives(store, eve.id, 50, store.clock.now() - 31 * dayMs);
      await fillCollectives(store, eve.id, 1, store.clock.now() - 29 * dayMs);
      const { collectives } = await server.client(eve.key).collectives.list({});
      // Others of the suite may have made some already; the personal one and those of Ada's do not count.
      const own = await store.db
        .selectFrom("collective")
        .select("id")
        .where("created_by", "=", eve.id)
        .where("personal_of", "is", null)
        .where("deleted_at", "is", null)
        .execute();
      expect(collectives.length).toBeGreaterThan(own.length);
      await fillCollectives(store, eve.id, 99 - own.length);
      return { body: { slug: slugOf(world) } };
    },
    expect: "collectiveLimitReached",
    check: async (_answer, world) => {
      const body = { slug: slugOf(world) };
      const other = await world.server.request("POST", "/api/v1/collectives", { as: world.ada.key, body });
      expect(other.status).toBe(201);
    },
  },
  {
    name: "asks nobody into one that is full",
    operation: "collectiveInvitations.create",
    input: ofCollective(withMembers(100), asking),
    expect: "memberLimitReached",
  },
  {
    name: "has at most 100 open, and room for who was asked already",
    operation: "collectiveInvitations.create",
    input: ofCollective(withInvitations(99), async (world, slug) => {
      const known = newcomer(world);
      await invite(world, slug, known);
      expect(await invite(world, slug, known)).toHaveLength(26);
      return asking(world);
    }),
    expect: "invitationLimitReached",
  },
  {
    name: "does not count those that ended",
    operation: "collectiveInvitations.create",
    input: ofCollective(adasCollective, async (world, slug) => {
      const { store } = world.server;
      await fillInvitations(store, slug, 100, store.clock.now() - 1);
      return asking(world);
    }),
    expect: 201,
  },
  {
    name: "lets nobody into one that is full, and keeps the invitation for when there is room",
    operation: "collectiveInvitations.accept",
    as: "eve",
    input: ofCollective(withMembers(99), async (world, slug) => {
      const invitationId = await invite(world, slug, world.eve.email);
      await fillMembers(world.server.store, slug, 1);
      return { invitationId };
    }),
    expect: "memberLimitReached",
    check: async (_answer, { server, ada, eve }, { slug, invitationId }) => {
      const { members } = await server.client(ada.key).collectiveMembers.list({ slug: String(slug) });
      const userId = members.at(-1)?.userId ?? "";
      await server.client(ada.key).collectiveMembers.remove({ slug: String(slug), userId });
      const path = `/api/v1/collective-invitations/${invitationId}/accept`;
      expect((await server.request("POST", path, { as: eve.key })).status).toBe(200);
    },
  },
  {
    name: "gives nobody a 1,001st, revoked ones counted, and room by deleting",
    operation: "keys.create",
    input: async ({ server, ada }) => {
      const { store } = server;
      const { total } = await server.client(ada.session).keys.list({ query: { limit: 1 } });
      await fillKeys(store, ada.id, 1_000 - total);
      return {};
    },
    expect: "keyLimitReached",
    check: async (_answer, { server, ada }) => {
      const { apiKeys } = await server.client(ada.session).keys.list({ query: { limit: 100 } });
      const gone = apiKeys.filter(({ enabled }) => !enabled);
      await server.client(ada.session).keys.delete({ body: { keyId: gone[0]?.id ?? "" } });
      const again = await server.request("POST", "/api/auth/api-key/create", { as: ada.session, body: {} });
      expect(again.status).toBe(200);
    },
  },
];
