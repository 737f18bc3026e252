import { expect } from "vitest";
import { releaseVariant, type SchemaPackage } from "../../../server/routes/install-schema.ts";
import type { Scenario, World } from "../../support/scenarios.ts";
import { testSchemas } from "../../support/schemas.ts";
import { componentsOf, places, read, withComponent, writeIn } from "./component-inputs.ts";
import {
  type At,
  eraseIn,
  nameInHead,
  overHead,
  overtaken,
  reader,
  reviewed,
  update,
} from "./review-inputs.ts";

const machine = testSchemas.find(({ name }) => name === "Machine") as SchemaPackage;
const operation = "review.discard";

/** The change set shows what the head shows of the component, and there is nothing left to review. */
async function likeHead(world: World, { changeSetId, componentId }: At): Promise<void> {
  const review = await reviewed(world, changeSetId);
  expect(review.components).toEqual([]);
  expect(await read(world, changeSetId, componentId)).toEqual(await read(world, "HEAD", componentId));
}

const atOf = (input: Readonly<Record<string, unknown>>): At => ({
  changeSetId: String(input["changeSetId"]),
  componentId: String(input["componentId"]),
});

/** A component of the head with an edit of each kind over it. */
async function edited(world: World) {
  const at = await overHead(world, {
    "/domain/size": 1,
    "/domain/ports": [80, 81],
    "/domain/network/zone": "z",
  });
  const source = await world.component(at.changeSetId, "source");
  await update(world, at, {
    "/si/name": `renamed ${world.fresh()}`,
    "/domain/size": 2,
    "/domain/ports/0": { $source: null },
    "/domain/network": { $source: { component: source, path: "/domain/network" } },
    "/domain/labels/a": "b",
    "/domain/tags": [{ Key: "k", Value: "v" }],
  });
  return at;
}

