import { beforeAll, expect, it } from "vitest";
import { listKeyAudit } from "../../../server/store/keys.ts";
import { joinCollective, makeCollective, makeCollectiveToken } from "../../support/collectives.ts";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { type Person, suiteServer } from "../../support/server.ts";

/** What one owner may try to do about another, or about themselves. */
const moves = ["demote", "remove", "step back", "leave"] as const;
type Move = (typeof moves)[number];
/** Refusals that a move may meet when another was faster. */
const expected = ["lastCollectiveOwner", "forbidden", "collectiveMemberNotFound", "collectiveNotFound"];

describeEngines("a collective that many change at once", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  let people: readonly Person[];
  beforeAll(async () => {
    world = await createWorld(suite.server);
    people = [world.ada, world.eve, await suite.server.person("tom"), await suite.server.person("uma")];
  });
  const client = ({ key }: Person) => suite.server.client(key);
  const ofOwners = async (owners: readonly Person[]): Promise<string> => {
    const [founder, ...others] = owners;
    const slug = await makeCollective(suite.server, founder ?? world.ada);
    const target = { slug, actor: (founder ?? world.ada).id };
    for (const { id } of others) await joinCollective(suite.server, target, id, "owner");
    return slug;
  };
  const rolesIn = async (slug: string): Promise<string[]> => {
    const { db } = suite.server.store;
    const collective = db.selectFrom("collective").select("id").where("slug", "=", slug);
    const rows = db.selectFrom("collective_member").select("role").where("collective_id", "=", collective);
    return (await rows.execute()).map(({ role }) => role);
  };
  const move = (kind: Move, slug: string, by: Person, other: Person): Promise<unknown> => {
    const members = client(by).collectiveMembers;
    switch (kind) {
      case "demote":
        return members.update({ slug, userId: other.id, body: { role: "member" } });
      case "remove":
        return members.remove({ slug, userId: other.id });
      case "step back":
        return members.update({ slug, userId: by.id, body: { role: "admin" } });
      case "leave":
        return members.leave({ slug });
    }
  };
  /** Whether it was done; throws what is no refusal that somebody faster explains. */
  const done = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      (error: Error & { error?: string }) => {
        if (!expected.includes(error.error ?? "")) throw error;
        return false;
      },
    );

  it("keeps one of the last two owners when both leave", async () => {
    for (let round = 0; round < 10; round++) {
      const owners = [world.ada, world.eve];
      const slug = await ofOwners(owners);
      const left = await Promise.all(owners.map((by) => done(client(by).collectiveMembers.leave({ slug }))));
      expect(left.filter(Boolean)).toHaveLength(1);
      expect(await rolesIn(slug)).toEqual(["owner"]);
    }
  });
  it("keeps an owner whatever four of them do to each other", async () => {
    for (let round = 0; round < 8; round++) {
      const slug = await ofOwners(people);
      await Promise.all(
        people.flatMap((by, index) =>
          moves.map((_, turn) => {
            const kind = moves[(index + turn + round) % moves.length] ?? "leave";
            const other = people[(index + 1 + (round % 3)) % people.length] ?? by;
            return done(move(kind, slug, by, other));
          }),
        ),
      );
      expect(await rolesIn(slug)).toContain("owner");
    }
  });
  it("leaves nothing behind when it is deleted while others use it", async () => {
    const { ada, eve, server } = world;
    const tokenIds: string[] = [];
    for (let round = 0; round < 8; round++) {
      const slug = await ofOwners([ada, eve]);
      tokenIds.push((await makeCollectiveToken(server, ada, slug)).id);
      const before = { workspaceId: ada.workspaceId, body: { slug } };
      await client(ada).collectiveGrants.grant(before);
      const { id } = await client(eve).collectiveInvitations.create({
        slug,
        body: { email: people[2]?.email ?? "" },
      });
      const works: Promise<unknown>[] = [
        client(eve).collectives.delete({ slug }),
        client(eve).collectiveGrants.grant({ workspaceId: eve.workspaceId, body: { slug } }),
        client(ada).collectiveGrants.ungrant({ workspaceId: ada.workspaceId, slug }),
        client(ada).collectiveTokens.create({ slug, body: { name: "late" } }),
        client(people[2] ?? eve).collectiveInvitations.accept({ invitationId: id }),
        client(ada).collectiveInvitations.create({ slug, body: { email: "late@example.org" } }),
        client(ada).collectives.delete({ slug }),
      ];
      const late = ["collectiveInvitationNotFound"];
      const settled = await Promise.allSettled(works);
      const refusals = settled.flatMap((one) => (one.status === "rejected" ? [one.reason.error] : []));
      for (const refusal of refusals) expect([...expected, ...late]).toContain(refusal);
      expect([settled[0]?.status, settled.at(-1)?.status].sort()).toEqual(["fulfilled", "rejected"]);
      const { db } = server.store;
      const of = db.selectFrom("collective").select("id").where("slug", "=", slug);
      for (const table of [
        "collective_member",
        "collective_token",
        "collective_grant",
        "collective_invitation",
      ] as const)
        expect(
          await db.selectFrom(table).select("collective_id").where("collective_id", "=", of).execute(),
        ).toEqual([]);
    }
    for (const id of tokenIds) {
      const states = (await listKeyAudit(server.store, id)).map(({ to_state }) => to_state);
      expect(states).toEqual(["Created", "Enabled", "Deleted"]);
    }
  });
});
