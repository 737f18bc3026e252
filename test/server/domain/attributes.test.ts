import { describe, expect, test } from "vitest";
import { showAttributes } from "../../../server/domain/attribute-view.ts";
import type { Json } from "../../../server/domain/json.ts";
import { mergeKeys, type Settings } from "../../../server/domain/overlay.ts";
import { computeValues, valueAt } from "../../../server/domain/values.ts";
import { patchOf, props, refusalOf, written } from "./sample.ts";

type Changes = Readonly<Record<string, Json>>;
const source = (value: Json): Json => ({ $source: value });
const web = (path: string): Json => source({ component: "web", path });
const unset = source(null);

const domainAfter = (...requests: readonly Changes[]): Json | undefined => {
  const vals = computeValues(props, written(...requests), () => undefined);
  return valueAt(props, vals, "/domain");
};
const shownAfter = (...requests: readonly Changes[]): Json => ({
  ...showAttributes(props, written(...requests)),
});

describe("what attributes show after they were written", () => {
  const rows: readonly [title: string, requests: readonly Changes[], shown: Changes][] = [
    ["scalars", [{ "/domain/size": 3, "/domain/ratio": 0.5 }], { "/domain/size": 3, "/domain/ratio": 0.5 }],
    ["a whole number where a float is expected", [{ "/domain/ratio": 2 }], { "/domain/ratio": 2 }],
    [
      "a JSON property given as text stays that text",
      [{ "/domain/policy": "{ }" }],
      { "/domain/policy": "{ }" },
    ],
    [
      "a JSON property given as JSON becomes text",
      [{ "/domain/policy": { a: 1 } }],
      { "/domain/policy": '{\n  "a": 1\n}' },
    ],
    [
      "the escape for a literal",
      [{ "/domain/policy": source({ value: { $source: 1 } }) }],
      { "/domain/policy": '{\n  "$source": 1\n}' },
    ],
    ["the last of two requests wins", [{ "/domain/size": 1 }, { "/domain/size": 2 }], { "/domain/size": 2 }],
    [
      "pairs of one request are applied in order",
      [{ "/domain/ports": [1, 2], "/domain/ports/0": 5 }],
      { "/domain/ports/0": 5, "/domain/ports/1": 2 },
    ],
    [
      "a name with slash and tilde",
      [{ "/domain/network/a~1b ~0c": "x" }],
      { "/domain/network/a~1b ~0c": "x" },
    ],
    [
      "an object is expanded to its members",
      [{ "/domain/network": { cidr: "10/8", mtu: 9000 } }],
      { "/domain/network/cidr": "10/8", "/domain/network/mtu": 9000 },
    ],
    [
      "members that the schema does not know are dropped",
      [{ "/domain/network": { nope: 1, cidr: "x" } }],
      { "/domain/network/cidr": "x" },
    ],
    [
      "a member that is not given any more is unset",
      [{ "/domain/network": { cidr: "x", mtu: 1 } }, { "/domain/network": { mtu: 1 } }],
      { "/domain/network/mtu": 1 },
    ],
    ["an empty object shows itself", [{ "/domain/network": {} }], { "/domain/network": {} }],
    ["a map creates its entries", [{ "/domain/labels/env": "prod" }], { "/domain/labels/env": "prod" }],
    [
      "a map is replaced whole",
      [{ "/domain/labels": { a: "1", b: "2" } }, { "/domain/labels": { b: "3" } }],
      { "/domain/labels/b": "3" },
    ],
    [
      "keys of a map may look like elements",
      [{ "/domain/labels": { "#01J": "1", "a/b": "2", "~2": "3" } }],
      { "/domain/labels/#01J": "1", "/domain/labels/a~1b": "2", "/domain/labels/~02": "3" },
    ],
    [
      "an entry of a map of objects",
      [{ "/domain/tagsByName/x/Key": "k" }],
      { "/domain/tagsByName/x/Key": "k" },
    ],
    [
      "minus appends",
      [{ "/domain/ports/-": 1 }, { "/domain/ports/-": 2 }],
      { "/domain/ports/0": 1, "/domain/ports/1": 2 },
    ],
    [
      "the position after the last appends",
      [{ "/domain/ports/0": 1, "/domain/ports/1": 2 }],
      { "/domain/ports/0": 1, "/domain/ports/1": 2 },
    ],
    [
      "minus with a member below appends an object",
      [{ "/domain/tags/-/Key": "k" }],
      { "/domain/tags/0/Key": "k" },
    ],
    [
      "arrays in arrays",
      [{ "/domain/grid": [["a"], ["b", "c"]] }, { "/domain/grid/1/-": "d" }],
      { "/domain/grid/0/0": "a", "/domain/grid/1/0": "b", "/domain/grid/1/1": "c", "/domain/grid/1/2": "d" },
    ],
    [
      "removing an element shifts the later ones",
      [{ "/domain/ports": [1, 2, 3] }, { "/domain/ports/0": unset }],
      { "/domain/ports/0": 2, "/domain/ports/1": 3 },
    ],
    [
      "removing the only element, appended to an unset array, leaves an empty array",
      [{ "/domain/ports": null }, { "/domain/ports/-": 1 }, { "/domain/ports/0": unset }],
      { "/domain/ports": [] },
    ],
    [
      "removing the only element, once appended, leaves an empty array",
      [{ "/domain/ports/-": 1 }, { "/domain/ports/0": unset }],
      { "/domain/ports": [] },
    ],
    [
      "removing the last element leaves an empty array",
      [{ "/domain/ports": [1] }, { "/domain/ports/0": unset }],
      { "/domain/ports": [] },
    ],
    [
      "removing an entry of a map",
      [{ "/domain/labels": { a: "1", b: "2" } }, { "/domain/labels/a": unset }],
      { "/domain/labels/b": "2" },
    ],
    [
      "unsetting a container takes what is below it",
      [{ "/domain/ports": [1, 2] }, { "/domain/ports": unset }],
      {},
    ],
    ["an empty $source unsets as null does", [{ "/domain/size": 1 }, { "/domain/size": source({}) }], {}],
    ["an explicit unset is not shown", [{ "/domain/region": null }], {}],
    [
      "unsetting what is not there does nothing",
      [{ "/domain/ports/3": unset, "/domain/nope": unset, "/domain/labels/x": unset }],
      {},
    ],
    [
      "computed places are ignored",
      [{ "/code/x": 1, "/qualification": {}, "/resource_value/Arn": "x", "/deleted_at": "now" }],
      {},
    ],
    ["literal secrets are ignored", [{ "/secrets/Cloud Credential": "hunter2", "/secrets": {} }], {}],
    [
      "escaped literal secrets are ignored",
      [{ "/secrets/Cloud Credential": source({ value: "hunter2" }) }],
      {},
    ],
    [
      "a subscription",
      [{ "/domain/region": web("/domain/region") }],
      { "/domain/region": source({ component: "WEB", path: "/domain/region" }) },
    ],
    [
      "a subscription of a secret",
      [{ "/secrets/Cloud Credential": web("/secrets/Cloud Credential") }],
      { "/secrets/Cloud Credential": source({ component: "WEB", path: "/secrets/Cloud Credential" }) },
    ],
    [
      "a subscription of an element",
      [{ "/domain/ports/-": web("/domain/size") }],
      { "/domain/ports/0": source({ component: "WEB", path: "/domain/size" }) },
    ],
    [
      "a subscription through a function",
      [{ "/domain/region": source({ component: "web", path: "/domain/ports", func: "upper" }) }],
      { "/domain/region": source({ component: "WEB", path: "/domain/ports", func: "FUNC" }) },
    ],
    [
      "the identity function is no function",
      [{ "/domain/region": source({ component: "web", path: "/domain/region", func: "si:identity" }) }],
      { "/domain/region": source({ component: "WEB", path: "/domain/region" }) },
    ],
    [
      "keep_existing_subscriptions is accepted",
      [
        {
          "/domain/size": source({
            component: "web",
            path: "/domain/ratio",
            keep_existing_subscriptions: true,
          }),
        },
      ],
      { "/domain/size": source({ component: "WEB", path: "/domain/ratio" }) },
    ],
    [
      "a subscribed container hides what was below it",
      [{ "/domain/ports": [1, 2] }, { "/domain/ports": web("/domain/ports") }],
      { "/domain/ports": source({ component: "WEB", path: "/domain/ports" }) },
    ],
    [
      "a literal replaces a subscribed container",
      [{ "/domain/ports": web("/domain/ports") }, { "/domain/ports": [7] }],
      { "/domain/ports/0": 7 },
    ],
    [
      "an unset container can be written into",
      [{ "/domain/network": null }, { "/domain/network/cidr": "x" }],
      { "/domain/network/cidr": "x" },
    ],
    [
      "a resource set whole",
      [{ "/resource": { id: 1 } }],
      {
        "/resource/status": "ok",
        "/resource/payload": '{\n  "id": 1\n}',
        "/resource/last_synced": "2026-01-02T03:04:05.000Z",
      },
    ],
    ["the whole domain", [{ "/domain/size": 1 }, { "/domain": { ports: [1] } }], { "/domain/ports/0": 1 }],
  ];
  test.each(rows)("%s", (_title, requests, shown) => {
    expect(shownAfter(...requests)).toEqual(shown);
  });
});

