import { describe, expect, it } from "vitest";
import type { Message } from "../../tui/core/message.ts";
import { detailKey, type Model } from "../../tui/core/model.ts";
import { news, rowOf, textOf } from "../support/tui-story.ts";
import {
  press,
  redisId,
  told,
  type,
  worldComponent,
  worldComponents,
  worldModel,
  worldNow,
} from "../support/tui-world.ts";

const wide = { cols: 160, rows: 40 };
const [first, second, third] = worldComponents();
if (first === undefined || second === undefined || third === undefined) throw new Error("an empty world");

const components = (model: Model): Model => press(model, "2", "j", "enter");
const filtered = (filter: string): string => {
  const model = press(type(press(components(worldModel(wide)), "/"), filter), "enter");
  return textOf(model);
};
const open = (componentId: string): Message => ({
  type: "go",
  route: { screen: "component", changeSetId: redisId, componentId },
});
const read = (componentId: string, patch: Parameters<typeof worldComponent>[2] = {}): Message => ({
  type: "component",
  now: worldNow,
  key: detailKey(redisId, componentId),
  result: { own: worldComponent(componentId, "read", patch), head: null },
});

describe("what is special about a component", () => {
  it("stands beside it with its sign and its word, also on the smallest list", () => {
    const model = components(worldModel({ cols: 80, rows: 24 }));
    expect(rowOf(model, "api-staging-24")).toContain("− delete");
    expect(rowOf(model, "bucket-eu-08")).toContain("≠ moved");
    expect(rowOf(model, "bucket-eu-16")).toContain("↑ upgrade");
  });

  it("counts as removed on every screen: in both headers, in its sign and in the filter", () => {
    const sets = press(worldModel(wide), "2", "j");
    expect(rowOf(sets, "▸  add-redis-cache")).toContain("+4 ~4 −1");
    const model = components(worldModel(wide));
    expect(rowOf(model, "+4 added")).toMatch(/\+4 added {2}~4 changed {2}−1 removed /);
    expect(rowOf(model, "−  api-staging-24")).toContain("− delete");
    expect(filtered("diff:removed")).toMatch(/1\/44 .*−1 removed/);
    expect(filtered("diff:removed")).toContain("− delete");
  });

  it("counts as removed where there is no review, and a component that was erased is said to have no row", () => {
    const marked = { ...second, hasDiff: true, diffStatus: "Modified", toDelete: true };
    const calm = told(
      worldModel(wide, { calm: true, differing: 0 }),
      news(worldNow, `components/${redisId}`, { [second.componentId]: marked }),
    );
    expect(rowOf(components(calm), "+4 added")).toMatch(/\+4 added {2}−1 removed /);
    const id = worldComponents().find(({ name }) => name === "api-staging-24")?.componentId ?? "";
    const erased = told(worldModel(wide), news(worldNow, `components/${redisId}`, {}, [id]));
    expect(rowOf(components(erased), "+4 added")).toContain("−1 removed (1 without a row)");
  });

  it("is found by words: marked, upgradable, moved, manager", () => {
    expect(filtered("is:marked")).toContain("api-staging-24");
    expect(filtered("is:marked")).not.toContain("bucket-eu-16");
    expect(filtered("is:upgradable")).toContain("bucket-eu-16");
    expect(filtered("is:moved")).toContain("redis-cache");
    expect(filtered("manages:managed-4")).toMatch(/1\/44/);
    expect(filtered("is:manager diff:none")).toMatch(/\d\/44/);
  });

  it("is told by the list for components that differ in nothing, and for the head", () => {
    const marked = { ...second, toDelete: true, canBeUpgraded: true };
    const list = news(worldNow, `components/${redisId}`, { [second.componentId]: marked });
    const model = press(
      type(
        press(components(told(worldModel({ cols: 110, rows: 24 }), list)), "/"),
        "is:marked is:upgradable",
      ),
      "enter",
    );
    expect(rowOf(model, second.name)).toMatch(/− delete {2}↑ upgrade/);
    const after = told(model, news(worldNow, `reviews/${redisId}`, { summary: { part: "summary" } }));
    expect(rowOf(after, second.name)).toMatch(/− delete/);
  });

  it("goes with the review that told it, without a word about a change", () => {
    const model = components(worldModel(wide));
    const id = worldComponents().find(({ name }) => name === "api-staging-24")?.componentId ?? "";
    const after = told(model, news(worldNow, `reviews/${redisId}`, {}, [id]));
    expect(rowOf(after, "api-staging-24")).not.toContain("− delete");
    expect(after.mirror.marks.size).toBe(0);
  });

  it("is told by the reading too, for what no review names", () => {
    const model = told(
      worldModel(wide),
      open(second.componentId),
      read(second.componentId, { toDelete: true, canBeUpgraded: true }),
    );
    expect(rowOf(model, `─ ${second.name}`)).toMatch(/− to delete {2}↑ upgrade/);
  });

  it("counts how many components it manages", () => {
    const managing = {
      ...first,
      diffStatus: "Modified",
      manages: [second, third].map(({ componentId, name }) => ({
        toComponentId: componentId,
        toComponentName: name,
      })),
    };
    const model = told(
      components(worldModel({ cols: 200, rows: 50 })),
      news(worldNow, `components/${redisId}`, { [first.componentId]: managing }),
    );
    expect(rowOf(model, "MANAGES")).not.toBe("");
    expect(rowOf(model, first.name)).toMatch(/ 2 {2}/);
  });
});