const wholes: readonly Scenario[] = [
  {
    name: "makes an edited component the head's again: name, attributes, views, managers, variant",
    operation,
    input: async (world) => {
      const at = await overHead(world, { "/domain/size": 1, "/domain/ratio": 2 });
      const { components, place } = componentsOf(world, at.changeSetId);
      const { workspaceId } = place;
      await writeIn(world, at.changeSetId, (change) =>
        releaseVariant(change, { ...machine, domain: machine.domain.filter(({ name }) => name !== "ratio") }),
      );
      await components.upgrade({ ...place, componentId: at.componentId });
      await update(world, at, { "/si/name": `renamed ${world.fresh()}`, "/domain/size": 2 });
      await components.addToView({ ...place, body: { componentIds: [at.componentId], viewName: "Racks" } });
      const boss = await world.component(at.changeSetId, "boss");
      await components.manage({ ...place, componentId: boss, body: { componentId: at.componentId } });
      await world.server.propagate(at.changeSetId);
      const head = await components.get({ workspaceId, changeSetId: "HEAD", componentId: at.componentId });
      return { ...at, head: head.component };
    },
    expect: 200,
    check: async ({ body }, world, input) => {
      // A newer variant is there in the change set, and not in the head.
      const head = { ...Object(input["head"]), canBeUpgraded: true };
      expect(body).toEqual({ component: head });
      const { components } = await reviewed(world, atOf(input).changeSetId);
      expect(components.map(({ componentName }) => componentName)).toEqual(["boss"]);
    },
  },
  {
    name: "takes a new component away, and with it what others read of it",
    operation,
    input: async (world) => {
      const { changeSetId, componentId } = await withComponent(world);
      const source = { $source: { component: componentId, path: "/domain/region" } };
      const other = await world.component(changeSetId, "reader", { "/domain/region": source });
      await world.server.propagate(changeSetId);
      return { changeSetId, componentId, other };
    },
    expect: 200,
    check: async ({ body }, world, { changeSetId, componentId, other }) => {
      expect(body).toEqual({ component: null });
      expect(await read(world, changeSetId, componentId)).toMatchObject({ statusCode: 404 });
      const { components } = await reviewed(world, String(changeSetId));
      expect(components).toMatchObject([{ componentId: other, diffStatus: "Added" }]);
      expect(components[0]?.attributeDiffs["/domain/region"]).toBeUndefined();
    },
  },
  {
    name: "brings an erased component back, and what others read of it",
    operation,
    input: async (world) => {
      const source = await overHead(world, { "/domain/region": "a" });
      const { changeSetId, componentId: other } = await reader(world, source.componentId);
      const { components, place } = componentsOf(world, changeSetId);
      await components.erase({ ...place, componentId: source.componentId });
      await world.server.propagate(changeSetId);
      return { changeSetId, componentId: source.componentId, other };
    },
    expect: 200,
    check: async (_answer, world, input) => {
      await likeHead(world, atOf(input));
      await likeHead(world, { ...atOf(input), componentId: String(input["other"]) });
    },
  },
  {
    name: "takes a deletion mark away",
    operation,
    input: async (world) => {
      const at = await overHead(world);
      const { components, place } = componentsOf(world, at.changeSetId);
      await components.delete({ ...place, componentId: at.componentId });
      return at;
    },
    expect: 200,
    body: () => ({ component: { toDelete: false } }),
    check: (_answer, world, input) => likeHead(world, atOf(input)),
  },
  {
    name: "keeps the values that a component reads from what is still changed",
    operation,
    input: async (world) => {
      const source = await overHead(world, { "/domain/region": "a" });
      const at = await reader(world, source.componentId);
      await update(world, { ...source, changeSetId: at.changeSetId }, { "/domain/region": "b" });
      await update(world, at, { "/domain/size": 3 });
      await world.server.propagate(at.changeSetId);
      return at;
    },
    expect: 200,
    check: async ({ text }, world, input) => {
      // Before the propagation too: reading never goes back to what the head computed.
      expect(text).toContain('"value":"b"');
      const { components } = await reviewed(world, atOf(input).changeSetId);
      const { componentId } = atOf(input);
      const own = components.find((one) => one.componentId === componentId);
      expect(own?.attributeDiffs).toMatchObject({ "/domain/region": { edited: false, new: { value: "b" } } });
      expect(Object.keys(own?.attributeDiffs ?? {})).toEqual(["/domain/region"]);
    },
  },
  {
    name: "takes null for no attribute",
    operation,
    input: async (world) => ({ ...(await edited(world)), body: { attribute: null } }),
    expect: 200,
    check: async (_answer, world, input) =>
      expect((await reviewed(world, atOf(input).changeSetId)).components).toMatchObject([
        { componentName: "source" },
      ]),
  },
  {
    name: "refuses a component of which the change set changes nothing",
    operation,
    input: (world) => overHead(world),
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain("changes nothing of"),
  },
  {
    name: "refuses one whose values only follow from others",
    operation,
    input: async (world) => {
      const source = await overHead(world, { "/domain/region": "a" });
      const at = await reader(world, source.componentId);
      await update(world, { ...source, changeSetId: at.changeSetId }, { "/domain/region": "b" });
      await world.server.propagate(at.changeSetId);
      return at;
    },
    expect: "invalidRequest",
  },
  ...places(operation, {}),
];

