import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { showAttributes } from "../../../server/domain/attribute-view.ts";
import { writeAttributes } from "../../../server/domain/attributes.ts";
import type { Json } from "../../../server/domain/json.ts";
import { applyRow, effective, mergeKeys, type Settings } from "../../../server/domain/overlay.ts";
import { findProp, fits, type PropDefinition, propTree } from "../../../server/domain/props.ts";
import { computeValues } from "../../../server/domain/values.ts";
import {
  canBeUpgraded,
  latestVariantId,
  replacementOf,
  upgradePatch,
  withReplacement,
} from "../../../server/domain/variants.ts";
import { literalChange, subscriptionTo } from "./arbitraries.ts";
import { idMaker, patchOf, props, sampleVariant, web, writing, written } from "./sample.ts";

/** The sample's schema later on: kinds changed inside and outside of containers, some gone, some new. */
const changed: Readonly<Record<string, PropDefinition | undefined>> = {
  size: { name: "size", kind: "string" },
  policy: undefined,
  labels: { name: "labels", kind: "array", entry: { name: "label", kind: "string" } },
  ports: { name: "ports", kind: "array", entry: { name: "port", kind: "string" } },
  tags: {
    name: "tags",
    kind: "array",
    entry: {
      name: "Tag",
      kind: "object",
      children: [
        { name: "Key", kind: "string" },
        { name: "Value", kind: "integer" },
      ],
    },
  },
  network: {
    name: "network",
    kind: "object",
    children: [
      { name: "mtu", kind: "integer" },
      { name: "v6", kind: "boolean", defaultValue: true },
    ],
  },
};
const newer = propTree(
  {
    ...sampleVariant,
    domain: [
      ...sampleVariant.domain.flatMap((prop) => (prop.name in changed ? (changed[prop.name] ?? []) : prop)),
      { name: "added", kind: "string", defaultValue: "new" },
    ],
    secrets: [{ name: "Cloud Credential", kind: "string", secret: "Another Credential" }],
  },
  (path) => `newer ${path}`,
);
const upgraded = (settings: Settings): Settings => mergeKeys(settings, upgradePatch(props, newer, settings));