describe("a component's links", () => {
  const managing = {
    connections: [
      { managing: { componentId: second.componentId, componentName: second.name } },
      { managedBy: { componentId: third.componentId, componentName: third.name } },
    ],
    views: [
      { id: "v1", name: "default", isDefault: true },
      { id: "v2", name: "network", isDefault: false },
    ],
  };
  const opened = told(worldModel(wide), open(first.componentId), read(first.componentId, managing));
  const links = press(opened, "right", "right", "right");

  it("tell what it manages and what manages it, and enter goes there and back", () => {
    expect(links.tab).toBe("links");
    expect(rowOf(links, "manages ")).toContain(second.name);
    expect(rowOf(links, "managed by")).toContain(third.name);
    const there = press(links, "g", "enter");
    const [target] = [there.route].flatMap((route) =>
      route.screen === "component" ? [route.componentId] : [],
    );
    expect([second.componentId, third.componentId]).toContain(target);
    expect(press(there, "-").route).toEqual(opened.route);
  });

  it("lead from a subscription to the component that it names, and say when there is none", () => {
    const source = { $source: { component: second.name, path: "/domain/id" } };
    const model = told(
      worldModel(wide),
      open(first.componentId),
      read(first.componentId, { attributes: { "/domain/a": source, "/domain/b": "plain" }, domainProps: [] }),
    );
    const attributes = press(model, "a");
    const at = (path: string): Model => press(type(press(attributes, "/"), path), "enter");
    expect(press(at("domain/a"), "enter").route).toMatchObject({ componentId: second.componentId });
    const off = press(at("domain/b"), "enter");
    expect(off.route).toEqual(model.route);
    expect(textOf(off)).toContain("enter is off: this line leads to no component of the change set");
  });

  it("views have a page of their own", () => {
    const views = press(links, "right");
    expect(views.tab).toBe("views");
    expect(rowOf(views, "network")).not.toBe("");
    expect(rowOf(views, "default")).toContain("the default view");
  });

  it("the attributes carry how they differ from the head", () => {
    const name = worldComponents().find(({ name: each }) => each === "bucket-eu-08");
    const id = name?.componentId ?? "";
    const attributes = press(told(worldModel(wide), open(id), read(id)), "a");
    expect(rowOf(attributes, "IN THE HEAD")).not.toBe("");
    expect(rowOf(attributes, "/domain/NumCacheNodes")).toMatch(/~ .*11211 /);
    expect(rowOf(attributes, "/domain/TransitEncryption")).toMatch(/│ {6}\/domain/);
  });
});