describe("the values that attributes lead to", () => {
  const defaults = { region: "eu-1", public: false, internal: "x", network: { mtu: 1500 } };
  const rows: readonly [title: string, requests: readonly Changes[], domain: Json][] = [
    ["defaults show where nothing is set", [], defaults],
    [
      "null hides a default",
      [{ "/domain/region": null, "/domain/network/mtu": null }],
      { public: false, internal: "x" },
    ],
    [
      "null on a container hides the defaults below it",
      [{ "/domain/network": null }],
      { region: "eu-1", public: false, internal: "x" },
    ],
    [
      "unsetting a default hides it",
      [{ "/domain/region": unset }],
      { public: false, internal: "x", network: { mtu: 1500 } },
    ],
    [
      "unsetting twice brings the default back",
      [{ "/domain/region": unset }, { "/domain/region": unset }],
      defaults,
    ],
    [
      "unsetting a literal brings the default back",
      [{ "/domain/region": "us" }, { "/domain/region": unset }],
      defaults,
    ],
    [
      "an element's members have defaults too",
      [{ "/domain/tags/-/Key": "k" }],
      { ...defaults, tags: [{ Key: "k", Value: "none" }] },
    ],
    [
      "an element of null keeps its place",
      [{ "/domain/ports": [1, null, 3] }],
      { ...defaults, ports: [1, null, 3] },
    ],
    ["an empty array is a value", [{ "/domain/ports": [] }], { ...defaults, ports: [] }],
    [
      "an object that lost its last member stays",
      [{ "/domain/tags": [{ Key: "k", Value: null }] }, { "/domain/tags/0/Key": unset }],
      { ...defaults, tags: [{}] },
    ],
  ];
  test.each(rows)("%s", (_title, requests, domain) => {
    expect(domainAfter(...requests)).toEqual(domain);
  });
});

