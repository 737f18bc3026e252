import { describe, expect, test } from "vitest";
import { showAttributes } from "../../../server/domain/attribute-view.ts";
import type { Json } from "../../../server/domain/json.ts";
import { computeValues, valueAt } from "../../../server/domain/values.ts";
import { type Changes, props, source, unset, web, written } from "./sample.ts";

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
    [
      "a payload set alone, with what it says of itself",
      [{ "/resource/payload": "[]" }],
      {
        "/resource/status": "ok",
        "/resource/payload": "[]",
        "/resource/last_synced": "2026-01-02T03:04:05.000Z",
      },
    ],
    [
      "a payload with a status and a time of its own",
      [
        {
          "/resource/payload": "[]",
          "/resource/status": "error",
          "/resource/last_synced": "2020-01-01T00:00:00+01:00",
        },
      ],
      {
        "/resource/status": "error",
        "/resource/payload": "[]",
        "/resource/last_synced": "2020-01-01T00:00:00+01:00",
      },
    ],
    [
      "a text and JSON, an object and a map, a whole number and a float feed each other",
      [
        {
          "/domain/policy": web("/domain/region"),
          "/domain/region": web("/domain/policy"),
          "/domain/labels": web("/domain/network"),
          "/domain/network": web("/domain/labels"),
          "/domain/ratio": web("/domain/size"),
        },
      ],
      {
        "/domain/policy": source({ component: "WEB", path: "/domain/region" }),
        "/domain/region": source({ component: "WEB", path: "/domain/policy" }),
        "/domain/labels": source({ component: "WEB", path: "/domain/network" }),
        "/domain/network": source({ component: "WEB", path: "/domain/labels" }),
        "/domain/ratio": source({ component: "WEB", path: "/domain/size" }),
      },
    ],
    ["the escape for null unsets on purpose", [{ "/domain/region": source({ value: null }) }], {}],
    [
      "what every component has",
      [{ "/si/color": "#000000", "/si/protected": true, "/si/tags/a": "b", "/si/type": "aggregationFrame" }],
      { "/si/color": "#000000", "/si/protected": true, "/si/tags/a": "b", "/si/type": "aggregationFrame" },
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
