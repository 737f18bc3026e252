import { expect } from "vitest";
import type { Scenario, World } from "../../support/scenarios.ts";
import { appliedSet, componentsOf, viewOf, withComponent } from "./component-inputs.ts";

/** A component of the head, in a new change set. */
const ofHead = async (world: World, attributes: object = {}) => {
  const made = await world.changeSet();
  const componentId = await world.component(made, `old ${world.fresh()}`, attributes);
  await world.server.apply(world.ada, made);
  return { changeSetId: await world.changeSet(), componentId };
};
/** The same, marked for deletion in its change set. */
const marked = async (world: World, attributes: object = {}) => {
  const input = await ofHead(world, attributes);
  const { components, place } = componentsOf(world, input.changeSetId);
  await components.delete({ ...place, componentId: input.componentId });
  return input;
};
const eventsIn = async (world: World, changeSetId: unknown): Promise<string[]> => {
  const rows = await world.server.store.db
    .selectFrom("event")
    .select("kind")
    .where("layer", "=", String(changeSetId))
    .orderBy("seq")
    .execute();
  return rows.map(({ kind }) => kind);
};
/** What the list says of one component; undefined when it is not in it. */
const listed = async (world: World, changeSetId: unknown, componentId: unknown) => {
  const { components, place } = componentsOf(world, String(changeSetId));
  const cursor = String(componentId).slice(0, -1);
  const { componentDetails } = await components.list({ ...place, query: { includeAll: true, cursor } });
  return componentDetails.find((one) => one.componentId === componentId);
};
const isGone = async (world: World, changeSetId: unknown, componentId: unknown) => {
  const viewing = viewOf(world, String(changeSetId), String(componentId));
  await expect(viewing).rejects.toMatchObject({ error: "componentNotFound" });
};
const apply = (world: World, changeSetId: unknown) => world.server.apply(world.ada, String(changeSetId));

const deletion: readonly Scenario[] = [
  {
    name: "changes nothing the second time: no event, no new tag",
    operation: "components.delete",
    input: async (world) => {
      const input = await marked(world);
      const path = `/v1/w/${world.ada.workspaceId}/change-sets/${input.changeSetId}/components`;
      const { headers } = await world.server.request("GET", path, { as: world.ada.key });
      return { ...input, path, tag: headers.get("etag") };
    },
    expect: 200,
    body: () => ({ status: "MarkedForDeletion" }),
    check: async (_answer, world, { changeSetId, path, tag }) => {
      expect(await eventsIn(world, changeSetId)).toEqual([
        "change_set.created",
        "component.marked_for_deletion",
      ]);
      const headers = { "if-none-match": String(tag) };
      expect((await world.server.request("GET", String(path), { as: world.ada.key, headers })).status).toBe(
        304,
      );
    },
  },
  {
    name: "keeps what is marked in the list, as modified, until it goes with the apply",
    operation: "components.delete",
    input: ofHead,
    expect: 200,
    check: async (_answer, world, { changeSetId, componentId }) => {
      expect(await listed(world, changeSetId, componentId)).toMatchObject({
        hasDiff: true,
        diffStatus: "Modified",
      });
      expect((await viewOf(world, "HEAD", String(componentId))).toDelete).toBe(false);
      await apply(world, changeSetId);
      await isGone(world, "HEAD", componentId);
      expect(await listed(world, "HEAD", componentId)).toBeUndefined();
    },
  },
  {
    name: "wins over what another change set edits meanwhile",
    operation: "components.delete",
    input: ofHead,
    expect: 200,
    check: async (_answer, world, { changeSetId, componentId }) => {
      const other = await world.changeSet();
      const { components, place } = componentsOf(world, other);
      const body = { attributes: { "/domain/size": 9 } };
      await components.update({ ...place, componentId: String(componentId), body });
      await apply(world, changeSetId);
      await isGone(world, other, componentId);
      await apply(world, other);
      await isGone(world, "HEAD", componentId);
    },
  },
  {
    name: "keeps what still has a resource, marked, and it can be restored",
    operation: "components.delete",
    input: (world) => ofHead(world, { "/resource/payload": { id: 1 } }),
    expect: 200,
    check: async (_answer, world, { changeSetId, componentId }) => {
      await apply(world, changeSetId);
      expect((await viewOf(world, "HEAD", String(componentId))).toDelete).toBe(true);
      const next = await world.changeSet();
      const { components, place } = componentsOf(world, next);
      expect(await components.restore({ ...place, componentId: String(componentId) })).toEqual({
        status: true,
      });
      await apply(world, next);
      expect((await viewOf(world, "HEAD", String(componentId))).toDelete).toBe(false);
    },
  },
  {
    name: "keeps what a component with a resource reads from",
    operation: "components.delete",
    input: async (world) => {
      const made = await world.changeSet();
      const sourceName = `source ${world.fresh()}`;
      const componentId = await world.component(made, sourceName, { "/domain/region": "x" });
      const reads = { $source: { component: sourceName, path: "/domain/region" } };
      const resource = { "/resource/payload": { id: 1 } };
      await world.component(made, "bare reader", { "/domain/region": reads });
      const reader = await world.component(made, "reader", { "/domain/region": reads, ...resource });
      await world.server.apply(world.ada, made);
      return { changeSetId: await world.changeSet(), componentId, reader };
    },
    expect: 200,
    check: async (_answer, world, { changeSetId, componentId, reader }) => {
      await apply(world, changeSetId);
      expect((await viewOf(world, "HEAD", String(componentId))).toDelete).toBe(true);
      const next = await world.changeSet();
      const { components, place } = componentsOf(world, next);
      await components.erase({ ...place, componentId: String(reader) });
      await components.restore({ ...place, componentId: String(componentId) });
      await components.delete({ ...place, componentId: String(componentId) });
      await apply(world, next);
      await isGone(world, "HEAD", componentId);
    },
  },
  {
    name: "leaves a reader without a value once the apply has removed what it reads",
    operation: "components.delete",
    input: async (world) => {
      const input = await ofHead(world, { "/domain/region": "x" });
      const reads = { $source: { component: input.componentId, path: "/domain/region" } };
      const reader = await world.component(input.changeSetId, "reader", { "/domain/region": reads });
      return { ...input, reader };
    },
    expect: 200,
    check: async (_answer, world, { changeSetId, reader }) => {
      await apply(world, changeSetId);
      await world.server.propagate(await headId(world));
      const { attributes, domainProps } = await viewOf(world, "HEAD", String(reader));
      expect(attributes).not.toHaveProperty("/domain/region");
      expect(domainProps).toContainEqual(
        expect.objectContaining({ path: "root/domain/region", value: null }),
      );
    },
  },
];

