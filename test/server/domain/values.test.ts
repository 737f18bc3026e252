import { describe, expect, test } from "vitest";
import type { Json } from "../../../server/domain/json.ts";
import type { Settings } from "../../../server/domain/overlay.ts";
import { computeValues, type Vals, valueAt } from "../../../server/domain/values.ts";
import { props, written } from "./sample.ts";

const nothing = (): undefined => undefined;
const valsOf = (
  settings: Settings,
  read: (id: string, path: string, func?: string) => Json | undefined = nothing,
): Vals => computeValues(props, settings, read, "SELF");
const ownPlaces = (vals: Vals): Vals =>
  Object.fromEntries(
    Object.entries(vals).filter(([key]) => key.startsWith("/domain/ports") || key.startsWith("/domain/net")),
  );

describe("the values of a component", () => {
  test("are sparse: a container stands under its own key only while nothing below it does", () => {
    const some = valsOf(written({ "/domain/ports": [4], "/domain/network": { cidr: "x", mtu: 1 } }));
    const [element] = Object.keys(some).filter((key) => key.includes("#"));
    expect(ownPlaces(some)).toEqual({
      "/domain/network/cidr": "x",
      "/domain/network/mtu": 1,
      [element ?? ""]: 4,
    });
    expect(ownPlaces(valsOf(written({ "/domain/ports": [], "/domain/network": { mtu: null } })))).toEqual({
      "/domain/network": {},
      "/domain/ports": [],
    });
  });

  test("of a subscription are what the source has, whole containers included", () => {
    const settings = written({
      "/domain/size": { $source: { component: "web", path: "/domain/size" } },
      "/domain/ports": { $source: { component: "web", path: "/domain/ports" } },
      "/domain/region": { $source: { component: "web", path: "/domain/region", func: "upper" } },
    });
    const asked: string[] = [];
    const vals = valsOf(settings, (id, path, func) => {
      asked.push(`${id} ${path} ${func ?? ""}`);
      return path === "/domain/ports" ? [7, 8] : path === "/domain/size" ? 3 : "EU";
    });
    expect(asked.sort()).toEqual(["WEB /domain/ports ", "WEB /domain/region FUNC", "WEB /domain/size "]);
    expect(valueAt(props, vals, "/domain/ports")).toEqual([7, 8]);
    expect(valueAt(props, vals, "/domain/ports/1")).toBe(8);
    expect(valueAt(props, vals, "/domain/ports/2")).toBeUndefined();
    expect(valueAt(props, vals, "/domain/region")).toBe("EU");
  });

  test.each<[what: string, key: string, read: Json, shown: Json | undefined]>([
    ["an integer takes a whole number", "/domain/size", 2, 2],
    ["an integer takes no fraction", "/domain/size", 2.5, undefined],
    ["a float takes every number", "/domain/ratio", 2, 2],
    [
      "an object takes the members that it declares",
      "/domain/network",
      { cidr: "x", more: 1 },
      { cidr: "x" },
    ],
    ["an object takes no member of another kind", "/domain/network", { cidr: "x", mtu: 1.5 }, { cidr: "x" }],
    [
      "an array keeps the place of what does not fit",
      "/domain/ports",
      [1, 2.5, "x", null],
      [1, null, null, null],
    ],
    ["a map takes the members of an object", "/domain/labels", { a: "1", b: 2 }, { a: "1", b: null }],
    [
      "what is inside elements is taken likewise",
      "/domain/tags",
      [{ Key: "k", Parts: [1.5], more: {} }],
      [{ Key: "k", Parts: [null] }],
    ],
    ["a text takes what a JSON property holds, which is text", "/domain/region", '{"a": 1}', '{"a": 1}'],
    ["a JSON property takes a text", "/domain/policy", "{", "{"],
  ])("of a subscription are of the property's kind: %s", (_what, key, read, shown) => {
    const vals = valsOf({ [key]: { s: ["WEB", "/domain/other"] } }, () => read);
    expect(valueAt(props, vals, key)).toEqual(shown);
  });

  test("of a subscription whose source has no value are unset, the default too", () => {
    const settings = written({ "/domain/region": { $source: { component: "web", path: "/domain/region" } } });
    expect(valueAt(props, valsOf(settings), "/domain/region")).toBeUndefined();
    expect(
      valueAt(
        props,
        valsOf(settings, () => null),
        "/domain/region",
      ),
    ).toBeUndefined();
  });

  test("of a container that one change set unset are there again where another one set something inside", () => {
    const unset: Settings = { "/domain/network": { u: 1 }, "/domain/network/mtu": { u: 1 } };
    expect(valueAt(props, valsOf(unset), "/domain/network")).toBeUndefined();
    const set: Settings = { ...unset, "/domain/network/cidr": { v: "x" } };
    expect(valueAt(props, valsOf(set), "/domain/network")).toEqual({ cidr: "x" });
    const other: Settings = { "/domain/network": { u: 1 }, "/domain/network/cidr": { v: "x" } };
    expect(valueAt(props, valsOf(other), "/domain/network")).toEqual({ cidr: "x", mtu: 1500 });
  });

  test("follow the component's subscriptions to itself to their end", () => {
    const self = (path: string): Json => ({ $source: { component: "self", path } });
    const settings = written({
      "/domain/image": "base",
      "/domain/policy": self("/domain/image"),
      "/domain/region": self("/domain/policy"),
      "/domain/network/cidr": self("/domain/region"),
    });
    expect(valueAt(props, valsOf(settings), "/domain/network/cidr")).toBe("base");
  });

  test("stop at a circle that two change sets made together", () => {
    const settings: Settings = {
      "/domain/region": { s: ["SELF", "/domain/image"] },
      "/domain/image": { s: ["SELF", "/domain/region"] },
    };
    expect(valueAt(props, valsOf(settings), "/domain/region")).toBeUndefined();
  });

  test("leave out what the schema no longer has or has with another shape", () => {
    const settings: Settings = {
      "/domain/gone": { v: 1 },
      "/domain/size": { v: {} },
      "/domain/ports": { v: "text" },
      "/domain/labels": { v: [] },
    };
    expect(valueAt(props, valsOf(settings), "/domain")).toEqual({
      region: "eu-1",
      public: false,
      internal: "x",
      network: { mtu: 1500 },
    });
  });

  test("carry the facts about the component along, outside the tree", () => {
    const vals = valsOf({ ":delete": { v: true } });
    expect(vals[":delete"]).toBe(true);
    expect(valueAt(props, vals, "")).not.toHaveProperty("delete");
  });

  test("nest into one tree in the schema's order", () => {
    const vals = valsOf(
      written({ "/domain/size": 1, "/si/name": "web", "/domain/labels": { b: "2", a: "1" } }),
    );
    expect(JSON.stringify(valueAt(props, vals, ""))).toBe(
      '{"si":{"name":"web","type":"component","color":"#336699"},"domain":{"region":"eu-1","size":1,"public":false,"internal":"x","labels":{"a":"1","b":"2"},"network":{"mtu":1500}}}',
    );
  });

  test("are found by pointer, positions counted", () => {
    const vals = valsOf(written({ "/domain/grid": [["a"], ["b", "c"]], "/domain/labels/a~1b": "x" }));
    expect(valueAt(props, vals, "/domain/grid/1/1")).toBe("c");
    expect(valueAt(props, vals, "/domain/grid/1")).toEqual(["b", "c"]);
    expect(valueAt(props, vals, "/domain/labels/a~1b")).toBe("x");
    for (const path of [
      "/domain/grid/2",
      "/domain/grid/-",
      "/domain/grid/x",
      "/domain/nope",
      "nope",
      "/domain/labels/a/b",
    ]) {
      expect(valueAt(props, vals, path)).toBeUndefined();
    }
  });
});
