import { expect } from "vitest";
import { releaseVariant, type SchemaPackage } from "../../../server/routes/install-schema.ts";
import type { Scenario } from "../../support/scenarios.ts";
import { testSchemas } from "../../support/schemas.ts";
import { componentsOf, writeIn } from "./component-inputs.ts";
import { type At, eraseIn, overHead, overtaken, reader, reviewed, update } from "./review-inputs.ts";

const value = (literal: unknown) => ({ value: literal, source: "value" });
const machine = testSchemas.find(({ name }) => name === "Machine") as SchemaPackage;

const basics: readonly Scenario[] = [
  {
    name: "says that nothing is changed",
    operation: "review.get",
    input: async (world) => ({ changeSetId: await world.changeSet() }),
    expect: 200,
    check: ({ body }) =>
      expect(body).toEqual({
        components: [],
        entities: [],
        dropped: [],
        drift: [],
        summary: { totalComponents: 0, added: 0, modified: 0, removed: 0, attributes: 0, headMoved: 0 },
        pending: false,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      }),
  },
  {
    name: "shows both sides of an edit with their sources, and says that values are still to come",
    operation: "review.get",
    input: async (world) => {
      const { componentId } = await overHead(world, { "/domain/size": 1 });
      // Whose reader is to be computed again, to the same values.
      const at = { ...(await reader(world, componentId, { "/domain/ratio": "/domain/ratio" })), componentId };
      await update(world, at, { "/domain/size": 2, "/domain/region": "us-1", "/domain/ports/-": 80 });
      return at;
    },
    expect: 200,
    check: ({ body }, _world, { componentId }) =>
      expect(body).toMatchObject({
        pending: true,
        components: [
          {
            componentId,
            schemaName: "Machine",
            diffStatus: "Modified",
            toDelete: false,
            canBeUpgraded: false,
            headMoved: false,
            viewsAdded: [],
            managersRemoved: [],
            attributeDiffs: {
              "/domain/region": {
                changeType: "modified",
                old: { value: "eu-1", source: "prototype" },
                new: value("us-1"),
                edited: true,
                headMoved: false,
              },
              "/domain/size": { changeType: "modified", old: value(1), new: value(2) },
              "/domain/ports/0": { changeType: "added", new: value(80) },
            },
          },
        ],
        summary: { totalComponents: 1, added: 0, modified: 1, removed: 0, attributes: 3, headMoved: 0 },
      }),
  },
  {
    name: "lists what is new, what is marked and what is erased, in that order",
    operation: "review.get",
    input: async (world) => {
      const first = await world.changeSet();
      const [marked, erased] = [
        await world.component(first, "to mark"),
        await world.component(first, "to go"),
      ];
      await world.server.apply(world.ada, first);
      const changeSetId = await world.changeSet();
      const { components, place } = componentsOf(world, changeSetId);
      await components.delete({ ...place, componentId: marked });
      await components.erase({ ...place, componentId: erased });
      await world.component(changeSetId, "brand new", { "/domain/size": 5 });
      return { changeSetId };
    },
    expect: 200,
    check: ({ body }) => {
      expect(body).toMatchObject({
        components: [
          {
            componentName: "brand new",
            diffStatus: "Added",
            viewsAdded: ["DEFAULT"],
            attributeDiffs: {
              "/si/name": { changeType: "added", new: value("brand new"), edited: true },
              "/domain/size": { new: value(5), edited: true },
              "/domain/region": { new: { value: "eu-1", source: "prototype" }, edited: false },
            },
          },
          { componentName: "to mark", diffStatus: "Removed", toDelete: true, attributeDiffs: {} },
          {
            componentName: "to go",
            diffStatus: "Removed",
            toDelete: false,
            viewsRemoved: ["DEFAULT"],
            attributeDiffs: { "/si/name": { changeType: "removed", old: value("to go"), edited: true } },
          },
        ],
        summary: { added: 1, modified: 0, removed: 2 },
      });
      // Neither hidden properties nor what a schema says of every component.
      expect(JSON.stringify(body)).not.toMatch(/domain\/internal|si\/color/);
    },
  },
  {
    name: "has nothing to compare the head with",
    operation: "review.get",
    input: () => ({ changeSetId: "head" }),
    expect: "headNotAllowed",
  },
];