describe("a mistake is refused in one line that says what to do", () => {
  const rows: readonly [changes: Changes, error: string, message: RegExp][] = [
    [
      { "/domain/size": "3" },
      "invalidRequest",
      /^attributes \/domain\/size: expected an integer.*found the string "3"$/,
    ],
    [{ "/domain/size": 1.5 }, "invalidRequest", /expected an integer.*found the number 1.5/],
    [{ "/domain/size": 2 ** 53 }, "invalidRequest", /expected an integer of at most/],
    [{ "/domain/ratio": true }, "invalidRequest", /expected a number, found true/],
    [{ "/domain/public": "yes" }, "invalidRequest", /expected true or false, found the string "yes"/],
    [{ "/domain/region": 1 }, "invalidRequest", /expected a string, found the number 1/],
    [{ "/domain/region": ["a"] }, "invalidRequest", /expected a string, found an array of 1/],
    [{ "/domain/password": 12345 }, "invalidRequest", /^(?!.*12345)/],
    [{ "/domain/ports": { a: 1 } }, "invalidRequest", /expected an array, found an object/],
    [{ "/domain/ports": [1, "x"] }, "invalidRequest", /attributes \/domain\/ports\/1: expected an integer/],
    [{ "/domain/labels": ["a"] }, "invalidRequest", /expected an object \(kind map\), found an array of 1/],
    [
      { "/domain/labels": { a: { b: 1 } } },
      "invalidRequest",
      /\/domain\/labels\/a: expected a string, found an object/,
    ],
    [{ "/domain/network": 1 }, "invalidRequest", /expected an object \(kind object\), found the number 1/],
    [
      { "/domain/network": { $source: 1, cidr: "" } },
      "invalidRequest",
      /expected nothing beside \$source, found cidr/,
    ],
    [
      { "/domain": { network: { $source: { component: "web", path: "/domain/network" } } } },
      "invalidRequest",
      /give it a path of its own/,
    ],
    [{ "/domain/nope": 1 }, "invalidRequest", /expected one of region, size, .*found "nope"/],
    [{ "/nope": 1 }, "invalidRequest", /expected one of si, domain, /],
    [{ "/": 1 }, "invalidRequest", /expected one of si, domain/],
    [
      { "/domain/region/x": 1 },
      "invalidRequest",
      /expected nothing below \/domain\/region, which is of kind string/,
    ],
    [{ domain: 1 }, "invalidRequest", /expected a path such as \/domain\/region/],
    [{ "": 1 }, "invalidRequest", /expected a path such as/],
    [{ "/domain/a~2": 1 }, "invalidRequest", /with ~0 for ~ and ~1 for \//],
    [
      { "/domain/ports/1": 1 },
      "invalidRequest",
      /expected a position of 0, found 1: the array has 0 elements/,
    ],
    [
      { "/domain/ports/x": 1 },
      "invalidRequest",
      /expected a position such as 0, or "-" to append, found "x"/,
    ],
    [{ "/domain/ports/01": 1 }, "invalidRequest", /expected a position such as 0/],
    [{ "/domain/ports/#01J": 1 }, "invalidRequest", /expected a position such as 0/],
    [{ "/domain/labels/": "x" }, "invalidRequest", /expected a key of a map, found an empty string/],
    [
      { "/domain/labels/__proto__": "x" },
      "invalidRequest",
      /expected a key of a map, found the reserved name __proto__/,
    ],
    [{ "/domain/region": "a\u0000b" }, "invalidRequest", /found a zero character/],
    [{ "/domain/region": "\ud800" }, "invalidRequest", /found half of a surrogate pair/],
    [{ "/domain/labels/\ud800": "x" }, "invalidRequest", /half of a surrogate pair/],
    [
      { "/domain/ports": Array.from({ length: 1001 }, () => 1) },
      "invalidRequest",
      /expected at most 1000 elements, found 1001/,
    ],
    [
      { "/domain/labels": Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`k${i}`, "x"])) },
      "invalidRequest",
      /expected at most 1000 elements/,
    ],
    [{ "/domain/region": "x".repeat(1_000_001) }, "invalidRequest", /expected at most 1000000 characters/],
    [
      { [`/domain/labels/${"x".repeat(900)}`]: "x" },
      "invalidRequest",
      /expected a path of at most 800 characters/,
    ],
    [
      { [`/domain${"/x".repeat(100)}`]: "x" },
      "invalidRequest",
      /expected a path of at most 64 parts, found 101/,
    ],
    [{ "/si/name": "n".repeat(501) }, "invalidRequest", /name: expected at most 500 characters/],
    [{ "/si/type": "banana" }, "invalidRequest", /expected one of component, /],
    [{ "/domain/size": source(1) }, "invalidRequest", /\$source: expected .*found the number 1/],
    [
      { "/domain/size": source({ value: 1, path: "x" }) },
      "invalidRequest",
      /expected nothing beside value, found path/,
    ],
    [{ "/domain/size": source({ from: "x" }) }, "invalidRequest", /found from/],
    [
      { "/domain/size": source({ component: "web" }) },
      "invalidRequest",
      /\$source.path: expected a string, found nothing/,
    ],
    [
      { "/domain/size": source({ path: "/domain/size" }) },
      "invalidRequest",
      /\$source.component: expected a string, found nothing/,
    ],
    [
      { "/domain/size": source({ component: 1, path: "/x" }) },
      "invalidRequest",
      /\$source.component: expected a string, found the number 1/,
    ],
    [
      { "/domain/size": source({ component: "web", path: "domain" }) },
      "invalidRequest",
      /\$source.path: expected a path/,
    ],
    [
      { "/domain/size": source({ component: "nobody", path: "/domain/size" }) },
      "componentNotFound",
      /no component .* "nobody"/,
    ],
    [
      { "/domain/size": source({ component: "twin", path: "/domain/size" }) },
      "duplicateComponentName",
      /several components are named "twin"; use the id/,
    ],
    [{ "/domain/size": web("/domain/nope") }, "notFound", /expected one of .*found "nope"/],
    [
      { "/domain/size": web("/domain/ports/-") },
      "invalidRequest",
      /expected a position such as 0, found "-"/,
    ],
    [
      { "/domain/size": web("/domain/region") },
      "invalidRequest",
      /expected a source of kind integer, found \/domain\/region of kind string/,
    ],
    [{ "/domain/ports": web("/domain/labels") }, "invalidRequest", /expected a source of kind array/],
    [
      { "/domain/size": source({ component: "web", path: "/domain/size", func: "nope" }) },
      "notFound",
      /no transformation function/,
    ],
    [
      { "/domain/size": source({ component: "self", path: "/domain/size" }) },
      "subscriptionCycle",
      /does not depend on it/,
    ],
    [
      {
        "/domain/region": source({ component: "self", path: "/domain/image" }),
        "/domain/image": source({ component: "self", path: "/domain/region" }),
      },
      "subscriptionCycle",
      /does not depend on it/,
    ],
    [
      { "/domain/ports": web("/domain/ports"), "/domain/ports/0": 1 },
      "invalidRequest",
      /\/domain\/ports is subscribed as a whole; unset that first/,
    ],
    [
      { "/domain/ports": web("/domain/ports"), "/domain/ports/0": unset },
      "invalidRequest",
      /subscribed as a whole/,
    ],
  ];
  test.each(rows)("%j", (changes, error, message) => {
    const refusal = refusalOf(() => patchOf({}, changes));
    expect(refusal.message).toMatch(message);
    expect(refusal.error).toBe(error);
    expect(refusal.message).not.toMatch(/\n/);
  });

  test("a value nested past the limit is refused without overflowing anything", () => {
    let deep: Json = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(refusalOf(() => patchOf({}, { "/domain/policy": deep })).message).toMatch(
      /nested at most 64 deep/,
    );
  });

  test("a request of more attributes than a component can have is refused at once", () => {
    const changes = Object.fromEntries(
      Array.from({ length: 10_001 }, (_, n) => [`/domain/labels/k${n}`, unset]),
    );
    expect(refusalOf(() => patchOf({}, changes)).message).toMatch(
      /at most 10000 members in one request, found 10001/,
    );
  });

  test("a component of too many settings is refused", () => {
    const rows = Array.from({ length: 101 }, () => Array.from({ length: 99 }, () => "x"));
    expect(refusalOf(() => patchOf({}, { "/domain/grid": rows })).message).toMatch(/at most 10000 settings/);
  });

  test("a circle of components names them all", () => {
    const circleThrough = (): readonly string[] => ["web", "db", "web"];
    const refusal = refusalOf(() => patchOf({}, { "/domain/size": web("/domain/size") }, { circleThrough }));
    expect(refusal.error).toBe("subscriptionCycle");
    expect(refusal.message).toMatch(/web → db → web/);
  });

  test("a create-only property is closed while there is a resource, and the rest stays open", () => {
    const settings = written({ "/domain/image": "a" });
    const act = (changes: Changes) => () => patchOf(settings, changes, { hasResource: true });
    expect(refusalOf(act({ "/domain/image": "b" })).error).toBe("createOnlyProperty");
    expect(refusalOf(act({ "/domain": {} })).message).toMatch(/at path 'root\/domain\/image'/);
    expect(act({ "/domain/image": "a", "/domain/size": 1 })()).toEqual({ "/domain/size": { v: 1 } });
  });
});

