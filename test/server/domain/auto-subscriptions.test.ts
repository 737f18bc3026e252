import { describe, expect, it } from "vitest";
import { type KnownComponent, sourceOf, subscribable } from "../../../server/domain/auto-subscriptions.ts";
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
  return subscribable("Subnet", subscriber, [
    { name: "Network", props: network },
    { name: "Subnet", props: subnet },
  ]);
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
    expect(sourceOf(wish, [known("a", 7), known("b", 8), known("c", 7, "Other")])).toEqual({
      component: "a",
      path: "/domain/port",
    });
    expect(sourceOf(wish, [known("a", 7), known("b", 7)])).toBe(undefined);
    expect(sourceOf(wish, [])).toBe(undefined);
  });
});
