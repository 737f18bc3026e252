import { expect } from "vitest";
import type { Scenario } from "../../support/scenarios.ts";
import { overHead, update } from "./review-inputs.ts";

const reviewing: readonly Scenario[] = [
  {
    name: "says that nothing is changed",
    operation: "review.get",
    input: async (world) => ({ changeSetId: await world.changeSet() }),
    expect: 200,
    check: ({ body }) =>
      expect(body).toEqual({
        components: [],
        entities: [],
        summary: { totalComponents: 0, added: 0, modified: 0, removed: 0, attributes: 0, headMoved: 0 },
        pending: false,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      }),
  },
  {
    name: "shows both sides of an edit with their sources",
    operation: "review.get",
    input: async (world) => {
      const at = await overHead(world, { "/domain/size": 1 });
      await update(world, at, { "/domain/size": 2, "/domain/region": "us-1", "/domain/ports/-": 80 });
      await world.server.propagate(at.changeSetId);
      return at;
    },
    expect: 200,
    check: ({ body }, _world, { componentId }) =>
      expect(body).toMatchObject({
        components: [
          {
            componentId,
            schemaName: "Machine",
            diffStatus: "Modified",
            toDelete: false,
            canBeUpgraded: false,
            headMoved: false,
            viewsAdded: [],
            attributeDiffs: {
              "/domain/region": {
                changeType: "modified",
                old: { value: "eu-1", source: "prototype" },
                new: { value: "us-1", source: "value" },
                edited: true,
                headMoved: false,
              },
              "/domain/size": { old: { value: 1, source: "value" }, new: { value: 2, source: "value" } },
              "/domain/ports/0": { changeType: "added", new: { value: 80, source: "value" } },
            },
          },
        ],
        summary: { totalComponents: 1, modified: 1, attributes: 3 },
      }),
  },
  {
    name: "has nothing to compare the head with",
    operation: "review.get",
    input: () => ({ changeSetId: "HEAD" }),
    expect: "headNotAllowed",
  },
];

export const reviewScenarios: readonly Scenario[] = [...reviewing];