test("a subscription to a component that is not there is not shown", () => {
  const settings = written({ "/domain/size": 1, "/domain/region": web("/domain/region") });
  expect(showAttributes(props, settings, () => false)).toEqual({ "/domain/size": 1 });
});

describe("a patch", () => {
  test("knows one zero only", () => {
    expect(patchOf({}, { "/domain/size": -0 })["/domain/size"]).toEqual({ v: 0 });
  });

  test("holds only what really changes", () => {
    const settings = written({ "/domain/size": 1, "/domain/ports": [1, 2] });
    expect(patchOf(settings, { "/domain/size": 1, "/domain/ports": [1, 2] })).toEqual({});
  });

  test("keeps the facts about the component itself", () => {
    expect(patchOf({ ":delete": { v: true } }, { "/domain/size": 1 })).toEqual({ "/domain/size": { v: 1 } });
  });

  test("of a whole list keeps the elements that are still there", () => {
    const settings = written({ "/domain/ports": [1, 2, 3] });
    const [first] = Object.keys(settings).filter((key) => key.includes("#"));
    expect(patchOf(settings, { "/domain/ports": [2, 3] })).toEqual({ [first ?? ""]: null });
  });

  test("of a whole list writes position by position where that touches less", () => {
    const settings = written({ "/domain/ports": [1, 2, 3] });
    const second = Object.keys(settings).filter((key) => key.includes("#"))[1] ?? "";
    expect(patchOf(settings, { "/domain/ports": [1, 9, 3] })).toEqual({ [second]: { v: 9 } });
  });

  test("names an attribute by the id of its value as well", () => {
    const pointerOfValueId = (id: string): string | undefined => (id === "01JX" ? "/domain/size" : undefined);
    expect(patchOf({}, { "01JX": 4 }, { pointerOfValueId })).toEqual({ "/domain/size": { v: 4 } });
  });

  test("of a list that is subscribed does not bring back what another change set left below it", () => {
    const hidden: Settings = {
      "/domain/ports": { s: ["WEB", "/domain/ports"] },
      "/domain/ports/#01A": { v: 1 },
    };
    const after = mergeKeys(hidden, patchOf(hidden, { "/domain/ports": [7] }));
    expect(showAttributes(props, after)).toEqual({ "/domain/ports/0": 7 });
    const again = { component: "web", path: "/domain/ports" };
    expect(patchOf(hidden, { "/domain/ports": { $source: again } })).toEqual({});
  });

  test("leaves alone what is hidden in elements that another change set removed", () => {
    const orphans: Settings = {
      "/domain/tags": { v: [] },
      "/domain/tags/#01A/Key": { v: "k" },
      "/domain/tagsByName": { v: {} },
      "/domain/tagsByName/x/Key": { v: "k" },
    };
    const shown = showAttributes(props, orphans);
    expect(shown).toEqual({ "/domain/tags": [], "/domain/tagsByName": {} });
    expect(patchOf(orphans, shown)).toEqual({});
  });

  test("of a removed entry made anew does not bring back what another change set left inside it", () => {
    const orphan = { "/domain/tagsByName/x/Value": { v: "old" } } as const;
    const after = mergeKeys(orphan, patchOf(orphan, { "/domain/tagsByName/x/Key": "k" }));
    expect(showAttributes(props, after)).toEqual({ "/domain/tagsByName/x/Key": "k" });
  });
});
