import { expect } from "vitest";
import { adasCollective, makeCollective, makeCollectiveToken } from "../../support/collectives.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";
import { deleted, made, quarantined, shared } from "../../support/workspaces.ts";

const grant = ({ server, ada }: World, workspaceId: unknown, slug: string) =>
  server.request("POST", `/management/workspaces/${workspaceId}/collectives`, {
    as: ada.key,
    body: { slug },
  });
/** A workspace of Ada's that was granted to a collective of hers. */
const granted = async (world: World): Promise<RowInput & { readonly slug: string }> => {
  const [workspaceId, slug] = [await made(world), await adasCollective(world)];
  expect((await grant(world, workspaceId, slug)).status).toBe(200);
  return { workspaceId, slug };
};
const toGrant =
  (make: (world: World) => Promise<string> = made, of = adasCollective) =>
  async (world: World): Promise<RowInput> => {
    const slug = await of(world);
    return { workspaceId: await make(world), slug, body: { slug: slug.toUpperCase() } };
  };
const statusIn = async ({ server }: World, workspaceId: unknown, key: string): Promise<number> =>
  (await server.request("GET", `/v1/w/${workspaceId}/change-sets`, { as: key })).status;
const unknown = (): Promise<string> => Promise.resolve("nobody-has-this");
const eves = ({ server, eve }: World): Promise<string> => makeCollective(server, eve);
const asApprover = (world: World): Promise<string> => shared(world, "APPROVER");
const both = ["grant", "ungrant"];

export const collectiveGrantScenarios: readonly Scenario[] = [
  {
    name: "shows to whom the workspace was granted, to every member",
    operation: "collectiveGrants.list",
    as: "eve",
    input: async (world) => {
      const workspaceId = await shared(world, "EDITOR");
      await grant(world, workspaceId, await adasCollective(world));
      return { workspaceId };
    },
    expect: 200,
    check: ({ body }) =>
      expect(body).toEqual([
        {
          collectiveId: expect.any(String),
          slug: expect.stringMatching(/^team-/),
          name: "The team",
          createdAt: expect.stringMatching(/Z$/),
        },
      ]),
  },
  { name: "is for members", operation: "collectiveGrants.list", as: "eve", expect: "forbidden" },
  {
    name: "lets the collective's tokens in, once however often it is done, and the collective knows",
    operation: "collectiveGrants.grant",
    input: toGrant(),
    expect: 200,
    check: async ({ body }, world, { workspaceId, slug }) => {
      expect(body).toMatchObject([{ slug }]);
      const { server, ada } = world;
      const { key } = await makeCollectiveToken(server, ada, String(slug));
      expect(await statusIn(world, workspaceId, key)).toBe(200);
      expect(await statusIn(world, ada.workspaceId, key)).toBe(403);
      expect((await grant(world, workspaceId, String(slug))).body).toEqual(body);
      const shown = await server.request("GET", `/api/v1/collectives/${slug}`, { as: ada.key });
      expect(Object(shown.body).workspaces).toMatchObject([{ id: workspaceId }]);
      const { body: history } = await server.request("GET", `/v1/w/${workspaceId}/events`, { as: ada.key });
      const kinds = Object(history).events.map(({ kind }: { kind: string }) => kind);
      expect(kinds.filter((kind: string) => kind === "collective.granted")).toHaveLength(1);
    },
  },
  {
    name: "is not for an approver",
    operation: "collectiveGrants.grant",
    as: "eve",
    input: toGrant(asApprover, eves),
    expect: "forbidden",
  },
  {
    name: "shuts the collective's tokens out again",
    operation: "collectiveGrants.ungrant",
    input: granted,
    expect: 200,
    check: async ({ body }, world, { workspaceId, slug }) => {
      expect(body).toEqual([]);
      const { key } = await makeCollectiveToken(world.server, world.ada, String(slug));
      expect(await statusIn(world, workspaceId, key)).toBe(403);
    },
  },
  {
    name: "is not for an approver",
    operation: "collectiveGrants.ungrant",
    as: "eve",
    input: toGrant(asApprover),
    expect: "forbidden",
  },
  {
    name: "does not know one that the workspace was not granted to",
    operation: "collectiveGrants.ungrant",
    input: toGrant(),
    expect: "collectiveNotFound",
  },
  {
    name: "takes it back from a collective that the owner is not in any more",
    operation: "collectiveGrants.ungrant",
    input: async (world) => {
      const input = await granted(world);
      const { server, eve, ada } = world;
      const path = `/api/v1/collectives/${input.slug}`;
      const body = { email: eve.email, role: "owner" };
      const asked = await server.request("POST", `${path}/invitations`, { as: ada.key, body });
      await server.request("POST", `/api/v1/collective-invitations/${asked.at("id")}/accept`, {
        as: eve.key,
      });
      expect((await server.request("POST", `${path}/leave`, { as: ada.key })).status).toBe(200);
      return input;
    },
    expect: 200,
  },
  ...[
    ["somebody else's", eves],
    ["an unknown", unknown],
  ].map(
    ([what, of]): Scenario => ({
      name: `does not know ${String(what)} collective, and says the same of both`,
      operation: "collectiveGrants.grant",
      input: toGrant(made, typeof of === "function" ? of : unknown),
      expect: "collectiveNotFound",
      check: ({ body }) =>
        expect(body).toMatchObject({ message: "no such collective, or you are not in it" }),
    }),
  ),
  {
    name: "refuses a slug that is no text",
    operation: "collectiveGrants.grant",
    input: async (world) => ({ workspaceId: await made(world), body: { slug: 7 } }),
    expect: "badRequest",
  },
  ...both.flatMap((row): Scenario[] => [
    {
      name: "leaves a closed one as it is",
      operation: `collectiveGrants.${row}`,
      input: toGrant(quarantined),
      expect: "workspaceQuarantined",
    },
    {
      name: "does not know one that was deleted",
      operation: `collectiveGrants.${row}`,
      input: toGrant(deleted),
      expect: "workspaceNotFound",
    },
  ]),
  {
    name: "does not know one that was deleted",
    operation: "collectiveGrants.list",
    input: toGrant(deleted),
    expect: "workspaceNotFound",
  },
];
