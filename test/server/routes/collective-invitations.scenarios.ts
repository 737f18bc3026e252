import { expect } from "vitest";
import { adasCollective, ofCollective, strangers, withEveAs } from "../../support/collectives.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";

const invite = (world: World, slug: string, body: object, as = world.ada.key) =>
  world.server.request("POST", `/api/v1/collectives/${slug}/invitations`, { as, body });
const eveInvited =
  (role = "member") =>
  async (world: World, slug: string): Promise<RowInput> => ({
    invitationId: (await invite(world, slug, { email: world.eve.email, role })).at("id"),
  });
const email =
  (of: (world: World) => string, more: object = {}) =>
  (world: World) => ({
    body: { email: of(world), ...more },
  });
const newcomer = ({ fresh }: World): string => `${fresh().toLowerCase()}@example.org`;
const received = (world: World) =>
  world.server.request("GET", "/api/v1/collective-invitations", { as: world.eve.key });
const personal = ({ ada }: World): Promise<string> => Promise.resolve(ada.username);

const asking: readonly Scenario[] = [
  {
    name: "asks somebody who has an account as one who has none, and makes nobody a member",
    operation: "collectiveInvitations.create",
    input: ofCollective(
      adasCollective,
      email(({ eve }) => eve.email.toUpperCase()),
    ),
    expect: 201,
    check: async (answer, world, { slug }) => {
      const other = await invite(world, String(slug), { email: newcomer(world) });
      const shape = ({ body }: { readonly body: unknown }) => ({
        ...Object(body),
        id: 0,
        email: 0,
        createdAt: 0,
        expiresAt: 0,
        code: String(Object(body).code).replace(/[0-9a-f]{32}$/, "32 digits"),
      });
      expect([other.status, shape(other)]).toEqual([201, shape(answer)]);
      expect(shape(answer).code).toBe("svc_inv_32 digits");
      const listed = await world.server.request("GET", `/api/v1/collectives/${slug}/invitations`, {
        as: world.ada.key,
      });
      expect(listed.text).not.toContain("svc_inv_");
      const members = await world.server.request("GET", `/api/v1/collectives/${slug}/members`, {
        as: world.ada.key,
      });
      expect(Object(members.body).members).toHaveLength(1);
      expect((await received(world)).text).toContain(answer.at("id"));
    },
  },
  {
    name: "replaces the older one of an address",
    operation: "collectiveInvitations.create",
    input: ofCollective(adasCollective, async (world, slug) => {
      await eveInvited()(world, slug);
      return email(({ eve }) => eve.email, { role: "admin" })(world);
    }),
    expect: 201,
    check: async (_answer, world, { slug }) => {
      const path = `/api/v1/collectives/${slug}/invitations`;
      const { body } = await world.server.request("GET", path, { as: world.ada.key });
      expect(Object(body).invitations).toMatchObject([{ email: world.eve.email, role: "admin" }]);
    },
  },
  {
    name: "lets no admin ask in an owner",
    operation: "collectiveInvitations.create",
    as: "eve",
    input: ofCollective(withEveAs("admin"), email(newcomer, { role: "owner" })),
    expect: "forbidden",
  },
  {
    name: "is not for a plain member",
    operation: "collectiveInvitations.create",
    as: "eve",
    input: ofCollective(withEveAs("member"), email(newcomer)),
    expect: "forbidden",
  },
  {
    name: "refuses who is in it already",
    operation: "collectiveInvitations.create",
    input: ofCollective(
      withEveAs("member"),
      email(({ eve }) => eve.email),
    ),
    expect: "memberConflict",
  },
  {
    name: "refuses what is no address",
    operation: "collectiveInvitations.create",
    input: ofCollective(
      adasCollective,
      email(() => "grace"),
    ),
    expect: "invalidEmail",
  },
  {
    name: "refuses a role that there is not",
    operation: "collectiveInvitations.create",
    input: ofCollective(adasCollective, email(newcomer, { role: "token" })),
    expect: "invalidRequest",
  },
  {
    name: "keeps a personal one personal",
    operation: "collectiveInvitations.create",
    input: ofCollective(personal, email(newcomer)),
    expect: "personalCollective",
  },
  {
    name: "lists the open ones",
    operation: "collectiveInvitations.list",
    input: ofCollective(adasCollective, eveInvited("admin")),
    expect: 200,
    body: ({ eve }) => ({ invitations: [{ email: eve.email, role: "admin" }] }),
  },
  {
    name: "is not for a plain member",
    operation: "collectiveInvitations.list",
    as: "eve",
    input: ofCollective(withEveAs("member")),
    expect: "forbidden",
  },
  {
    name: "takes one back, which cannot be accepted any more",
    operation: "collectiveInvitations.withdraw",
    input: ofCollective(adasCollective, eveInvited()),
    expect: 200,
    check: async (_answer, world, { invitationId }) => {
      const path = `/api/v1/collective-invitations/${invitationId}/accept`;
      expect((await world.server.request("POST", path, { as: world.eve.key })).status).toBe(404);
    },
  },
  {
    name: "is not for a plain member",
    operation: "collectiveInvitations.withdraw",
    as: "eve",
    input: ofCollective(withEveAs("member"), () => ({ invitationId: "x" })),
    expect: "forbidden",
  },
  {
    name: "does not know one of another collective",
    operation: "collectiveInvitations.withdraw",
    input: async (world) => {
      const other = await adasCollective(world);
      return { slug: await adasCollective(world), ...(await eveInvited()(world, other)) };
    },
    expect: "collectiveInvitationNotFound",
  },
];