/** Names that others have taken since. */
const names: readonly Scenario[] = [
  ...(
    [
      ["a name", (world: World, at: At) => update(world, at, { "/si/name": world.fresh() }), "/si/name"],
      [
        "all of a renamed component",
        (world: World, at: At) => update(world, at, { "/si/name": world.fresh() }),
        null,
      ],
      ["an erased component", eraseIn, null],
    ] as const
  ).map(
    ([what, free, attribute]): Scenario => ({
      name: `refuses to bring back ${what} while another component has its name`,
      operation,
      input: async (world) => {
        const at = await overHead(world);
        const name = await nameInHead(world, at);
        await free(world, at);
        const taker = await world.component(at.changeSetId, "taker");
        await update(world, { ...at, componentId: taker }, { "/si/name": name });
        return { ...at, taker, body: { attribute } };
      },
      expect: "duplicateComponentName",
      check: async ({ text }, world, input) => {
        expect(text).toContain(String(input["taker"]));
        const { taker } = input;
        await update(world, { ...atOf(input), componentId: String(taker) }, { "/si/name": "elsewhere" });
        const { components, place } = componentsOf(world, atOf(input).changeSetId);
        await components.erase({ ...place, componentId: String(taker) });
        const client = world.server.client(world.ada.key);
        await client.review.discard({ ...place, componentId: atOf(input).componentId, body: {} });
        await likeHead(world, atOf(input));
      },
    }),
  ),
  {
    name: "brings back a name that two components share in the head",
    operation,
    input: async (world) => {
      const at = await overHead(world);
      const name = await nameInHead(world, at);
      const other = await world.changeSet();
      await world.component(other, name);
      await world.server.apply(world.ada, other);
      await update(world, at, { "/si/name": world.fresh() });
      return { ...at, body: { attribute: "/si/name" } };
    },
    expect: 200,
    check: (_answer, world, input) => likeHead(world, atOf(input)),
  },
];

/** What the head has removed since. */
const leftovers: readonly Scenario[] = [
  {
    name: "forgets what was edited of a component that the head has removed",
    operation,
    input: (world) =>
      overtaken(
        world,
        {},
        (at) => update(world, at, { "/domain/size": 2 }),
        (at) => eraseIn(world, at),
      ),
    expect: 200,
    check: async ({ body }, world, input) => {
      expect(body).toEqual({ component: null });
      expect(await reviewed(world, atOf(input).changeSetId)).toMatchObject({ components: [], dropped: [] });
    },
  },
  {
    name: "forgets one attribute of a component that the head has removed, as the review names it",
    operation,
    input: async (world) => {
      const at = await overtaken(
        world,
        { "/domain/ports": [80] },
        (one) => update(world, one, { "/domain/size": 2, "/domain/ports/0": 81 }),
        (one) => eraseIn(world, one),
      );
      const [one] = (await reviewed(world, at.changeSetId)).dropped;
      return { ...at, body: { attribute: one?.attributes.find((pointer) => pointer.includes("#")) } };
    },
    expect: 200,
    check: async ({ body }, world, input) => {
      expect(body).toEqual({ component: null });
      const { dropped } = await reviewed(world, atOf(input).changeSetId);
      expect(dropped).toMatchObject([{ attributes: ["/domain/size"] }]);
    },
  },
  {
    name: "refuses another attribute of a component that the head has removed",
    operation,
    input: async (world) => {
      const at = await overtaken(
        world,
        {},
        (one) => update(world, one, { "/domain/size": 2 }),
        (one) => eraseIn(world, one),
      );
      return { ...at, body: { attribute: "/domain/region" } };
    },
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain("lists as dropped"),
  },
  {
    name: "knows nothing of a component that both have removed",
    operation,
    input: (world) =>
      overtaken(
        world,
        {},
        (at) => eraseIn(world, at),
        (at) => eraseIn(world, at),
      ),
    expect: "componentNotFound",
  },
  {
    name: "forgets what was edited in an element that the head has removed, and nothing else",
    operation,
    input: async (world) => {
      const at = await overtaken(
        world,
        { "/domain/tags": [{ Key: "a" }, { Key: "b" }] },
        (one) => update(world, one, { "/domain/tags/0/Key": "A", "/domain/tags/1/Key": "B" }),
        (one) => update(world, one, { "/domain/tags/0": { $source: null } }),
      );
      const [one] = (await reviewed(world, at.changeSetId)).dropped;
      return { ...at, body: { attribute: one?.attributes[0] } };
    },
    expect: 200,
    check: async (_answer, world, input) => {
      const review = await reviewed(world, atOf(input).changeSetId);
      expect(review).toMatchObject({
        components: [{ headMoved: false, attributeDiffs: { "/domain/tags/0/Key": { edited: true } } }],
        dropped: [],
        summary: { headMoved: 0, attributes: 1 },
      });
    },
  },
];