describe("an upgrade", () => {
  test.each<[what: string, before: Readonly<Record<string, Json>>, after: Readonly<Record<string, Json>>]>([
    [
      "keeps what both have",
      { "/domain/region": "x", "/si/name": "n" },
      { "/domain/region": "x", "/si/name": "n" },
    ],
    ["drops what is gone", { "/domain/policy": "{}", "/domain/network/cidr": "c" }, {}],
    ["drops what has another kind", { "/domain/size": 3 }, {}],
    [
      "keeps a list and drops its elements of another kind",
      { "/domain/ports": [1, 2] },
      { "/domain/ports": [] },
    ],
    ["drops a map that is a list now", { "/domain/labels": { a: "b" } }, {}],
    [
      "keeps of each element what both have",
      { "/domain/tags": [{ Key: "k", Value: "v", Parts: [1] }] },
      { "/domain/tags/0/Key": "k" },
    ],
    [
      "keeps a subscription where the kind is the same, and no other",
      { "/domain/region": web("/domain/region"), "/domain/size": web("/domain/size") },
      { "/domain/region": { $source: { component: "WEB", path: "/domain/region" } } },
    ],
    ["drops a secret of another kind", { "/secrets/Cloud Credential": web("/secrets/Cloud Credential") }, {}],
    ["keeps what was unset on purpose", { "/domain/network/mtu": null }, {}],
  ])("%s", (_what, before, after) => {
    const settings = upgraded({ ...written(before), ":view/V": { v: true }, ":manager/M": { v: true } });
    expect(showAttributes(newer, settings)).toEqual(after);
    expect(settings).toMatchObject({ ":view/V": { v: true }, ":manager/M": { v: true } });
  });

  test("shows the new variant's defaults, and keeps hiding one that was unset on purpose", () => {
    const settings = upgraded(written({ "/domain/network/mtu": null }));
    const vals = computeValues(newer, settings, () => undefined);
    expect(vals).toMatchObject({ "/domain/added": "new", "/domain/network/v6": true });
    expect(settings["/domain/network/mtu"]).toEqual({ u: 1 });
  });

  const requests = fc.array(
    fc.array(fc.oneof(literalChange, subscriptionTo(fc.constant("WEB"))), { maxLength: 6 }),
    {
      maxLength: 3,
    },
  );
  /** Settings after requests; those that are refused change nothing. */
  const settingsAfter = (
    start: Settings,
    all: readonly (readonly (readonly [string, Json])[])[],
    ids: string,
  ): Settings => {
    const newId = idMaker(ids);
    return all.flat().reduce((settings, change) => {
      try {
        return mergeKeys(settings, patchOf(settings, Object.fromEntries([change]), { newId }));
      } catch {
        return settings;
      }
    }, start);
  };
  const sendBack = (settings: Settings) => {
    const changes = Object.entries(showAttributes(newer, settings));
    const findComponent = () => ({ id: "WEB", props });
    return writeAttributes({ ...writing(settings, {}), props: newer, changes, findComponent });
  };

  test("to the same variant changes nothing", () => {
    fc.assert(
      fc.property(requests, (all) => {
        expect(upgradePatch(props, props, settingsAfter({}, all, "01J"))).toEqual({});
      }),
    );
  });

  test("shows nothing that was not set before, and everything that both variants have", () => {
    fc.assert(
      fc.property(requests, (all) => {
        const settings = settingsAfter({}, all, "01J");
        const [before, shown] = [showAttributes(props, settings), showAttributes(newer, upgraded(settings))];
        for (const [pointer, value] of Object.entries(shown)) {
          if (JSON.stringify(value) === "[]" || JSON.stringify(value) === "{}") continue;
          expect([pointer, value]).toEqual([pointer, before[pointer]]);
        }
        for (const [pointer, value] of Object.entries(before)) {
          const kept = /^\/(si|domain\/(region|tagsByName|grid|network\/mtu))/.test(pointer);
          if (kept) expect([pointer, shown[pointer]]).toEqual([pointer, value]);
        }
        expect(sendBack(upgraded(settings))).toEqual({});
      }),
    );
  });

  test("in a change set and edits of the head both survive, whatever kinds the head's edits are of", () => {
    fc.assert(
      fc.property(requests, requests, (first, later) => {
        const head = settingsAfter({}, first, "01J");
        const own = { op: "edit", settings: upgradePatch(props, newer, head) } as const;
        const moved = settingsAfter(head, later, "01K");
        const settings = effective(moved, own) ?? {};
        expect(applyRow(moved, own)).toEqual({ does: "put", settings });
        const vals = computeValues(newer, settings, () => 1);
        for (const pointer of ["/domain/size", "/domain/region", "/domain/network/mtu"]) {
          const [prop, value] = [findProp(newer, pointer), vals[pointer]];
          if (prop !== undefined && value !== undefined)
            expect([pointer, fits(prop, value)]).toEqual([pointer, true]);
        }
        const region = showAttributes(props, moved)["/domain/region"];
        expect(showAttributes(newer, settings)["/domain/region"]).toEqual(region);
        expect(sendBack(settings)).toEqual({});
      }),
    );
  });
});

test("the latest variant is the unlocked one where there is one, else the default", () => {
  expect(latestVariantId({ defaultVariantId: "D" })).toBe("D");
  expect(latestVariantId({ defaultVariantId: "D", unlockedVariantId: null })).toBe("D");
  const schema = { defaultVariantId: "D", unlockedVariantId: "U" };
  expect(latestVariantId(schema)).toBe("U");
  expect([canBeUpgraded(schema, "D"), canBeUpgraded(schema, "U")]).toEqual([true, false]);
});

test("a schema remembers what took the place of its last variants, and not those of long ago", () => {
  let replaced = {};
  for (let at = 0; at < 30; at++) replaced = withReplacement({ replaced }, `v${at}`, `v${at + 1}`);
  expect(replacementOf({ replaced }, "v29")).toBe("v30");
  expect(replacementOf({ replaced }, "v10")).toBe("v30");
  expect(replacementOf({ replaced }, "v9")).toBe(undefined);
  expect(replacementOf({ replaced }, "v30")).toBe(undefined);
  expect(replacementOf({}, "v1")).toBe(undefined);
});

test("replacements that lead in a circle lead somewhere all the same", () => {
  expect(replacementOf({ replaced: { a: "a" } }, "a")).toBe(undefined);
  expect(replacementOf({ replaced: { a: "b", b: "a" } }, "a")).toBe("b");
  expect(replacementOf({ replaced: { a: "b", b: "c", c: "b" } }, "a")).toBe("c");
});