const answering: readonly Scenario[] = [
  {
    name: "shows one's own with the collective's name, and nobody else's",
    operation: "collectiveInvitations.received",
    as: "eve",
    input: async (world) => {
      await eveInvited()(world, await adasCollective(world));
      await invite(world, await adasCollective(world), { email: newcomer(world) });
      return {};
    },
    expect: 200,
    check: ({ body }, { eve }) => {
      const { invitations } = Object(body);
      expect(invitations.at(-1)).toMatchObject({ email: eve.email, collective: { name: "The team" } });
      expect(new Set(invitations.map((one: { email: string }) => one.email))).toEqual(new Set([eve.email]));
    },
  },
  {
    name: "makes a member of the role",
    operation: "collectiveInvitations.accept",
    as: "eve",
    input: ofCollective(adasCollective, eveInvited("admin")),
    expect: 200,
    check: async ({ body }, world, { slug, invitationId }) => {
      expect(body).toMatchObject({ slug, role: "admin" });
      const again = `/api/v1/collective-invitations/${invitationId}/accept`;
      expect((await world.server.request("POST", again, { as: world.eve.key })).status).toBe(404);
    },
  },
  {
    name: "says no for good",
    operation: "collectiveInvitations.reject",
    as: "eve",
    input: ofCollective(adasCollective, eveInvited()),
    expect: 200,
    check: async ({ body }, world, { slug, invitationId }) => {
      expect(body).toEqual({ success: true });
      const path = `/api/v1/collective-invitations/${invitationId}/accept`;
      expect((await world.server.request("POST", path, { as: world.eve.key })).status).toBe(404);
      const asked = await world.server.request("GET", `/api/v1/collectives/${slug}`, { as: world.eve.key });
      expect(asked.status).toBe(404);
    },
  },
  ...["accept", "reject"].flatMap((row): Scenario[] => [
    {
      name: "does not know somebody else's",
      operation: `collectiveInvitations.${row}`,
      input: ofCollective(adasCollective, eveInvited()),
      expect: "collectiveInvitationNotFound",
    },
    {
      name: "does not know a malformed one",
      operation: `collectiveInvitations.${row}`,
      input: () => ({ invitationId: "' or 1=1" }),
      expect: "collectiveInvitationNotFound",
    },
  ]),
];

export const collectiveInvitationScenarios: readonly Scenario[] = [
  ...asking,
  ...answering,
  ...strangers.flatMap(([what, slug]) =>
    ["list", "create", "withdraw"].map(
      (row): Scenario => ({
        name: `does not know ${what} collective`,
        operation: `collectiveInvitations.${row}`,
        input: async (world) => ({
          slug: await slug(world),
          invitationId: world.fresh(),
          body: { email: newcomer(world) },
        }),
        expect: "collectiveNotFound",
      }),
    ),
  ),
];
