import { expect } from "vitest";
import type { Scenario } from "../../support/scenarios.ts";
import { appliedSet, creating, places, read, updating, withComponent } from "./component-inputs.ts";

const creation: readonly Scenario[] = [
  {
    name: "gives the component with what was set and what the schema says",
    operation: "components.create",
    input: creating({ attributes: { "/domain/size": 3, "/domain/tags/-": { Key: "a" } } }),
    expect: 200,
    body: () => ({
      component: {
        name: "m",
        toDelete: false,
        canBeUpgraded: false,
        resourceId: "",
        secretId: "",
        attributes: {
          "/si/name": "m",
          "/si/type": "component",
          "/domain/size": 3,
          "/domain/tags/0/Key": "a",
        },
        views: [{ name: "DEFAULT", isDefault: true }],
        domainProps: expect.arrayContaining([
          expect.objectContaining({ path: "root/domain/region", value: "eu-1" }),
          expect.objectContaining({ path: "root/domain/tags/tag[0]/Value", value: "none" }),
        ]),
      },
    }),
  },
  {
    name: "finds the schema in any letter case and the view by its name",
    operation: "components.create",
    input: creating({ schemaName: "mAcHiNe", viewName: "DEFAULT", resourceId: "r-1" }),
    expect: 200,
    body: () => ({ component: { resourceId: "r-1" } }),
  },
  {
    name: "lets two components have one name",
    operation: "components.create",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      await world.component(changeSetId, "twin");
      return { changeSetId, body: { name: "twin", schemaName: "Machine" } };
    },
    expect: 200,
  },
  {
    name: "does not know an unknown schema",
    operation: "components.create",
    input: creating({ schemaName: "Toaster" }),
    expect: "schemaNotFound",
  },
  {
    name: "does not know an unknown view",
    operation: "components.create",
    input: creating({ viewName: "elsewhere" }),
    expect: "viewNotFound",
  },
  {
    name: "refuses a name of 501 characters",
    operation: "components.create",
    input: creating({ name: "x".repeat(501) }),
    expect: "invalidRequest",
  },
  {
    name: "refuses such a name among the attributes too",
    operation: "components.create",
    input: creating({ attributes: { "/si/name": "x".repeat(501) } }),
    expect: "invalidRequest",
  },
  {
    name: "refuses an attribute that the schema does not have",
    operation: "components.create",
    input: creating({ attributes: { "/domain/colour": "red" } }),
    expect: "invalidRequest",
  },
  {
    name: "refuses a value of another kind",
    operation: "components.create",
    input: creating({ attributes: { "/domain/size": "three" } }),
    expect: "invalidRequest",
  },
  {
    name: "refuses a source that is no component",
    operation: "components.create",
    input: creating({
      attributes: { "/domain/region": { $source: { component: "nobody", path: "/si/name" } } },
    }),
    expect: "componentNotFound",
  },
  {
    name: "refuses a source whose name several components have",
    operation: "components.create",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      for (let n = 0; n < 2; n++) await world.component(changeSetId, "twin");
      const source = { $source: { component: "twin", path: "/domain/region" } };
      return {
        changeSetId,
        body: { name: "m", schemaName: "Machine", attributes: { "/domain/region": source } },
      };
    },
    expect: "duplicateComponentName",
  },
  {
    name: "leaves nothing behind when one attribute is wrong",
    operation: "components.create",
    input: creating({ name: "half", attributes: { "/domain/size": 1, "/domain/nope": 1 } }),
    expect: "invalidRequest",
    check: async (_answer, world, { changeSetId }) => {
      const path = `/v1/w/${world.ada.workspaceId}/change-sets/${String(changeSetId)}/components/find?component=half`;
      expect((await world.server.request("GET", path, { as: world.ada.key })).status).toBe(404);
    },
  },
  {
    name: "changes nothing in the head",
    operation: "components.create",
    input: () => ({ changeSetId: "HEAD", body: { name: "m", schemaName: "Machine" } }),
    expect: "headNotEditable",
  },
  {
    name: "changes nothing in an applied change set",
    operation: "components.create",
    input: async (world) => ({ ...(await appliedSet(world)), body: { name: "m", schemaName: "Machine" } }),
    expect: "changeSetNotActive",
  },
];

