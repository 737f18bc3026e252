import { describe, expect, test } from "vitest";
import type { Json } from "../../../server/domain/json.ts";
import { type Changes, patchOf, refusalOf, source, unset, web, written } from "./sample.ts";

describe("a mistake is refused in one line that says what to do", () => {
  const rows: readonly [changes: Changes, error: string, message: RegExp][] = [
    [
      { "/domain/size": "3" },
      "invalidRequest",
      /^attributes \/domain\/size: expected an integer.*found the string "3"$/,
    ],
    [{ "/domain/size": 1.5 }, "invalidRequest", /expected an integer.*found the number 1.5/],
    [{ "/domain/size": 2 ** 53 }, "invalidRequest", /expected an integer of at most/],
    [{ "/domain/policy": { a: [2 ** 53] } }, "invalidRequest", /found a greater one.*send the JSON as text/],
    [{ "/domain/policy": { a: 1 / 0 } }, "invalidRequest", /expected numbers of at most/],
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
    [
      { "/si": web("/si") },
      "invalidRequest",
      /^attributes \/si: expected a subscription of its own for each member/,
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
    [{ "/resource/status": "fine" }, "invalidRequest", /expected one of ok, warning, error, found/],
    [{ "/resource/last_synced": "today" }, "invalidRequest", /expected a time such as 2026-/],
    [{ "/resource/last_synced": "2026-13-41T99:00:00Z" }, "invalidRequest", /expected a time such as 2026-/],
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