const following: readonly Scenario[] = [
  {
    name: "shows what follows from an edit elsewhere, with whose value it is",
    operation: "review.get",
    input: async (world) => {
      const source = await overHead(world, { "/domain/region": "a" });
      const input = await reader(world, source.componentId);
      await update(
        world,
        { ...source, changeSetId: input.changeSetId },
        { "/domain/region": "b", "/si/name": "renamed" },
      );
      await world.server.propagate(input.changeSetId);
      return { ...input, source: source.componentId };
    },
    expect: 200,
    check: ({ body }, _world, { componentId, source }) => {
      const from = { source: "subscription", componentId: source, path: "/domain/region" };
      expect(body).toMatchObject({ pending: false, summary: { totalComponents: 2, attributes: 3 } });
      expect(body).toMatchObject({
        components: expect.arrayContaining([
          expect.objectContaining({
            componentId,
            attributeDiffs: {
              "/domain/region": {
                changeType: "modified",
                old: { ...from, value: "a", componentName: expect.stringMatching(/^m /) },
                new: { ...from, value: "b", componentName: "renamed" },
                edited: false,
                headMoved: false,
              },
            },
          }),
        ]),
      });
    },
  },
  {
    name: "shows the subscription that is lost with an erased source, though it gave nothing",
    operation: "review.get",
    input: async (world) => {
      const source = await overHead(world);
      const input = await reader(world, source.componentId, { "/domain/size": "/domain/size" });
      const { components, place } = componentsOf(world, input.changeSetId);
      await components.erase({ ...place, componentId: source.componentId });
      await world.server.propagate(input.changeSetId);
      return input;
    },
    expect: 200,
    check: ({ body }, _world, { componentId }) =>
      expect(body).toMatchObject({
        components: [
          {
            componentId,
            diffStatus: "Modified",
            attributeDiffs: {
              "/domain/size": { changeType: "removed", old: { source: "subscription" }, edited: false },
            },
          },
          { diffStatus: "Removed" },
        ],
      }),
  },
  {
    name: "marks exactly the attributes that the head has changed since they were edited",
    operation: "review.get",
    input: async (world) => {
      const at = await overHead(world, { "/domain/size": 1, "/domain/ratio": 0.5, "/domain/region": "a" });
      await update(world, at, { "/domain/size": 2, "/domain/ratio": 0.6 });
      const other = await world.changeSet();
      await update(world, { ...at, changeSetId: other }, { "/domain/size": 3, "/domain/region": "b" });
      await world.server.apply(world.ada, other);
      return at;
    },
    expect: 200,
    check: async ({ body }, world, { changeSetId, componentId }) => {
      expect(body).toMatchObject({
        components: [
          {
            headMoved: true,
            attributeDiffs: {
              "/domain/size": { old: value(3), new: value(2), headMoved: true },
              "/domain/ratio": { old: value(0.5), new: value(0.6), headMoved: false },
            },
          },
        ],
        summary: { attributes: 2, headMoved: 1 },
      });
      // Whoever edits it again has seen what the head says.
      const at = { changeSetId: String(changeSetId), componentId: String(componentId) };
      await update(world, at, { "/domain/size": 4 });
      const again = await reviewed(world, at.changeSetId);
      expect(again.components[0]?.attributeDiffs["/domain/size"]).toMatchObject({ headMoved: false });
      expect(again.summary.headMoved).toBe(0);
    },
  },
  {
    name: "marks what was subscribed as a whole when the head has set anything in it since",
    operation: "review.get",
    input: async (world) => {
      const source = await overHead(world, { "/domain/network": { zone: "z" } });
      const at = await overHead(world, { "/domain/size": 1 });
      const from = { component: source.componentId, path: "/domain/network" };
      await update(world, at, { "/domain/network": { $source: from } });
      const other = await world.changeSet();
      await update(world, { ...at, changeSetId: other }, { "/domain/network/zone": "head" });
      await world.server.apply(world.ada, other);
      return at;
    },
    expect: 200,
    body: () => ({
      components: [
        {
          attributeDiffs: {
            "/domain/network": {
              changeType: "modified",
              old: value({ zone: "head" }),
              new: { source: "subscription", path: "/domain/network" },
              edited: true,
              headMoved: true,
            },
          },
        },
      ],
      summary: { attributes: 1, headMoved: 1 },
    }),
  },
  {
    name: "shows a list in place of a subscription as one difference, which nobody else has touched",
    operation: "review.get",
    input: async (world) => {
      const source = await overHead(world, { "/domain/ports": [1] });
      const at = await reader(world, source.componentId, { "/domain/ports": "/domain/ports" });
      await update(world, at, { "/domain/ports": [80, 81] });
      return at;
    },
    expect: 200,
    body: () => ({
      components: [
        {
          attributeDiffs: {
            "/domain/ports": {
              changeType: "modified",
              old: { source: "subscription", value: [1] },
              new: value([80, 81]),
              edited: true,
              headMoved: false,
            },
          },
        },
      ],
      summary: { attributes: 1, headMoved: 0 },
    }),
  },
  {
    name: "marks what was erased here and changed in the head since",
    operation: "review.get",
    input: async (world) => {
      const at = await overHead(world, { "/domain/size": 1 });
      const { components, place } = componentsOf(world, at.changeSetId);
      await components.erase({ ...place, componentId: at.componentId });
      const other = await world.changeSet();
      await update(world, { ...at, changeSetId: other }, { "/domain/size": 3 });
      await world.server.apply(world.ada, other);
      return at;
    },
    expect: 200,
    body: () => ({
      components: [
        {
          diffStatus: "Removed",
          headMoved: true,
          attributeDiffs: { "/domain/size": { headMoved: true }, "/si/name": { headMoved: false } },
        },
      ],
    }),
  },
  {
    name: "marks what was marked for deletion here and changed in the head since",
    operation: "review.get",
    input: async (world) => {
      const at = await overHead(world, { "/domain/size": 1 });
      const { components, place } = componentsOf(world, at.changeSetId);
      await components.delete({ ...place, componentId: at.componentId });
      const other = await world.changeSet();
      await update(world, { ...at, changeSetId: other }, { "/domain/size": 3 });
      await world.server.apply(world.ada, other);
      return at;
    },
    expect: 200,
    body: () => ({ components: [{ diffStatus: "Removed", toDelete: true, headMoved: true }] }),
  },
];