const updates: readonly Scenario[] = [
  {
    name: "renames and sets at once",
    operation: "components.update",
    input: updating({ name: "renamed", resourceId: "r-7", attributes: { "/domain/labels/a": "b" } }),
    expect: 200,
    body: () => ({
      component: { name: "renamed", resourceId: "r-7", attributes: { "/domain/labels/a": "b" } },
    }),
  },
  {
    name: "takes back what was read and changes nothing",
    operation: "components.update",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const componentId = await world.component(changeSetId, "same", {
        "/domain/ports": [1, 2],
        "/domain/size": 1,
      });
      const client = world.server.client(world.ada.key);
      const { workspaceId } = world.ada;
      const { component } = await client.components.get({ workspaceId, changeSetId, componentId });
      return { changeSetId, componentId, body: { attributes: component.attributes } };
    },
    expect: 200,
  },
  {
    name: "leaves everything alone for nulls and an empty request",
    operation: "components.update",
    input: updating({ name: null, resourceId: null }),
    expect: 200,
  },
  {
    name: "writes a value by the id that the list of properties shows",
    operation: "components.update",
    input: async (world) => {
      const { changeSetId, componentId } = await withComponent(world);
      const client = world.server.client(world.ada.key);
      const { workspaceId } = world.ada;
      const { component } = await client.components.get({ workspaceId, changeSetId, componentId });
      const size = component.domainProps.find(({ path }) => path === "root/domain/size");
      return { changeSetId, componentId, body: { attributes: { [size?.id ?? ""]: 12 } } };
    },
    expect: 200,
    body: () => ({ component: { attributes: { "/domain/size": 12 } } }),
  },
  {
    name: "refuses the name of another component",
    operation: "components.update",
    input: async (world) => {
      const input = await withComponent(world);
      await world.component(input.changeSetId, "taken");
      return { ...input, body: { name: "taken" } };
    },
    expect: "duplicateComponentName",
  },
  {
    name: "refuses an empty name",
    operation: "components.update",
    input: updating({ name: "" }),
    expect: "invalidRequest",
  },
  {
    name: "refuses null for attributes, which may only be left out",
    operation: "components.update",
    input: updating({ attributes: null }),
    expect: "invalidRequest",
  },
  {
    name: "refuses a path that is none",
    operation: "components.update",
    input: updating({ attributes: { "domain/size": 1 } }),
    expect: "invalidRequest",
  },
  {
    name: "refuses a circle of subscriptions",
    operation: "components.update",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const first = await world.component(changeSetId, "first");
      const middle = { $source: { component: "first", path: "/domain/region" } };
      await world.component(changeSetId, "middle", { "/domain/region": middle });
      const last = { $source: { component: "middle", path: "/domain/region" } };
      await world.component(changeSetId, "last", { "/domain/region": last });
      const back = { $source: { component: "last", path: "/domain/region" } };
      return { changeSetId, componentId: first, body: { attributes: { "/domain/region": back } } };
    },
    expect: "subscriptionCycle",
    check: ({ text }) => expect(text).toContain("first → middle → last → first"),
  },
  {
    name: "refuses a change to what is fixed at creation once there is a resource",
    operation: "components.update",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const attributes = { "/domain/image": "one", "/resource/payload": { id: 1 } };
      const componentId = await world.component(changeSetId, "made", attributes);
      return { changeSetId, componentId, body: { attributes: { "/domain/image": "two" } } };
    },
    expect: "createOnlyProperty",
  },
  ...places("components.update", { name: "other" }),
];

const endings: readonly Scenario[] = [
  {
    name: "marks the component, again without effect, and keeps it in the list",
    operation: "components.delete",
    input: withComponent,
    expect: 200,
    body: () => ({ status: "MarkedForDeletion" }),
    check: async (_answer, world, { changeSetId, componentId }) => {
      expect(await read(world, changeSetId, componentId)).toMatchObject({ component: { toDelete: true } });
      const path = `/v1/w/${world.ada.workspaceId}/change-sets/${String(changeSetId)}/components/${String(componentId)}`;
      expect((await world.server.request("DELETE", path, { as: world.ada.key })).status).toBe(200);
    },
  },
  {
    name: "shows a marked component of the head as modified",
    operation: "components.delete",
    input: async (world) => {
      const { componentId } = await appliedSet(world);
      return { changeSetId: await world.changeSet(), componentId };
    },
    expect: 200,
    check: async (_answer, world, { changeSetId, componentId }) => {
      const cursor = String(componentId).slice(0, -1);
      const path = `/v1/w/${world.ada.workspaceId}/change-sets/${String(changeSetId)}/components?includeDiffStatus=true&cursor=${cursor}`;
      const { text } = await world.server.request("GET", path, { as: world.ada.key });
      expect(text).toContain('"diffStatus":"Modified"');
    },
  },
  ...places("components.delete"),
  {
    name: "takes the mark away",
    operation: "components.restore",
    input: async (world) => {
      const input = await withComponent(world);
      const { workspaceId, key } = world.ada;
      await world.server.client(key).components.delete({ workspaceId, ...input });
      return input;
    },
    expect: 200,
    body: () => ({ status: true }),
    check: async (_answer, world, { changeSetId, componentId }) =>
      expect(await read(world, changeSetId, componentId)).toMatchObject({ component: { toDelete: false } }),
  },
  {
    name: "refuses a component that is not marked",
    operation: "components.restore",
    input: withComponent,
    expect: "componentNotMarkedForDeletion",
  },
  ...places("components.restore"),
  {
    name: "removes it at once",
    operation: "components.erase",
    input: withComponent,
    expect: 200,
    body: () => ({ status: true }),
    check: async (_answer, world, { changeSetId, componentId }) =>
      expect(await read(world, changeSetId, componentId)).toMatchObject({ statusCode: 404 }),
  },
  ...places("components.erase"),
];

export const componentWriteScenarios: readonly Scenario[] = [...creation, ...updates, ...endings];
