import { expect } from "vitest";
import type { EventView } from "../../../src/contract/events.ts";
import type { Scenario, World } from "../../support/scenarios.ts";

const read = (world: World, query: { since?: number; limit?: number } = {}) =>
  world.server.client(world.ada.key).events.list({ workspaceId: world.ada.workspaceId, query });

export const eventScenarios: readonly Scenario[] = [
  {
    name: "tells who did what, where and when, numbered without gaps",
    operation: "events.list",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const { newest } = await read(world, { limit: 1 });
      return { changeSetId, query: { since: newest - 1 } };
    },
    expect: 200,
    check: ({ body }, { ada }, { changeSetId, query }) => {
      const { since } = query as { since: number };
      expect(body).toEqual({
        events: [
          {
            seq: since + 1,
            at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
            actor: { id: ada.id, name: ada.username, email: ada.email },
            kind: "change_set.created",
            changeSetId,
            subject: changeSetId,
            data: { name: expect.any(String) },
          },
        ],
        oldest: 1,
        newest: since + 1,
        missed: false,
      });
    },
  },
  {
    name: "begins at the beginning, and with the workspace",
    operation: "events.list",
    input: () => ({ query: { limit: 1 } }),
    expect: 200,
    body: () => ({ events: [{ seq: 1, kind: "workspace.created", changeSetId: null }] }),
  },
  {
    name: "gives everything once, piece by piece",
    operation: "events.list",
    input: () => ({ query: { limit: 3 } }),
    expect: 200,
    check: async (_answer, world) => {
      for (let n = 0; n < 4; n++) await world.changeSet();
      const { newest } = await read(world, { limit: 1 });
      const seen: EventView[] = [];
      for (let since = 0; since < newest; since = seen.at(-1)?.seq ?? newest) {
        seen.push(...(await read(world, { since, limit: 3 })).events);
      }
      expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: newest }, (_, n) => n + 1));
    },
  },
  {
    name: "has nothing after the newest, and after numbers that are not there yet",
    operation: "events.list",
    input: () => ({ query: { since: 9_007_199_254_740_991 } }),
    expect: 200,
    body: () => ({ events: [], missed: true }),
  },
  ...[{ since: -1 }, { since: "x" }, { limit: 0 }, { limit: 1.5 }].map(
    (query): Scenario => ({
      name: `refuses ${JSON.stringify(query)}`,
      operation: "events.list",
      input: () => ({ query }),
      expect: "invalidRequest",
    }),
  ),
];
