import { expect } from "vitest";
import { setSuspended } from "../../../server/store/users.ts";
import {
  adasCollective,
  joinCollective,
  makeCollective,
  ofCollective,
  strangers,
  withEveAs,
} from "../../support/collectives.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";

const eve = (world: World): RowInput => ({ userId: world.eve.id });
const ada = (world: World): RowInput => ({ userId: world.ada.id });
const eveAs =
  (role: string) =>
  (world: World): RowInput => ({ userId: world.eve.id, body: { role } });
const adaAs =
  (role: string) =>
  (world: World): RowInput => ({ userId: world.ada.id, body: { role } });
/** A collective of Ada's whose other owner is suspended. */
const withSuspendedOwner = async (world: World): Promise<string> => {
  const { server, ada: owner, fresh } = world;
  const gone = await server.person(`gone${fresh().toLowerCase().slice(-12)}`);
  const slug = await makeCollective(server, owner);
  await joinCollective(server, { slug, actor: owner.id }, gone.id, "owner");
  await server.store.write((tx) => setSuspended(tx, gone.id, true));
  return slug;
};
const personal = ({ ada: owner }: World): Promise<string> => Promise.resolve(owner.username);
const rolesOf = (body: unknown): unknown =>
  Object(body).members.map(({ userId, role }: { userId: string; role: string }) => [userId, role]);

export const collectiveMemberScenarios: readonly Scenario[] = [
  {
    name: "shows who is in it to every member, oldest membership first",
    operation: "collectiveMembers.list",
    as: "eve",
    input: ofCollective(withEveAs("member")),
    expect: 200,
    check: ({ body }, world) => {
      expect(Object(body).members[0]).toEqual({
        userId: world.ada.id,
        username: world.ada.username,
        name: world.ada.username,
        email: world.ada.email,
        role: "owner",
        joinedAt: expect.stringMatching(/^\d{4}-.+Z$/),
      });
      expect(rolesOf(body)).toContainEqual([world.eve.id, "member"]);
    },
  },
  {
    name: "gives a member another role",
    operation: "collectiveMembers.update",
    input: ofCollective(withEveAs("member"), eveAs("owner")),
    expect: 200,
    check: ({ body }, world) => expect(rolesOf(body)).toContainEqual([world.eve.id, "owner"]),
  },
  {
    name: "lets an owner step down once there is another",
    operation: "collectiveMembers.update",
    input: ofCollective(withEveAs("owner"), adaAs("member")),
    expect: 200,
  },
  {
    name: "keeps the last owner",
    operation: "collectiveMembers.update",
    input: ofCollective(withEveAs("admin"), adaAs("admin")),
    expect: "lastCollectiveOwner",
  },
  {
    name: "keeps the last owner who can sign in",
    operation: "collectiveMembers.update",
    input: ofCollective(withSuspendedOwner, adaAs("member")),
    expect: "lastCollectiveOwner",
  },
  {
    name: "lets no admin make an owner",
    operation: "collectiveMembers.update",
    as: "eve",
    input: ofCollective(withEveAs("admin"), eveAs("owner")),
    expect: "forbidden",
  },
  {
    name: "lets no admin unmake an owner",
    operation: "collectiveMembers.update",
    as: "eve",
    input: ofCollective(withEveAs("admin"), adaAs("member")),
    expect: "forbidden",
  },
  {
    name: "is not for a plain member",
    operation: "collectiveMembers.update",
    as: "eve",
    input: ofCollective(withEveAs("member"), eveAs("admin")),
    expect: "forbidden",
  },
  {
    name: "does not know who is not in it",
    operation: "collectiveMembers.update",
    input: ofCollective(adasCollective, eveAs("admin")),
    expect: "collectiveMemberNotFound",
  },
  {
    name: "refuses a role that there is not",
    operation: "collectiveMembers.update",
    input: ofCollective(withEveAs("member"), eveAs("OWNER")),
    expect: "invalidRequest",
  },
  {
    name: "takes a member out, who does not know it any more",
    operation: "collectiveMembers.remove",
    input: ofCollective(withEveAs("admin"), eve),
    expect: 200,
    check: async ({ body }, world, { slug }) => {
      expect(rolesOf(body)).toEqual([[world.ada.id, "owner"]]);
      const asked = await world.server.request("GET", `/api/v1/collectives/${slug}`, { as: world.eve.key });
      expect(asked.status).toBe(404);
    },
  },
  {
    name: "keeps the last owner",
    operation: "collectiveMembers.remove",
    input: ofCollective(adasCollective, ada),
    expect: "lastCollectiveOwner",
  },
  {
    name: "lets no admin take out an owner",
    operation: "collectiveMembers.remove",
    as: "eve",
    input: ofCollective(withEveAs("admin"), ada),
    expect: "forbidden",
  },
  {
    name: "is not for a plain member, whoever it is about",
    operation: "collectiveMembers.remove",
    as: "eve",
    input: ofCollective(withEveAs("member"), () => ({ userId: "nobody" })),
    expect: "forbidden",
  },
  {
    name: "does not know who is not in it",
    operation: "collectiveMembers.remove",
    input: ofCollective(adasCollective, eve),
    expect: "collectiveMemberNotFound",
  },
  {
    name: "lets a member go",
    operation: "collectiveMembers.leave",
    as: "eve",
    input: ofCollective(withEveAs("member")),
    expect: 200,
    body: () => ({ success: true }),
  },
  {
    name: "lets one of two owners go",
    operation: "collectiveMembers.leave",
    as: "eve",
    input: ofCollective(withEveAs("owner")),
    expect: 200,
  },
  {
    name: "keeps the last owner",
    operation: "collectiveMembers.leave",
    input: ofCollective(withEveAs("admin")),
    expect: "lastCollectiveOwner",
  },
  {
    name: "keeps a person in their personal one",
    operation: "collectiveMembers.leave",
    input: ofCollective(personal),
    expect: "personalCollective",
  },
  ...strangers.flatMap(([what, slug]) =>
    ["list", "update", "remove", "leave"].map(
      (row): Scenario => ({
        name: `does not know ${what} collective`,
        operation: `collectiveMembers.${row}`,
        input: async (world) => ({ ...eveAs("admin")(world), slug: await slug(world) }),
        expect: "collectiveNotFound",
      }),
    ),
  ),
];