const headId = async (world: World): Promise<string> => {
  const { workspaceId } = world.ada;
  const { changeSets } = await world.server.client(world.ada.key).changeSets.list({ workspaceId });
  return changeSets[0]?.id ?? "";
};

const others: readonly Scenario[] = [
  {
    name: "makes a component as it was: no difference is left",
    operation: "components.restore",
    input: marked,
    expect: 200,
    check: async (_answer, world, { changeSetId, componentId }) => {
      expect(await listed(world, changeSetId, componentId)).toMatchObject({
        diffStatus: "None",
        hasDiff: false,
      });
    },
  },
  {
    name: "does not bring back what was erased",
    operation: "components.restore",
    input: async (world) => {
      const input = await marked(world);
      const { components, place } = componentsOf(world, input.changeSetId);
      await components.erase({ ...place, componentId: input.componentId });
      return input;
    },
    expect: "componentNotFound",
  },
  {
    name: "takes a component of the head out of the change set, and out of the head with the apply",
    operation: "components.erase",
    input: (world) => ofHead(world, { "/resource/payload": { id: 1 } }),
    expect: 200,
    check: async (_answer, world, { changeSetId, componentId }) => {
      await isGone(world, changeSetId, componentId);
      expect(await listed(world, changeSetId, componentId)).toBeUndefined();
      expect((await viewOf(world, "HEAD", String(componentId))).toDelete).toBe(false);
      await apply(world, changeSetId);
      await isGone(world, "HEAD", componentId);
    },
  },
  {
    name: "cannot be done twice",
    operation: "components.erase",
    input: async (world) => {
      const input = await withComponent(world);
      const { components, place } = componentsOf(world, input.changeSetId);
      await components.erase({ ...place, componentId: input.componentId });
      return input;
    },
    expect: "componentNotFound",
  },
  {
    name: "refuses the id of a value of another component among the attributes",
    operation: "components.update",
    input: async (world) => {
      const input = await withComponent(world);
      const other = await appliedSet(world);
      const { domainProps } = await viewOf(world, "HEAD", other.componentId);
      return { ...input, body: { attributes: { [domainProps[0]?.id ?? ""]: "x" } } };
    },
    expect: "invalidRequest",
  },
];

export const componentEndingScenarios: readonly Scenario[] = [...deletion, ...others];