const partOf = (attribute: string) => async (world: World) => ({
  ...(await edited(world)),
  body: { attribute },
});

const parts: readonly Scenario[] = [
  ...[
    ["a literal", "/domain/size"],
    ["the name", "/si/name"],
    ["a removed element", "/domain/ports/0"],
    ["a subscription with all that it replaced", "/domain/network"],
    ["an entry that was added, and the map that was made for it", "/domain/labels/a"],
    ["everything below an object", "/domain/tags/0"],
    ["everything below a list", "/domain/tags"],
  ].map(
    ([what, attribute = ""]): Scenario => ({
      name: `takes back ${what}, and nothing else`,
      operation,
      input: async (world) => {
        const input = await partOf(attribute)(world);
        return { ...input, before: (await reviewed(world, input.changeSetId)).components };
      },
      expect: 200,
      check: async (_answer, world, input) => {
        const before = input["before"] as Awaited<ReturnType<typeof reviewed>>["components"];
        const after = (await reviewed(world, atOf(input).changeSetId)).components;
        const diffs = (all: typeof before) =>
          all.find(({ componentId }) => componentId === input["componentId"])?.attributeDiffs ?? {};
        const kept = Object.entries(diffs(before)).filter(
          ([pointer]) => pointer !== attribute && !pointer.startsWith(`${attribute}/`),
        );
        expect(kept.length).toBeLessThan(Object.keys(diffs(before)).length);
        const left = Object.entries(diffs(after)).filter(([pointer]) => pointer !== "/domain/tags");
        expect(Object.fromEntries(left)).toEqual(Object.fromEntries(kept));
      },
    }),
  ),
  {
    name: "takes a list in place of a subscription back as a whole",
    operation,
    input: async (world) => {
      const source = await overHead(world, { "/domain/ports": [1] });
      const at = await reader(world, source.componentId, { "/domain/ports": "/domain/ports" });
      await update(world, at, { "/domain/ports": [80, 81] });
      return { ...at, body: { attribute: "/domain/ports" } };
    },
    expect: 200,
    check: (_answer, world, input) => likeHead(world, atOf(input)),
  },
  {
    name: "refuses an element of a list in place of a subscription, and names the list",
    operation,
    input: async (world) => {
      const source = await overHead(world, { "/domain/ports": [1] });
      const at = await reader(world, source.componentId, { "/domain/ports": "/domain/ports" });
      await update(world, at, { "/domain/ports": [80, 81] });
      return { ...at, body: { attribute: "/domain/ports/0" } };
    },
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain("discard /domain/ports"),
  },
  {
    name: "leaves no trace when the last edit goes",
    operation,
    input: async (world) => {
      const at = await overHead(world, { "/domain/size": 1 });
      await update(world, at, { "/domain/size": 2 });
      return { ...at, body: { attribute: "/domain/size" } };
    },
    expect: 200,
    check: (_answer, world, input) => likeHead(world, atOf(input)),
  },
  {
    name: "brings back a removed element that is named by its id",
    operation,
    input: async (world) => {
      const at = await overHead(world, { "/domain/tags": [{ Key: "a" }, { Key: "b" }] });
      await update(world, at, { "/domain/tags/0": { $source: null } });
      await update(world, at, { "/domain/tags/0/Key": "B" });
      const { components } = await reviewed(world, at.changeSetId);
      const named = Object.keys(components[0]?.attributeDiffs ?? {}).find((pointer) => pointer.includes("#"));
      return { ...at, body: { attribute: named } };
    },
    expect: 200,
    body: () => ({ component: { attributes: { "/domain/tags/0/Key": "a", "/domain/tags/1/Key": "B" } } }),
  },
  {
    name: "takes an attribute of a new component away",
    operation,
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const componentId = await world.component(changeSetId, "n", {
        "/domain/region": "x",
        "/domain/size": 1,
      });
      return { changeSetId, componentId, body: { attribute: "/domain/region" } };
    },
    expect: 200,
    check: ({ body }) =>
      expect(body).toMatchObject({
        component: {
          attributes: { "/si/name": "n", "/si/type": "component", "/domain/size": 1 },
          domainProps: expect.arrayContaining([
            expect.objectContaining({ path: "root/domain/region", value: "eu-1" }),
          ]),
        },
      }),
  },
  ...(
    [
      ["an attribute that is not edited", "/domain/ratio", "expected an attribute that the change set edits"],
      [
        "an attribute that no schema has",
        "/domain/nothing/of/it",
        "expected an attribute that the change set edits",
      ],
      ["what another edit covers", "/domain/network/zone", "discard /domain/network"],
      ["a path that is none", "domain/size", "expected a path such as /domain/size"],
      ["an empty path", "", "leave attribute out"],
      ["a position past the end", "/domain/ports/7", "expected an attribute that the change set edits"],
    ] as const
  ).map(
    ([what, attribute, message]): Scenario => ({
      name: `refuses ${what}`,
      operation,
      input: partOf(attribute),
      expect: "invalidRequest",
      check: ({ text }) => expect(text).toContain(message),
    }),
  ),
  {
    name: "refuses part of a removed element, and names the element",
    operation,
    input: async (world) => {
      const at = await overHead(world, { "/domain/tags": [{ Key: "a" }] });
      await update(world, at, { "/domain/tags/0": { $source: null } });
      return { ...at, body: { attribute: "/domain/tags/0/Key" } };
    },
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain("discard /domain/tags/0"),
  },
  {
    name: "takes an appended element away with the last that is in it",
    operation,
    input: async (world) => {
      const at = await overHead(world, { "/domain/tags": [{ Key: "a" }] });
      await update(world, at, { "/domain/tags/-": { Key: "b" } });
      return { ...at, body: { attribute: "/domain/tags/1/Key" } };
    },
    expect: 200,
    check: (_answer, world, input) => likeHead(world, atOf(input)),
  },
  {
    name: "refuses what only goes with another variant",
    operation,
    input: async (world) => {
      const at = await overHead(world, { "/domain/ratio": 1.5 });
      const domain = machine.domain.filter(({ name }) => name !== "ratio");
      await writeIn(world, at.changeSetId, (change) => releaseVariant(change, { ...machine, domain }));
      const { components, place } = componentsOf(world, at.changeSetId);
      await components.upgrade({ ...place, componentId: at.componentId });
      return { ...at, body: { attribute: "/domain/ratio" } };
    },
    expect: "invalidRequest",
  },
  {
    name: "refuses the name of a new component",
    operation,
    input: async (world) => ({ ...(await withComponent(world)), body: { attribute: "/si/name" } }),
    expect: "invalidRequest",
  },
  {
    name: "refuses one attribute of an erased component",
    operation,
    input: async (world) => {
      const at = await overHead(world, { "/domain/size": 1 });
      const { components, place } = componentsOf(world, at.changeSetId);
      await components.erase({ ...place, componentId: at.componentId });
      return { ...at, body: { attribute: "/domain/size" } };
    },
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain("leave attribute out"),
  },
  {
    name: "refuses an attribute that is no text",
    operation,
    input: async (world) => ({ ...(await edited(world)), body: { attribute: 7 } }),
    expect: "invalidRequest",
  },
  {
    name: "refuses to bring back a subscription that would close a circle",
    operation,
    input: async (world) => {
      const source = await overHead(world);
      const at = await reader(world, source.componentId);
      await update(world, at, { "/domain/region": { $source: null } });
      const back = { component: at.componentId, path: "/domain/region" };
      await update(
        world,
        { ...source, changeSetId: at.changeSetId },
        { "/domain/region": { $source: back } },
      );
      return { ...at, body: { attribute: "/domain/region" } };
    },
    expect: "subscriptionCycle",
    check: ({ text }) => expect(text).toContain("→"),
  },
];

export const discardScenarios: readonly Scenario[] = [...wholes, ...names, ...leftovers, ...parts];
