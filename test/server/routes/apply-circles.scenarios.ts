import { expect } from "vitest";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";
import { componentsOf, viewOf } from "./component-inputs.ts";

/** Two components of the head, and two change sets: one makes the second depend on the first, the other the reverse. */
const halves =
  (depend: (world: World, changeSetId: string, first: string, second: string) => Promise<unknown>) =>
  async (world: World) => {
    const changeSetId = await world.changeSet();
    const one = await world.component(changeSetId, "one", { "/domain/image": "kept" });
    const two = await world.component(changeSetId, "two", { "/domain/region": "rb" });
    await world.server.apply(world.ada, changeSetId);
    const [earlier, later] = [await world.changeSet(), await world.changeSet()];
    await depend(world, earlier, two, one);
    await depend(world, later, one, two);
    await world.server.apply(world.ada, earlier);
    await world.server.propagate((await headOf(world)).id);
    await world.server.propagate(later);
    return { changeSetId: later, earlier, one, two } satisfies RowInput;
  };

const headOf = async (world: World) => {
  const { changeSets } = world.server.client(world.ada.key);
  return (await changeSets.get({ workspaceId: world.ada.workspaceId, changeSetId: "HEAD" })).changeSet;
};

const read = (world: World, changeSetId: string, source: string, componentId: string) => {
  const { components, place } = componentsOf(world, changeSetId);
  const region = { $source: { component: source, path: "/domain/region" } };
  return components.update({ ...place, componentId, body: { attributes: { "/domain/region": region } } });
};
const manage = (world: World, changeSetId: string, manager: string, managed: string) => {
  const { components, place } = componentsOf(world, changeSetId);
  return components.manage({ ...place, componentId: manager, body: { componentId: managed } });
};

/** The head keeps what it had, and the change set can be mended and applied. */
const nothingApplied: NonNullable<Scenario["check"]> = async ({ text }, world, { changeSetId, one, two }) => {
  expect(text).toContain("in a circle: two → one → two");
  expect(text).toContain(
    "nothing was applied; discard or change one of these subscriptions in this change set",
  );
  for (const id of [one, two])
    expect((await viewOf(world, "HEAD", String(id))).attributes).toMatchObject({
      "/domain/region": expect.anything(),
    });
  const { components, place } = componentsOf(world, String(changeSetId));
  const attributes = { "/domain/region": "own" };
  await components.update({ ...place, componentId: String(two), body: { attributes } });
  await world.server.propagate(String(changeSetId));
  await world.server.client(world.ada.key).changeSets.forceApply(place);
  expect((await viewOf(world, "HEAD", String(two))).attributes).toMatchObject(attributes);
};

const withinOne = async (
  world: World,
  changeSetId: string,
  to: string,
  from: string,
  componentId: string,
) => {
  const { components, place } = componentsOf(world, changeSetId);
  const attributes = { [to]: { $source: { component: componentId, path: from } } };
  await components.update({ ...place, componentId, body: { attributes } });
};

export const applyCircleScenarios: readonly Scenario[] = (
  ["changeSets.forceApply", "changeSets.requestApproval"] as const
).flatMap((operation): Scenario[] => [
  {
    name: "refuses to close a circle of subscriptions with what was applied since, and changes nothing",
    operation,
    input: halves(read),
    expect: "subscriptionCycle",
    check: nothingApplied,
  },
  {
    name: "refuses to close a circle of managers with what was applied since, and changes nothing",
    operation,
    input: halves(manage),
    expect: "managementCycle",
    check: async ({ text }, world, { one }) => {
      expect(text).toContain("in a circle: two → one → two");
      expect((await viewOf(world, "HEAD", String(one))).connections).toHaveLength(1);
    },
  },
  {
    name: "refuses to close a circle of what one component reads of itself",
    operation,
    input: halves(async (world, changeSetId, first, second) => {
      // Both change sets are about the one that the first of them names second.
      const [to, from] =
        first < second ? ["/domain/image", "/domain/region"] : ["/domain/region", "/domain/image"];
      await withinOne(world, changeSetId, to, from, first < second ? first : second);
    }),
    expect: "subscriptionCycle",
    check: ({ text }) => expect(text).toContain('of \\"one\\"'),
  },
]);
