import { expect, it } from "vitest";
import { driftOf } from "../../../server/domain/drift.ts";
import type { Json } from "../../../server/domain/json.ts";
import { propTree } from "../../../server/domain/props.ts";
import { testSchemas } from "../../support/schemas.ts";

const machine = testSchemas[0];
if (machine === undefined) throw new Error("the first schema is the machine");
const props = propTree(
  {
    schemaId: "s",
    displayName: "Machine",
    description: null,
    link: null,
    isLocked: true,
    secrets: [],
    resourceValue: [],
    ...machine,
  },
  (path) => path,
);

it.each<[what: string, vals: Record<string, Json>, payload: Json, drift: readonly (readonly Json[])[]]>([
  ["the same", { "/domain/region": "eu-1" }, { region: "eu-1" }, []],
  ["another value", { "/domain/region": "eu-1" }, { region: "us-1" }, [["/domain/region", "eu-1", "us-1"]]],
  ["what only the payload has", { "/domain/region": "eu-1" }, { region: "eu-1", arn: "x" }, []],
  ["what only the model has", { "/domain/region": "eu-1" }, { arn: "x" }, []],
  ["null for nothing", { "/domain/region": "eu-1" }, { region: null }, []],
  ["a number as text", { "/domain/size": 80 }, { size: "80" }, []],
  ["another number as text", { "/domain/size": 80 }, { size: "81" }, [["/domain/size", 80, "81"]]],
  ["JSON text and what it says", { "/domain/policy": '{"a": 1}' }, { policy: { a: 1 } }, []],
  ["JSON text twice", { "/domain/policy": '{"a": 1}' }, { policy: '{"a":1}' }, []],
  [
    "a member far inside",
    { "/domain/network/zone": "a", "/domain/network/nested/deep": "x" },
    { network: { zone: "a", nested: { deep: "y", more: 1 } } },
    [["/domain/network/nested/deep", "x", "y"]],
  ],
  [
    "a list as a whole",
    { "/domain/ports/#1": 80, "/domain/ports/#2": 443 },
    { ports: [80] },
    [["/domain/ports", [80, 443], [80]]],
  ],
  ["the same list", { "/domain/ports/#1": 80 }, { ports: [80] }, []],
  [
    "a scalar where an object is",
    { "/domain/network/zone": "a" },
    { network: "none" },
    [["/domain/network", { zone: "a" }, "none"]],
  ],
  ["a payload that is no object", { "/domain/region": "eu-1" }, "gone", []],
])("finds what differs: %s", (_what, vals, payload, drift) => {
  const all = { ...vals, "/resource/payload": JSON.stringify(payload) };
  expect(driftOf(props, all).map(({ path, model, resource }) => [path, model, resource])).toEqual(drift);
});

it("finds nothing where there is no resource", () => {
  expect(driftOf(props, { "/domain/region": "eu-1" })).toEqual([]);
});
