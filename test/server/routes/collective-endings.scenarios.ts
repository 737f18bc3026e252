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
import { made } from "../../support/workspaces.ts";

const personal = ({ ada }: World): Promise<string> => Promise.resolve(ada.username);
const statusOf = async ({ server }: World, path: string, as: string): Promise<number> =>
  (await server.request("GET", path, { as })).status;
/** A collective of Ada's with Eve in it, a token, an open invitation and a workspace in which the token acted. */
const busy = async (world: World): Promise<RowInput> => {
  const { server, ada, eve, fresh } = world;
  const slug = await makeCollective(server, ada, [[eve, "admin"]]);
  const workspaceId = await made(world);
  const client = server.client(ada.key);
  const { id } = await client.collectives.get({ slug });
  await client.collectiveGrants.grant({ workspaceId, body: { slug } });
  const guest = await server.person(`g${fresh().toLowerCase().slice(-12)}`);
  await client.collectiveInvitations.create({ slug, body: { email: guest.email } });
  const { key } = await makeCollectiveToken(server, ada, slug);
  await server.client(key).changeSets.create({ workspaceId, body: { changeSetName: "by the team" } });
  return { slug, id, workspaceId, key, guest: guest.key };
};

export const collectiveEndingScenarios: readonly Scenario[] = [
  {
    name: "ends its tokens, invitations, memberships and grants at once",
    operation: "collectives.delete",
    input: busy,
    expect: 200,
    body: () => ({ success: true }),
    check: async (_answer, world, { slug, workspaceId, key, guest }) => {
      const { ada, eve, server } = world;
      expect(await statusOf(world, "/api/whoami", String(key))).toBe(401);
      expect(await statusOf(world, `/v1/w/${workspaceId}/change-sets`, String(key))).toBe(401);
      for (const who of [ada, eve])
        expect(await statusOf(world, `/api/v1/collectives/${slug}`, who.key)).toBe(404);
      expect((await server.client(ada.key).collectives.list({})).collectives).not.toContainEqual(
        expect.objectContaining({ slug }),
      );
      const received = await server.client(String(guest)).collectiveInvitations.received({});
      expect(received.invitations).toEqual([]);
      const workspaces = server.client(ada.key).collectiveGrants;
      expect(await workspaces.list({ workspaceId: String(workspaceId) })).toEqual([]);
    },
  },
  {
    name: "keeps what was done by it under its name, and tells members and workspaces of the end",
    operation: "collectives.delete",
    input: busy,
    expect: 200,
    check: async (_answer, { server, ada, eve }, { slug, id, workspaceId }) => {
      const client = server.client(ada.key);
      const place = { workspaceId: String(workspaceId), query: {} };
      const { events } = await client.events.list(place);
      expect(events.find(({ kind }) => kind === "change_set.created")?.actor).toMatchObject({
        id,
        name: "The team",
      });
      expect(events.at(-1)).toMatchObject({
        kind: "collective.ungranted",
        subject: id,
        actor: { id: ada.id },
      });
      const inWorkspace = await client.audit.workspace(place);
      expect(inWorkspace.entries[0]).toMatchObject({
        kind: "workspace.ungranted",
        subject: id,
        data: { slug },
      });
      for (const { key } of [ada, eve]) {
        const { entries } = await server.client(key).audit.account({ query: {} });
        expect(entries[0]).toMatchObject({
          kind: "collective.deleted",
          subject: id,
          data: { slug, name: "The team" },
          actor: { id: ada.id },
        });
      }
    },
  },
  {
    name: "never gives its slug to another",
    operation: "collectives.delete",
    input: ofCollective(adasCollective),
    expect: 200,
    check: async (_answer, { server, ada, eve }, { slug }) => {
      for (const { key } of [ada, eve]) {
        const again = await server.request("POST", "/api/v1/collectives", { as: key, body: { slug } });
        expect([again.status, again.at("code")]).toEqual([409, "COLLECTIVE_EXISTS"]);
      }
      const twice = await server.request("DELETE", `/api/v1/collectives/${slug}`, { as: ada.key });
      expect([twice.status, twice.at("code")]).toEqual([404, "COLLECTIVE_NOT_FOUND"]);
    },
  },
  {
    name: "is for any of several owners, in any letter case of the slug",
    operation: "collectives.delete",
    as: "eve",
    input: async (world) => ({ slug: (await withEveAs("owner")(world)).toUpperCase() }),
    expect: 200,
  },
  ...(["admin", "member"] as const).map(
    (role): Scenario => ({
      name: `is not for a plain ${role}`,
      operation: "collectives.delete",
      as: "eve",
      input: ofCollective(withEveAs(role)),
      expect: "forbidden",
      check: async (_answer, world, { slug }) =>
        expect(await statusOf(world, `/api/v1/collectives/${slug}`, world.ada.key)).toBe(200),
    }),
  ),
  {
    name: "leaves a personal one",
    operation: "collectives.delete",
    input: ofCollective(personal),
    expect: "personalCollective",
  },
  ...strangers.map(
    ([what, slug]): Scenario => ({
      name: `does not know ${what} collective`,
      operation: "collectives.delete",
      input: async (world) => ({ slug: await slug(world) }),
      expect: "collectiveNotFound",
      check: ({ body }) =>
        expect(body).toMatchObject({ message: "no such collective, or you are not in it" }),
    }),
  ),
];
