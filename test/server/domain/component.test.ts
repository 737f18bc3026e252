import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  finishItem,
  firstSettings,
  hasResource,
  pointerOfValueId,
  renderItem,
  type ViewSource,
  viewOf,
} from "../../../server/domain/component.ts";
import { checkRename } from "../../../server/domain/component-names.ts";
import { mergeKeys, type Settings } from "../../../server/domain/overlay.ts";
import { computeValues } from "../../../server/domain/values.ts";
import { patchOf, props, refusalOf, written } from "./sample.ts";

const valsOf = (settings: Settings) => computeValues(props, settings, () => undefined);
const item = (settings: Settings, name = "Machine") =>
  renderItem({ id: "01JX", schemaName: name, props, vals: valsOf(settings) });
const source = (settings: Settings): ViewSource => ({
  id: "01JX",
  schemaId: "SCHEMA",
  schemaVariantId: "VARIANT",
  props,
  settings,
  vals: valsOf(settings),
  canBeUpgraded: false,
  connections: [],
  views: [{ id: "V", name: "DEFAULT", isDefault: true }],
  exists: () => true,
  idOf: (text) => `ID(${text})`.toUpperCase(),
});

describe("a list item", () => {
  test("is put together from its fragments by what was asked for", () => {
    const plain = item(firstSettings("web", "01K00000000000000000000000"));
    expect(JSON.parse(finishItem(plain, {}))).toEqual({
      componentId: "01JX",
      name: "web",
      schemaName: "Machine",
      codegen: null,
    });
    expect(
      JSON.parse(
        finishItem(plain, { resourceInfo: true, codegen: true, diff: "Modified", more: ['"manages":[]'] }),
      ),
    ).toEqual({
      componentId: "01JX",
      name: "web",
      schemaName: "Machine",
      codegen: null,
      hasResource: false,
      hasDiff: true,
      diffStatus: "Modified",
      manages: [],
    });
    expect(JSON.parse(finishItem(plain, { diff: "None" })).hasDiff).toBe(false);
  });

  test("tells the resource and the generated code when they are there and asked for", () => {
    const full = item({
      "/si/resourceId": { v: "i-1" },
      "/resource/payload": { v: "[1]" },
      "/resource/status": { v: "warning" },
      "/code": { v: {} },
      "/code/lint": { v: {} },
      "/code/lint/format": { v: "json" },
    });
    expect(JSON.parse(finishItem(full, { resourceInfo: true, codegen: true }))).toMatchObject({
      name: "",
      hasResource: true,
      resourceId: "i-1",
      resourceStatus: "Warning",
      codegen: { lint: { format: "json" } },
    });
  });

  test("is one JSON document whatever the names contain", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (name, schema) => {
        const text = finishItem(item({ "/si/name": { v: name } }, schema), {
          resourceInfo: true,
          codegen: true,
        });
        expect(JSON.parse(text)).toMatchObject({ name, schemaName: schema });
        expect(text).not.toContain("\n");
      }),
    );
  });
});

describe("the view of a component", () => {
  const settings = mergeKeys(
    firstSettings("web", "01K00000000000000000000000"),
    written({ "/domain/tags": [{ Key: "k" }], "/domain/labels": { env: "prod" }, "/domain/size": 3 }),
  );

  test("shows the component's own facts", () => {
    const view = viewOf(source({ ...settings, ":delete": { v: true } }));
    expect(view).toMatchObject({ id: "01JX", name: "web", resourceId: "", secretId: "", toDelete: true });
    expect(viewOf(source(settings)).toDelete).toBe(false);
    expect(viewOf({ ...source(settings), secretId: "S" }).secretId).toBe("S");
  });

  test("lists every property that is not hidden, unset ones too, elements by position or key", () => {
    const listed = viewOf(source(settings)).domainProps.map(({ path, value }) => [path, value]);
    expect(listed).toEqual([
      ["root/domain/grid", null],
      ["root/domain/image", null],
      ["root/domain/labels", { env: "prod" }],
      ["root/domain/labels/label[env]", "prod"],
      ["root/domain/network", { mtu: 1500 }],
      ["root/domain/network/a/b ~c", null],
      ["root/domain/network/cidr", null],
      ["root/domain/network/mtu", 1500],
      ["root/domain/password", null],
      ["root/domain/policy", null],
      ["root/domain/ports", null],
      ["root/domain/public", false],
      ["root/domain/ratio", null],
      ["root/domain/region", "eu-1"],
      ["root/domain/size", 3],
      ["root/domain/tags", [{ Key: "k", Value: "none" }]],
      ["root/domain/tags/Tag[0]", { Key: "k", Value: "none" }],
      ["root/domain/tags/Tag[0]/Key", "k"],
      ["root/domain/tags/Tag[0]/Parts", null],
      ["root/domain/tags/Tag[0]/Value", "none"],
      ["root/domain/tagsByName", null],
    ]);
  });

  test("lists hidden properties of the resource's values", () => {
    expect(viewOf(source(settings)).resourceProps.map(({ path }) => path)).toEqual([
      "root/resource_value/Arn",
    ]);
  });

  test("lists what was copied from elsewhere as deep as the schema goes", () => {
    const copied: Settings = {
      "/domain/tags": { s: ["WEB", "/domain/tags"] },
      "/domain/labels": { s: ["WEB", "/domain/labels"] },
    };
    const vals = computeValues(props, copied, (_id, path) =>
      path === "/domain/tags" ? [{ Key: "k", Parts: [1] }] : { env: "prod" },
    );
    const paths = viewOf({ ...source(copied), vals }).domainProps.filter(({ value }) => value !== null);
    expect(paths.map(({ path, value }) => [path, value])).toEqual(
      expect.arrayContaining([
        ["root/domain/tags/Tag[0]/Key", "k"],
        ["root/domain/tags/Tag[0]/Parts/Part[0]", 1],
        ["root/domain/labels/label[env]", "prod"],
      ]),
    );
  });

  test("gives each value an id of its own that names it when attributes are written", () => {
    const view = viewOf(source(settings));
    expect(new Set(view.domainProps.map(({ id }) => id)).size).toBe(view.domainProps.length);
    const key = view.domainProps.find(({ path }) => path === "root/domain/tags/Tag[0]/Key");
    const pointer = pointerOfValueId(source(settings), key?.id ?? "");
    expect(pointer).toBe("/domain/tags/0/Key");
    expect(pointerOfValueId(source(settings), "ID(OTHER)")).toBeUndefined();
  });

  test("keeps the id of an element when those before it go", () => {
    const two = written({ "/domain/ports": [1, 2] });
    const idAt = (all: Settings, path: string) =>
      viewOf(source(all)).domainProps.find((prop) => prop.path === path)?.id;
    const after = mergeKeys(two, patchOf(two, { "/domain/ports/0": { $source: null } }));
    expect(idAt(after, "root/domain/ports/port[0]")).toBe(idAt(two, "root/domain/ports/port[1]"));
  });
});

test("a component has a resource when there is a payload", () => {
  expect(hasResource({})).toBe(false);
  expect(hasResource({ "/resource/status": "ok" })).toBe(false);
  expect(hasResource({ "/resource/payload": "{}" })).toBe(false);
  expect(hasResource({ "/resource/payload": '{"id":1}' })).toBe(true);
});

test("a rename to another component's name is refused", () => {
  expect(checkRename("db", () => false)).toBe("db");
  const refusal = refusalOf(() => checkRename("web", (name) => name === "web"));
  expect(refusal.error).toBe("duplicateComponentName");
  expect(refusal.message).toMatch(/another component of this change set is named "web"/);
});
