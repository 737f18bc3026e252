import { describe, expect, it } from "vitest";
import {
  indexSources,
  type KnownComponent,
  type Subscribable,
  subscribable,
  suggestionsOf,
} from "../../../server/domain/auto-subscriptions.ts";
import type { Settings } from "../../../server/domain/overlay.ts";
import { type PropDefinition, propTree } from "../../../server/domain/props.ts";
import { computeValues } from "../../../server/domain/values.ts";

const tree = (...domain: PropDefinition[]) =>
  propTree(
    {
      schemaId: "S",
      displayName: "",
      category: "",
      color: "#000000",
      description: null,
      link: null,
      isLocked: true,
      domain,
      secrets: [],
      resourceValue: [],
    },
    (path) => path,
  );
const network = tree({
  name: "range/of it",
  kind: "string",
  suggestAsSourceFor: [{ schema: "subnet", prop: "/domain/range" }],
});
const subnet = tree(
  { name: "range", kind: "string", createOnly: true },
  {
    name: "groups",
    kind: "array",
    entry: { name: "group", kind: "string", suggestSources: [{ schema: "Group", prop: "/si/name" }] },
  },
  {
    name: "port",
    kind: "integer",
    defaultValue: 1,
    suggestSources: [{ schema: "Group", prop: "/domain/port" }],
  },
  { name: "plain", kind: "string" },
);
const wishes = (settings: Settings, hasResource = false) => {
  const vals = computeValues(subnet, settings, () => "read");
  const subscriber = { props: subnet, settings, vals, hasResource };
  const schemas = [
    { name: "Network", props: network },
    { name: "Subnet", props: subnet },
  ];
  return subscribable("Subnet", subscriber, suggestionsOf(schemas));
};

describe("what a component could read instead of repeating it", () => {
  it("is set to a literal and has a suggested source, its own or the other schema's", () => {
    const settings: Settings = {
      "/domain/range": { v: "10.0.0.0/8" },
      "/domain/groups/#1": { v: "web" },
      "/domain/plain": { v: "x" },
    };
    expect(wishes(settings)).toEqual([
      { pointer: "/domain/groups/0", value: "web", sources: [{ schema: "Group", prop: "/si/name" }] },
      {
        pointer: "/domain/range",
        value: "10.0.0.0/8",
        sources: [{ schema: "Network", prop: "/domain/range~1of it" }],
      },
    ]);
  });

  it("is no default, nothing that is read already, and nothing that may not be written any more", () => {
    expect(wishes({ "/domain/range": { s: ["other", "/domain/x"] } })).toEqual([]);
    expect(wishes({ "/domain/range": { v: "" } })).toEqual([]);
    expect(wishes({ "/domain/range": { v: "10.0.0.0/8" } }, true)).toEqual([]);
  });

  it("is read from the one place that has the value, and from none of several", () => {
    const wish = { pointer: "/domain/range", value: 7, sources: [{ schema: "GROUP", prop: "/domain/port" }] };
    const known = (id: string, value: number, schemaName = "Group"): KnownComponent => ({
      id,
      schemaName,
      valueAt: (pointer) => (pointer === "/domain/port" ? value : undefined),
    });
    const found = (from: readonly KnownComponent[], subscriberId = "self", sought: Subscribable = wish) => {
      const index = indexSources([sought]);
      expect([index.asksFor("group"), index.asksFor("Other")]).toEqual([true, false]);
      for (const one of from) index.add(one);
      return index.find(subscriberId, sought);
    };
    const a = { component: "a", path: "/domain/port" };
    expect(found([known("a", 7), known("b", 8), known("c", 7, "Other")])).toEqual(a);
    expect(found([known("a", 7), known("b", 7)])).toBe(undefined);
    expect(found([])).toBe(undefined);
    // The component itself is none of those that it could read.
    expect(found([known("b", 7), known("a", 7)], "b")).toEqual(a);
    expect(found([known("b", 7), known("a", 7), known("c", 7), known("d", 7)], "b")).toBe(undefined);
    // Two suggestions of one place are one, two places are not.
    const twice = (path: string) => ({
      ...wish,
      sources: [...wish.sources, { schema: "group", prop: path }],
    });
    const both = { ...known("a", 7), valueAt: () => 7 };
    expect(found([both], "self", twice("/domain/port"))).toEqual(a);
    expect(found([both], "self", twice("/domain/other"))).toBe(undefined);
  });
});
