import { beforeAll, expect, it } from "vitest";
import { listEvents } from "../../../server/store/events.ts";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { type Person, suiteServer } from "../../support/server.ts";
import { shared } from "../../support/workspaces.ts";

/** What one owner may try to do about another, or about themselves. */
const moves = ["demote", "remove", "step back", "leave"] as const;
type Move = (typeof moves)[number];
/** Refusals that a move may meet when another was faster. */
const expected = ["lastOwner", "forbidden", "ownerCannotLeave", "memberNotFound"];

describeEngines("owners who all go at once", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  let people: readonly Person[];
  beforeAll(async () => {
    world = await createWorld(suite.server);
    people = [world.ada, world.eve, await suite.server.person("tom"), await suite.server.person("uma")];
  });
  const client = ({ key }: Person) => world.server.client(key).workspaces;
  const move = (kind: Move, workspaceId: string, by: Person, other: Person): Promise<unknown> => {
    switch (kind) {
      case "demote":
        return client(by).updateMemberAccess({ workspaceId, body: { userId: other.id, role: "EDITOR" } });
      case "remove":
        return client(by).removeMember({ workspaceId, body: { email: other.email } });
      case "step back":
        return client(by).updateMemberAccess({ workspaceId, body: { userId: by.id, role: "APPROVER" } });
      case "leave":
        return client(by).leave({ workspaceId });
    }
  };

  it("leave at least one, whatever they do to each other, and every change is in the history once", async () => {
    for (let round = 0; round < 8; round++) {
      const workspaceId = await shared(world, "OWNER");
      for (const person of people.slice(2)) {
        await client(world.ada).inviteMember({ workspaceId, body: { email: person.email } });
        const body = { userId: person.id, role: "OWNER" };
        await client(world.ada).updateMemberAccess({ workspaceId, body });
      }
      const before = (await listEvents(world.server.store, workspaceId)).length;
      let done = 0;
      await Promise.all(
        people.flatMap((by, index) =>
          moves.map((_, turn) => {
            const kind = moves[(index + turn + round) % moves.length] ?? "leave";
            const other = people[(index + 1 + (round % 3)) % people.length] ?? by;
            return move(kind, workspaceId, by, other).then(
              () => void done++,
              (error: Error & { error?: string }) => {
                if (!expected.includes(error.error ?? "")) throw error;
              },
            );
          }),
        ),
      );
      const left = await world.server.store.db
        .selectFrom("member")
        .select("role")
        .where("workspace_id", "=", workspaceId)
        .execute();
      expect(left.filter(({ role }) => role === "OWNER").length).toBeGreaterThanOrEqual(1);
      const events = await listEvents(world.server.store, workspaceId);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      // A demotion of somebody who is an editor already succeeds without an event.
      expect(events.length - before).toBeLessThanOrEqual(done);
      expect(events.length - before).toBeGreaterThanOrEqual(1);
    }
  });
});
