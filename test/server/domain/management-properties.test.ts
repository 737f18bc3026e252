import { describe, expect, it } from "vitest";
import { attributesOfProperties } from "../../../server/domain/management-properties.ts";
import type { Settings } from "../../../server/domain/overlay.ts";
import { propTree, type VariantDefinition } from "../../../server/domain/props.ts";
import { computeValues } from "../../../server/domain/values.ts";

const variant: VariantDefinition = {
  schemaId: "S",
  displayName: "Server",
  category: "Demo",
  color: "#000000",
  description: null,
  link: null,
  isLocked: true,
  domain: [
    { name: "region", kind: "string", defaultValue: "eu" },
    {
      name: "size",
      kind: "object",
      children: [
        { name: "cpu", kind: "integer" },
        { name: "ram", kind: "integer" },
      ],
    },
    { name: "ports", kind: "array", entry: { name: "port", kind: "integer" } },
    { name: "labels", kind: "map", entry: { name: "label", kind: "string" } },
  ],
  secrets: [],
  resourceValue: [],
};
const props = propTree(variant, (path) => path);
const from = (settings: Settings, properties: Parameters<typeof attributesOfProperties>[1], isNew = false) =>
  attributesOfProperties(
    { props, settings, vals: computeValues(props, settings, () => undefined), isNew },
    properties,
  );

describe("the properties that a management function gives", () => {
  it.each<[string, Settings, Parameters<typeof attributesOfProperties>[1], Record<string, unknown>]>([
    ["a value that differs is written", {}, { domain: { region: "us" } }, { "/domain/region": "us" }],
    ["a value that is there already is left alone", {}, { domain: { region: "eu" } }, {}],
    ["objects are followed", {}, { domain: { size: { cpu: 2 } } }, { "/domain/size/cpu": 2 }],
    [
      "an array is replaced",
      { "/domain/ports": { v: [] } },
      { domain: { ports: [80, 443] } },
      { "/domain/ports": { $source: { value: [80, 443] } } },
    ],
    [
      "what a map is not given goes, what it is given comes",
      { "/domain/labels/a": { v: "1" }, "/domain/labels/b": { v: "2" } },
      { domain: { labels: { b: "3", c: "4" } } },
      { "/domain/labels/a": { $source: null }, "/domain/labels/b": "3", "/domain/labels/c": "4" },
    ],
    [
      "null unsets what has a value",
      { "/domain/region": { v: "us" } },
      { domain: { region: null, size: null } },
      { "/domain/region": { $source: null } },
    ],
    ["what the schema does not have is left out", {}, { domain: { color: "red" }, other: 1 }, {}],
    [
      "what it may not write is left out",
      {},
      { code: {}, qualification: { a: 1 }, resource_value: { x: 1 }, secrets: { s: "1" }, deleted_at: "now" },
      {},
    ],
    [
      "below something that is fed from elsewhere nothing is written",
      { "/domain/size": { s: ["OTHER", "/domain/size"] } },
      { domain: { size: { cpu: 1 } } },
      {},
    ],
    [
      "a resource is the payload as a whole",
      {},
      { resource: { id: "i-1" } },
      { "/resource/payload": '{"id":"i-1"}' },
    ],
  ])("%s", (_title, settings, properties, expected) => {
    expect(from(settings, properties)).toEqual(expected);
  });

  it("a new component keeps the name that it was made with", () => {
    expect(from({}, { si: { name: "other", color: "#112233" } }, true)).toEqual({ "/si/color": "#112233" });
    expect(from({}, { si: { name: "other" } })).toEqual({ "/si/name": "other" });
  });
});
