import { expect } from "vitest";
import type { Scenario, World } from "../../support/scenarios.ts";
import { deleted, emails, made, quarantined, withEve, within } from "../../support/workspaces.ts";

const email = (of: (world: World) => string) => (world: World) => ({ body: { email: of(world) } });
const newcomer = ({ fresh }: World): string => `${fresh().toLowerCase()}@example.org`;
const eves = ({ eve }: World): string => eve.email;
const adas = ({ ada }: World): string => ada.email;
const invited = async (world: World): Promise<string> => {
  const workspaceId = await made(world);
  const body = { email: "grace@example.org" };
  await world.server.client(world.ada.key).workspaces.inviteMember({ workspaceId, body });
  return workspaceId;
};
const roleOf = (of: (world: World) => string, role: unknown) => (world: World) => ({
  body: { userId: of(world), role },
});

export const memberScenarios: readonly Scenario[] = [
  {
    name: "shows who is in it, and who is invited",
    operation: "workspaces.listMembers",
    input: within(invited),
    expect: 200,
    check: ({ body }, { ada }) =>
      expect(body).toEqual([
        {
          userId: ada.id,
          email: ada.email,
          nickname: ada.username,
          role: "OWNER",
          signupAt: expect.stringMatching(/^\d{4}-.+Z$/),
        },
        {
          userId: expect.any(String),
          email: "grace@example.org",
          nickname: "",
          role: "EDITOR",
          signupAt: null,
        },
      ]),
  },
  {
    name: "shows it to every member",
    operation: "workspaces.listMembers",
    as: "eve",
    input: withEve("EDITOR"),
    expect: 200,
  },
  {
    name: "shows who is in one that is closed",
    operation: "workspaces.listMembers",
    input: within(quarantined),
    expect: 200,
  },
  { name: "is for members", operation: "workspaces.listMembers", as: "eve", expect: "forbidden" },
  {
    name: "does not know a workspace that was deleted",
    operation: "workspaces.listMembers",
    input: within(deleted),
    expect: "workspaceNotFound",
  },
  {
    name: "makes who has an account an editor at once, whatever the letter case",
    operation: "workspaces.inviteMember",
    input: within(
      made,
      email((world) => eves(world).toUpperCase()),
    ),
    expect: 200,
    check: async ({ body }, { server, ada, eve }, { workspaceId }) => {
      expect(emails(body)).toEqual([
        [ada.email, "OWNER"],
        [eve.email, "EDITOR"],
      ]);
      const found = await server.request("GET", `/v1/w/${workspaceId}/change-sets`, { as: eve.key });
      expect(found.status).toBe(200);
    },
  },
  {
    name: "is for an approver too, and keeps who has no account for later",
    operation: "workspaces.inviteMember",
    as: "eve",
    input: withEve("APPROVER", email(newcomer)),
    expect: 200,
    check: ({ body }) =>
      expect(body).toContainEqual(expect.objectContaining({ role: "EDITOR", nickname: "", signupAt: null })),
  },
  {
    name: "is not for an editor",
    operation: "workspaces.inviteMember",
    as: "eve",
    input: withEve("EDITOR", email(newcomer)),
    expect: "forbidden",
  },
  {
    name: "refuses who is a member",
    operation: "workspaces.inviteMember",
    input: withEve("EDITOR", email(eves)),
    expect: "memberConflict",
  },
  {
    name: "refuses who is invited already",
    operation: "workspaces.inviteMember",
    input: within(
      invited,
      email(() => "Grace@example.org"),
    ),
    expect: "memberConflict",
  },
  {
    name: "refuses a suspended account",
    operation: "workspaces.inviteMember",
    input: async (world) => {
      const { server, fresh } = world;
      const gone = await server.person(`gone${fresh().toLowerCase().slice(-8)}`);
      await server.store.write(({ db, now }) =>
        db.updateTable("user").set({ suspended_at: now }).where("id", "=", gone.id).execute(),
      );
      return { workspaceId: await made(world), body: { email: gone.email } };
    },
    expect: "memberConflict",
  },
  ...["grace", "grace@", "a b@example.org", ""].map(
    (address): Scenario => ({
      name: `refuses the address ${JSON.stringify(address)}`,
      operation: "workspaces.inviteMember",
      input: within(
        made,
        email(() => address),
      ),
      expect: "invalidEmail",
    }),
  ),
  {
    name: "refuses a number for an address",
    operation: "workspaces.inviteMember",
    input: () => ({ body: { email: 7 } }),
    expect: "badRequest",
  },
  {
    name: "is refused while it is closed",
    operation: "workspaces.inviteMember",
    input: within(quarantined, email(eves)),
    expect: "workspaceQuarantined",
  },
  {
    name: "does not know a workspace that was deleted",
    operation: "workspaces.inviteMember",
    input: within(deleted, email(eves)),
    expect: "workspaceNotFound",
  },
  {
    name: "takes a member out, who is refused at once",
    operation: "workspaces.removeMember",
    input: withEve("APPROVER", email(eves)),
    expect: 200,
    check: async ({ body }, { server, ada, eve }, { workspaceId }) => {
      expect(emails(body)).toEqual([[ada.email, "OWNER"]]);
      const found = await server.request("GET", `/v1/w/${workspaceId}/change-sets`, { as: eve.key });
      expect(found.status).toBe(403);
    },
  },
  {
    name: "takes an invitation back",
    operation: "workspaces.removeMember",
    input: within(
      invited,
      email(() => "GRACE@example.org"),
    ),
    expect: 200,
    check: ({ body }, { ada }) => expect(emails(body)).toEqual([[ada.email, "OWNER"]]),
  },
  {
    name: "takes one of two owners out",
    operation: "workspaces.removeMember",
    as: "eve",
    input: withEve("OWNER", email(adas)),
    expect: 200,
    check: ({ body }, { eve }) => expect(emails(body)).toEqual([[eve.email, "OWNER"]]),
  },
  {
    name: "spares the last owner",
    operation: "workspaces.removeMember",
    input: withEve("APPROVER", email(adas)),
    expect: "lastOwner",
  },
  {
    name: "spares an owner from an approver",
    operation: "workspaces.removeMember",
    as: "eve",
    input: withEve("APPROVER", email(adas)),
    expect: "forbidden",
  },
  {
    name: "is not for an editor, not even for themselves",
    operation: "workspaces.removeMember",
    as: "eve",
    input: withEve("EDITOR", email(eves)),
    expect: "forbidden",
  },
  {
    name: "does not know who is not there",
    operation: "workspaces.removeMember",
    input: within(made, email(eves)),
    expect: "memberNotFound",
  },
  {
    name: "refuses what is no address",
    operation: "workspaces.removeMember",
    input: within(
      made,
      email(() => "eve"),
    ),
    expect: "invalidEmail",
  },
  {
    name: "refuses a body without an address",
    operation: "workspaces.removeMember",
    input: () => ({ body: {} }),
    expect: "badRequest",
  },
  {
    name: "is refused while it is closed",
    operation: "workspaces.removeMember",
    input: within(quarantined, email(eves)),
    expect: "workspaceQuarantined",
  },
  {
    name: "does not know a workspace that was deleted",
    operation: "workspaces.removeMember",
    input: within(deleted, email(eves)),
    expect: "workspaceNotFound",
  },
  ...[
    ["approver", "APPROVER"],
    ["Owner", "OWNER"],
    ["COLLABORATOR", "EDITOR"],
    ["editor", "EDITOR"],
  ].map(
    ([given, role]): Scenario => ({
      name: `reads ${given} as ${role}`,
      operation: "workspaces.updateMemberAccess",
      input: withEve(
        "APPROVER",
        roleOf(({ eve }) => eve.id.toLowerCase(), given),
      ),
      expect: 200,
      check: ({ body }, { ada, eve }) =>
        expect(emails(body)).toEqual([
          [ada.email, "OWNER"],
          [eve.email, role],
        ]),
    }),
  ),
  {
    name: "gives an invitation a role by its id",
    operation: "workspaces.updateMemberAccess",
    input: async (world) => {
      const workspaceId = await invited(world);
      const listed = await world.server.client(world.ada.key).workspaces.listMembers({ workspaceId });
      return { workspaceId, body: { userId: listed[1]?.userId, role: "APPROVER" } };
    },
    expect: 200,
    check: ({ body }, { ada }) =>
      expect(emails(body)).toEqual([
        [ada.email, "OWNER"],
        ["grace@example.org", "APPROVER"],
      ]),
  },
  {
    name: "lets one of two owners step back",
    operation: "workspaces.updateMemberAccess",
    as: "eve",
    input: withEve(
      "OWNER",
      roleOf(({ eve }) => eve.id, "EDITOR"),
    ),
    expect: 200,
  },
  {
    name: "keeps the last owner one",
    operation: "workspaces.updateMemberAccess",
    input: withEve(
      "APPROVER",
      roleOf(({ ada }) => ada.id, "APPROVER"),
    ),
    expect: "lastOwner",
  },
  {
    name: "does not count an invitation as an owner",
    operation: "workspaces.updateMemberAccess",
    input: async (world) => {
      const workspaceId = await invited(world);
      const { workspaces } = world.server.client(world.ada.key);
      const listed = await workspaces.listMembers({ workspaceId });
      await workspaces.updateMemberAccess({
        workspaceId,
        body: { userId: listed[1]?.userId ?? "", role: "OWNER" },
      });
      return { workspaceId, body: { userId: world.ada.id, role: "EDITOR" } };
    },
    expect: "lastOwner",
  },
  ...[
    ["another word for a role", "ADMIN"],
    ["an empty role", ""],
    ["a name that every object has", "constructor"],
    ["null", null],
  ].map(
    ([what, role]): Scenario => ({
      name: `refuses ${what}`,
      operation: "workspaces.updateMemberAccess",
      input: withEve(
        "EDITOR",
        roleOf(({ eve }) => eve.id, role),
      ),
      expect: "badRequest",
    }),
  ),
  {
    name: "refuses an id that is none",
    operation: "workspaces.updateMemberAccess",
    input: within(
      made,
      roleOf(() => "eve", "EDITOR"),
    ),
    expect: "badRequest",
  },
  {
    name: "does not know who is not a member",
    operation: "workspaces.updateMemberAccess",
    input: within(
      made,
      roleOf(({ eve }) => eve.id, "EDITOR"),
    ),
    expect: "memberNotFound",
  },
  {
    name: "is for owners",
    operation: "workspaces.updateMemberAccess",
    as: "eve",
    input: withEve(
      "APPROVER",
      roleOf(({ eve }) => eve.id, "OWNER"),
    ),
    expect: "forbidden",
  },
  {
    name: "is refused while it is closed",
    operation: "workspaces.updateMemberAccess",
    input: within(
      quarantined,
      roleOf(({ ada }) => ada.id, "OWNER"),
    ),
    expect: "workspaceQuarantined",
  },
  {
    name: "does not know a workspace that was deleted",
    operation: "workspaces.updateMemberAccess",
    input: within(
      deleted,
      roleOf(({ ada }) => ada.id, "OWNER"),
    ),
    expect: "workspaceNotFound",
  },
];