const dropped: readonly Scenario[] = [
  {
    name: "lists what was edited of a component that the head has removed",
    operation: "review.get",
    input: (world) =>
      overtaken(
        world,
        { "/domain/size": 1, "/domain/tags": [{ Key: "a" }] },
        (at) => update(world, at, { "/domain/size": 2, "/domain/tags/0/Key": "b", "/si/name": "mine" }),
        (at) => eraseIn(world, at),
      ),
    expect: 200,
    check: ({ body }, _world, { componentId }) =>
      expect(body).toMatchObject({
        components: [],
        dropped: [
          {
            componentId,
            componentName: "mine",
            componentRemoved: true,
            attributes: expect.arrayContaining([
              "/domain/size",
              "/si/name",
              expect.stringMatching(/^\/domain\/tags\/#[0-9A-Z]{26}\/Key$/),
            ]),
          },
        ],
        summary: { totalComponents: 0, attributes: 0, headMoved: 1 },
      }),
  },
  {
    name: "has nothing to say where both remove the component",
    operation: "review.get",
    input: (world) =>
      overtaken(
        world,
        {},
        ({ changeSetId, componentId }) => {
          const { components, place } = componentsOf(world, changeSetId);
          return components.delete({ ...place, componentId });
        },
        (at) => eraseIn(world, at),
      ),
    expect: 200,
    body: () => ({ components: [], dropped: [], summary: { headMoved: 0 } }),
  },
  {
    name: "lists what was edited in an element that the head has removed, and counts its component once",
    operation: "review.get",
    input: (world) =>
      overtaken(
        world,
        { "/domain/tags": [{ Key: "a" }, { Key: "b" }], "/domain/size": 1 },
        (at) =>
          update(world, at, { "/domain/tags/0/Key": "A", "/domain/tags/1/Key": "B", "/domain/size": 2 }),
        (at) => update(world, at, { "/domain/tags/0": { $source: null }, "/domain/size": 3 }),
      ),
    expect: 200,
    check: ({ body }, _world, { componentId }) => {
      expect(body).toMatchObject({
        components: [
          {
            componentId,
            headMoved: true,
            attributeDiffs: {
              "/domain/tags/0/Key": { old: value("b"), new: value("B"), headMoved: false },
              "/domain/size": { headMoved: true },
            },
          },
        ],
        dropped: [
          {
            componentId,
            componentRemoved: false,
            attributes: [expect.stringMatching(/^\/domain\/tags\/#[0-9A-Z]{26}\/Key$/)],
          },
        ],
        summary: { headMoved: 1 },
      });
    },
  },
  {
    name: "says that the head has chosen another variant since one was chosen here",
    operation: "review.get",
    input: async (world) => {
      const at = await overHead(world);
      const release = (changeSetId: string) =>
        writeIn(world, changeSetId, (change) =>
          releaseVariant(change, { ...machine, description: world.fresh() }),
        );
      const upgrade = ({ changeSetId, componentId }: At) => {
        const { components, place } = componentsOf(world, changeSetId);
        return components.upgrade({ ...place, componentId });
      };
      await release(at.changeSetId);
      await upgrade(at);
      const before = await reviewed(world, at.changeSetId);
      expect(before.components).toMatchObject([{ variant: {}, headMoved: false }]);
      const changeSetId = await world.changeSet();
      await release(changeSetId);
      await upgrade({ ...at, changeSetId });
      await world.server.apply(world.ada, changeSetId);
      return at;
    },
    expect: 200,
    body: () => ({ components: [{ variant: {}, headMoved: true }], summary: { headMoved: 1 } }),
  },
];

const shapes: readonly Scenario[] = [
  {
    name: "names elements by their place, and one that is gone by its id where its place is taken",
    operation: "review.get",
    input: async (world) => {
      const at = await overHead(world, {
        "/domain/tags": [{ Key: "a" }, { Key: "b" }, { Key: "c" }],
        "/domain/ports": [80, 81, 82],
      });
      await update(world, at, { "/domain/tags/0": { $source: null } });
      await update(world, at, { "/domain/tags/0/Key": "B", "/domain/ports/1": { $source: null } });
      return at;
    },
    expect: 200,
    check: ({ body }) => {
      const { components } = body as { components: { attributeDiffs: Record<string, unknown> }[] };
      const diffs = components[0]?.attributeDiffs ?? {};
      expect(diffs["/domain/ports/1"]).toMatchObject({ changeType: "removed", old: value(81) });
      expect(diffs["/domain/tags/0/Key"]).toMatchObject({ old: value("b"), new: value("B") });
      const gone = Object.keys(diffs).filter((pointer) => /^\/domain\/tags\/#[0-9A-Z]{26}$/.test(pointer));
      expect(gone.map((pointer) => diffs[pointer])).toMatchObject([
        { changeType: "removed", old: value({ Key: "a", Value: "none" }), edited: true },
      ]);
      expect(Object.keys(diffs)).toHaveLength(3);
    },
  },
  {
    name: "shows a subscription in place of literals, and a default in place of a value",
    operation: "review.get",
    input: async (world) => {
      const source = await overHead(world, { "/domain/network": { zone: "z" } });
      const at = await overHead(world, { "/domain/network/zone": "own", "/domain/region": "us-1" });
      const from = { component: source.componentId, path: "/domain/network" };
      await update(world, at, { "/domain/network": { $source: from }, "/domain/region": { $source: null } });
      await world.server.propagate(at.changeSetId);
      return at;
    },
    expect: 200,
    body: () => ({
      components: [
        {
          attributeDiffs: {
            "/domain/network": {
              changeType: "modified",
              old: value({ zone: "own" }),
              new: { source: "subscription", value: { zone: "z" }, path: "/domain/network" },
              edited: true,
            },
            "/domain/region": {
              old: value("us-1"),
              new: { value: "eu-1", source: "prototype" },
              edited: true,
            },
          },
        },
      ],
    }),
  },
  {
    name: "shows views and managers by name, and the view that was made",
    operation: "review.get",
    input: async (world) => {
      const at = await overHead(world);
      const { components, place } = componentsOf(world, at.changeSetId);
      await components.addToView({ ...place, body: { componentIds: [at.componentId], viewName: "Racks" } });
      const boss = await world.component(at.changeSetId, "boss");
      await components.manage({ ...place, componentId: boss, body: { componentId: at.componentId } });
      return at;
    },
    expect: 200,
    check: ({ body }, _world, { componentId }) =>
      expect(body).toMatchObject({
        components: [
          { componentName: "boss", diffStatus: "Added" },
          { componentId, viewsAdded: ["Racks"], managersAdded: ["boss"], attributeDiffs: {} },
        ],
        entities: [{ kind: "view", name: "Racks", diffStatus: "Added" }],
      }),
  },
  {
    name: "says that a component was moved to another variant, and what of it that took away",
    operation: "review.get",
    input: async (world) => {
      const at = await overHead(world, { "/domain/ratio": 1.5 });
      const domain = machine.domain.filter(({ name }) => name !== "ratio");
      await writeIn(world, at.changeSetId, (change) => releaseVariant(change, { ...machine, domain }));
      const { components, place } = componentsOf(world, at.changeSetId);
      const before = await components.get({
        workspaceId: place.workspaceId,
        changeSetId: "HEAD",
        componentId: at.componentId,
      });
      const { component } = await components.upgrade({ ...place, componentId: at.componentId });
      return { ...at, old: before.component.schemaVariantId, new: component.schemaVariantId };
    },
    expect: 200,
    check: ({ body }, _world, input) =>
      expect(body).toMatchObject({
        components: [
          {
            diffStatus: "Modified",
            canBeUpgraded: false,
            variant: { old: input["old"], new: input["new"] },
            headMoved: false,
            // It goes with the variant, and could not be taken back without it.
            attributeDiffs: { "/domain/ratio": { changeType: "removed", old: value(1.5), edited: false } },
          },
        ],
        entities: [
          { kind: "func", diffStatus: "Added", differences: { code: { new: expect.any(String) } } },
          {
            kind: "schema",
            name: "Machine",
            diffStatus: "Modified",
            differences: { defaultVariantId: { new: input["new"] } },
          },
          { kind: "variant", name: "Machine", diffStatus: "Added" },
        ],
      }),
  },
  {
    name: "shows a hidden property only where somebody sets it",
    operation: "review.get",
    input: async (world) => {
      const at = await overHead(world);
      await update(world, at, { "/domain/internal": "y" });
      return at;
    },
    expect: 200,
    body: () => ({
      components: [{ attributeDiffs: { "/domain/internal": { new: value("y"), edited: true } } }],
    }),
  },
  {
    name: "has nothing left to show of an applied change set",
    operation: "review.get",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      await world.component(changeSetId);
      await world.server.apply(world.ada, changeSetId);
      return { changeSetId };
    },
    expect: 200,
    body: () => ({ components: [], entities: [], summary: { totalComponents: 0 } }),
  },
  {
    name: "still shows what a purged change set would have changed",
    operation: "review.get",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      await world.component(changeSetId, "never applied");
      const { workspaceId, key } = world.ada;
      await world.server.client(key).changeSets.purgeOpen({ workspaceId });
      return { changeSetId };
    },
    expect: 200,
    body: () => ({ components: [{ componentName: "never applied", diffStatus: "Added" }] }),
  },
];

export const reviewScenarios: readonly Scenario[] = [...basics, ...following, ...dropped, ...shapes];
